"""SIGKILL at random and at each named point of a server that is alone: the judge finds nothing.

Issue 12, Shown by 2; and issue 2, Shown by 4.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.campaigns import ALONE, killed_at, killed_at_random

pytestmark = pytest.mark.anyio
FEW, SOME = 1, 30
SOME_POINTS = ("row-written-not-answered", "half-projected")


@pytest.mark.parametrize("kills", [FEW, pytest.param(SOME, marks=pytest.mark.slow)])
async def test_killed_at_random_moments(tmp_path: Path, kills: int) -> None:
    run = await killed_at_random(tmp_path, kills)
    assert run.verdict.found == []
    assert run.faults == kills
    assert run.verdict.counts["acknowledged"] > 10
    assert run.verdict.counts["clocks over a stop"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("points", [SOME_POINTS, ALONE])
async def test_killed_at_named_points(tmp_path: Path, points: tuple[str, ...]) -> None:
    run = await killed_at(points, tmp_path, 1)
    assert run.verdict.found == []
    assert run.faults == len(points)
    assert run.verdict.counts["acknowledged"] > 10
