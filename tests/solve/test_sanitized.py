"""Random questions to the solvers under AddressSanitizer and UBSan (issue 4, shown by 6)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_solvers_are_clean_under_sanitizers(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++") or shutil.which("c++")
    assert compiler
    program = tmp_path / "solver_random"
    source = ROOT / "native" / "tests" / "solver_random.cpp"
    options = ["-std=c++20", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    include = f"-I{ROOT / 'native' / 'include'}"
    subprocess.run([compiler, *options, include, str(source), "-o", str(program)], check=True)
    run = subprocess.run([program, "5000"], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "solver_random: ok\n", "")
