"""Programs of native/tests, compiled for a test run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "native" / "tests"


def build(name: str, folder: Path, *options: str) -> Path:
    """Return the program made of native/tests/NAME.cpp; -O2 unless the options say another level."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    assert compiler, "a C++ compiler is needed to build the kernel too"
    program = folder / name
    command = [compiler, "-std=c++20", "-O2", *options, f"-I{ROOT / 'native' / 'include'}", f"{SOURCES / name}.cpp"]
    subprocess.run([*command, "-o", str(program)], check=True)
    return program
