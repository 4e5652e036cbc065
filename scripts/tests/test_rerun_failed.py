"""Failed tests are run once more alone (scripts/rerun_failed.py), issue 27.0."""

from __future__ import annotations

import pytest

from scripts.rerun_failed import MAX_RERUNS, rerun


@pytest.mark.parametrize(
    ("failed", "passing", "status"),
    [
        (["a"], {"a"}, 0),
        (["a", "b"], {"a", "b"}, 0),
        (["a", "b", "c"], {"a", "b", "c"}, 1),  # more than two names fail the run
        (["a", "b"], {"a"}, 1),
        ([], set(), 1),  # pytest failed without a failed test
    ],
)
def test_at_most_two_flaky_tests_are_let_through(
    failed: list[str], passing: set[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rerun(failed, passing.__contains__) == status
    printed = capsys.readouterr().out
    for test in failed:
        assert (f"flaky: {test}" if test in passing else f"failed twice: {test}") in printed


def test_many_failures_are_not_run_again() -> None:
    def passes(_: str) -> bool:
        raise AssertionError

    assert rerun([str(number) for number in range(MAX_RERUNS + 1)], passes) == 1
