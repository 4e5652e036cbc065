"""Shown points against what the deals brought: bench.calibration itself. Issue 13, shown by 1."""

from __future__ import annotations

import numpy as np
import pytest

from bench.calibration import Asked, measured, rows_of


@pytest.mark.parametrize(("preset", "players"), [("pineapple", 2), ("turbo", 3)])
def test_what_the_hands_get_sums_to_nothing_and_processes_change_nothing(preset: str, players: int) -> None:
    """LAW 4: what one wins another loses; the next fantasylands too are set against each other."""
    asked = Asked(preset, players, "fast", "calibration")
    alone, shared = measured(asked, 12, 1), measured(asked, 12, 2)
    assert (alone == shared).all()
    assert alone[:, -1].sum(axis=1) == pytest.approx(0, abs=1e-9)
    rows = rows_of(alone)
    assert [row[1] for row in rows] == [str(street) for street in range(1, alone.shape[1])]


@pytest.mark.parametrize("told", [False, True])
def test_the_last_to_act_of_all_is_shown_what_it_gets(told: bool) -> None:  # noqa: FBT001 - a parameter
    """It sees both boards, so the last street's answer is exact."""
    points = measured(Asked("pineapple", 2, "fast", "last", told), 15, 1)
    assert points[:, -2, -1] == pytest.approx(points[:, -1, -1], abs=1e-4)
    assert np.ptp(points[:, 0]) > 1
