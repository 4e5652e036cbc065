"""scripts/mutants.py plants faults that the tests of a small file of this test's own find, or do not."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from scripts import mutants
from scripts.mutations import mutants as planted

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """
def older(a: int, b: int = 2) -> bool:
    if a > b and not a == 7:
        return True
    return max(a, b) == a + 1


class Seat:
    deals: int = 0

    def late(self) -> str:
        raise ValueError(f"{1 + 1}")
"""


def test_the_faults_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "room.py"
    file.write_text(SOURCE)
    changes = {mutant.change() for mutant in planted(file)}
    assert changes == {
        "older: a > b and not a == 7 -> (a > b or not a == 7)",
        "older: a > b and not a == 7 -> (not a == 7)",
        "older: a > b and not a == 7 -> (a > b)",
        "older: a > b and not a == 7 -> (not (a > b and (not a == 7)))",
        "older: a > b -> (a >= b)",
        "older: a > b -> (a <= b)",
        "older: not a == 7 -> (a == 7)",
        "older: a == 7 -> (a != 7)",
        "older: 7 -> (8)",
        "older: True -> (False)",
        "older: return max(a, b) == a + 1 -> return None",
        "older: max(a, b) == a + 1 -> (max(a, b) != a + 1)",
        "older: max(a, b) -> (min(a, b))",
        "older: a + 1 -> (a - 1)",
        "older: a + 1 -> (a)",
        "older: 1 -> (2)",
        'Seat.late: raise ValueError(f"{1 + 1}") -> pass',
    }
    for mutant in planted(file):
        compile(mutant.source(), "room.py", "exec")


def test_survivors_that_are_no_fault_are_faults_of_their_file() -> None:
    """Where the code has changed, its reason has to be looked at again."""
    written = mutants.notes()
    every: dict[str, set[str]] = {}
    for file, change in written.survivors:
        changes = every.setdefault(file, {mutant.change() for mutant in planted(mutants.ROOT / file)})
        assert change in changes, file
    assert all(why.endswith(".") for why in written.survivors.values())


def test_the_tests_near_a_file_exist() -> None:
    written = mutants.notes()
    for path, tests in written.near.items():
        assert (mutants.ROOT / path).exists()
        assert all((mutants.ROOT / test).exists() for test in tests)
    here = mutants.ROOT / "src/triptych/scoring"
    assert (
        written.tests(here / "settle.py") != written.tests(here / "session.py") == ["tests/scoring/test_session.py"]
    )


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_a_sample_is_planted_and_scored() -> None:
    program = [sys.executable, "-m", "scripts.mutants", "--sample", "3", "src/triptych/scoring/session.py"]
    done = subprocess.run(program, cwd=mutants.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    assert "score: " in done.stdout
    # Of these faults the tests find most; none is found where the faults are not planted at all.
    assert re.search(r"[23] of 3 found", done.stdout), done.stdout


def test_the_interval_of_a_share() -> None:
    """Wilson (1927), as in every table: 8 of 10 is 49.0 % to 94.3 %."""
    assert mutants.interval(8, 10) == pytest.approx((0.490, 0.943), abs=5e-4)
