"""Shown points against what the deals brought: bench.calibration itself. Issue 13, shown by 1."""

from __future__ import annotations

import numpy as np
import pytest

from bench.calibration import Options, measure, rows_of
from tests.case_sample import sample_cases


@pytest.mark.parametrize(("preset", "players"), sample_cases([("pineapple", 2), ("turbo", 3)], [("pineapple", 2)]))
def test_values_of_hands_sum_to_zero_with_any_number_of_processes(preset: str, players: int) -> None:
    """Rules §4: what one wins another loses; the next fantasylands too are set against each other."""
    options = Options(preset, players, "fast", "calibration")
    alone, shared = measure(options, 4, 1), measure(options, 4, 2)
    assert (alone == shared).all()
    assert alone[..., 1].sum(axis=2) == pytest.approx(0, abs=1e-9)
    rows = rows_of(alone)
    assert [row[1] for row in rows] == [str(street) for street in range(1, alone.shape[1] + 1)]


@pytest.mark.slow
def test_luck_that_comes_later_is_what_moves_results_away_from_what_was_shown() -> None:
    """Its mean is zero, so that taking it out only narrows an interval; who acts last of all has none to come."""
    points = measure(Options("pineapple", 3, "fast", "luck"), 20, 1)
    off = points[..., 1] - points[..., 0]
    assert points[:, -1, -1, 2] == pytest.approx(0)
    for street in range(4):
        assert (off - points[..., 2])[:, street].std() < off[:, street].std() / 2


@pytest.mark.parametrize("discards_known", [False, True])
def test_the_last_to_act_of_all_is_shown_what_it_gets(discards_known: bool) -> None:  # noqa: FBT001 - a parameter
    """It sees both boards, so the last street's answer is exact."""
    points = measure(Options("pineapple", 2, "fast", "last", discards_known), 3, 1)
    assert points[:, -1, -1, 0] == pytest.approx(points[:, -1, -1, 1], abs=1e-4)
    assert np.ptp(points[:, 0, :, 0]) > 1
