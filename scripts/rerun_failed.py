"""Run the tests that failed in pytest's last run once more, each alone: `python -m scripts.rerun_failed`.

A test that passes now is flaky: its name is printed, and it does not stop the run. Exits with 1 when a test fails
again, or when more than MAX_FLAKY tests are flaky.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
LAST_FAILED: Final = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
MAX_FLAKY: Final = 2
# More failures than that are no accident: nothing is run again.
MAX_RERUNS: Final = 10


def passes_alone(test: str) -> bool:
    """Run one test in a process of its own, slow or not; return whether it passes."""
    pytest = (sys.executable, "-m", "pytest", "-q", "-n", "0", "-m", "", "-p", "no:cacheprovider", test)
    return subprocess.run(pytest, cwd=ROOT, check=False).returncode == 0


def rerun(failed: Sequence[str], passes: Callable[[str], bool]) -> int:
    """Run failed tests again, print the flaky ones and those that fail again; return the exit status."""
    if not failed:
        print("No test failed, or pytest ended before it could say which.")
        return 1
    if len(failed) > MAX_RERUNS:
        print(f"{len(failed)} tests failed; none is run again.")
        return 1
    flaky = [test for test in failed if passes(test)]
    broken = [test for test in failed if test not in flaky]
    for test in broken:
        print(f"failed twice: {test}")
    for test in flaky:
        print(f"flaky: {test}")
    if len(flaky) > MAX_FLAKY:
        print(f"{len(flaky)} flaky tests; at most {MAX_FLAKY} are let through.")
    return 1 if broken or len(flaky) > MAX_FLAKY else 0


if __name__ == "__main__":
    sys.exit(rerun(list(json.loads(LAST_FAILED.read_text())) if LAST_FAILED.is_file() else [], passes_alone))
