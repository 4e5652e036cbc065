"""Programs of native/tests, compiled once and kept until their sources change."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = ROOT / "native" / "tests"
KEPT: Final = ROOT / "build" / "native-tests"


def build(name: str, *options: str) -> Path:
    """Return the program made of native/tests/NAME.cpp; -O1 unless the options say another level."""
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    assert compiler, "a C++ compiler is needed to build the kernel too"
    kernel = sorted(map(str, (ROOT / "native" / "src").glob("*.cpp")))
    include = f"-I{ROOT / 'native' / 'include'}"
    command = [compiler, "-std=c++20", "-O1", *options, include, f"{SOURCES / name}.cpp", *kernel]
    program = KEPT / f"{name}-{_digest(command)}"
    KEPT.mkdir(parents=True, exist_ok=True)
    with _alone(KEPT / f"{name}.lock"):
        if not program.exists():
            for old in KEPT.glob(f"{name}-*"):
                old.unlink()
            unfinished = program.with_suffix(".unfinished")
            subprocess.run([*command, "-o", str(unfinished)], check=True)
            unfinished.rename(program)
    return program


def _digest(command: list[str]) -> str:
    """Return a digest of a command and of all sources that it may read."""
    digest = hashlib.sha256("\0".join(command).encode())
    folders = (SOURCES, ROOT / "native" / "include", ROOT / "native" / "src")
    for file in sorted(file for folder in folders for file in folder.rglob("*.?pp")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait until no other worker compiles the same program."""
    import fcntl  # noqa: PLC0415 - Windows has none, and no test that compiles

    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
