"""An error rate counts what there was to decide, and its interval holds the truth (issue 14, part 3)."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from msgspec import Struct

from triptych.rulesets.load import resolve
from triptych.solve.analysis.analyse import Analysis, PlacementValue
from triptych.solve.analysis.rating import (
    OBVIOUS_MARGIN,
    ErrorRate,
    error_rate,
    is_rated,
    level_error_rates,
    level_error_rates_for,
    margin,
    nearest_level,
)


class StubDecision(Struct, frozen=True):
    behind: float
    counted: bool = True


def _answer(*values: float, exact: bool = False) -> Analysis:
    placements = tuple(PlacementValue((), (), (), (), value, 0.1, 1000, 0, 0, 0, 0, 0, 0) for value in values)
    return Analysis("", 0, 1, placements, exact, 1)


def test_forced_and_obvious_decisions_are_not_counted() -> None:
    assert not is_rated(_answer(2.0), missed=False)
    assert not is_rated(_answer(2.0, 2.0, exact=True), missed=False)
    assert is_rated(_answer(2.0, 2.0), missed=False), "perhaps they are not worth the same"
    assert not is_rated(_answer(2.0, 2.0 - OBVIOUS_MARGIN, -5.0), missed=False)
    assert is_rated(_answer(2.0, 2.0 - OBVIOUS_MARGIN, -5.0), missed=True), "nobody misses it, but somebody did"
    assert is_rated(_answer(2.0, 1.5), missed=False)
    assert margin(_answer(2.0, 1.5, 1.75)) == 0.25


def test_a_rate_is_points_by_decision_and_deals_are_its_units() -> None:
    rate = error_rate(
        [
            [StubDecision(0.5), StubDecision(0.0), StubDecision(9.0, counted=False)],
            [StubDecision(0.1), StubDecision(0.2)],
            [],
        ]
    )
    assert rate.lost == pytest.approx(0.8 / 4)
    assert (rate.decisions, rate.deals) == (4, 2)
    assert error_rate([]).decisions == 0
    assert error_rate([[StubDecision(1.0)]]).half == -1


def test_intervals_hold_the_truth() -> None:
    """Of 400 series of 40 deals whose decisions cost 0.3 on average, about 95 % do."""
    random = Random(11)
    held = 0
    for _ in range(400):
        deals = [[StubDecision(random.expovariate(1 / 0.3)) for _ in range(random.randint(2, 5))] for _ in range(40)]
        rate = error_rate(deals)
        held += abs(rate.lost - 0.3) <= rate.half
    assert 360 <= held <= 396


def test_a_level_is_named_where_its_rate_was_measured() -> None:
    levels = level_error_rates_for(resolve("pineapple"), 2)
    assert list(levels) == ["strong", "medium", "fast", "novice"]
    assert [nearest_level(levels, ErrorRate(lost, 0.01, 500, 100)) for lost in levels.values()] == list(levels)
    assert nearest_level(levels, ErrorRate(-0.01, 0.02, 500, 100)) == "strong"
    assert nearest_level(levels, ErrorRate(9.0, 0.1, 500, 100)) == "novice"
    assert nearest_level(levels, ErrorRate(0.1, 0.2, 99, 20)) is None, "too few decisions"


def test_no_level_is_named_by_other_rules() -> None:
    assert level_error_rates_for(resolve("pineapple"), 3) == {}
    assert level_error_rates_for(resolve("pineapple_ultimate"), 2) == {}
    assert level_error_rates_for(resolve({"preset": "pineapple", "foul.points": 30}), 2) == {}
    assert level_error_rates_for(resolve({"preset": "pineapple", "clock.bank": 90}), 2) == level_error_rates_for(
        resolve("pineapple"), 2
    )


def test_the_levels_that_are_named_are_ordered_and_each_interval_is_apart() -> None:
    """Issue 14, Shown by 3: of every game in the file that `python -m bench.rates` writes."""
    assert "pineapple" in level_error_rates()
    for levels in level_error_rates().values():
        assert list(levels) == ["strong", "medium", "fast", "novice"]
        for better, worse in pairwise(levels.values()):
            assert better.lost + better.half < worse.lost - worse.half
    assert sum(rate.deals for rate in level_error_rates()["pineapple"].values()) >= 4_000  # two hands a deal
