"""The arena's statistics on made-up data: intervals cover as promised, fitted values come back.

95 % intervals over duplicate pairs; issue 5, part 3 (sequential stop).
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from triptych.arena.credit import add_credit, fit_values, values_by_player
from triptych.arena.records import DealRecord
from triptych.arena.speed import LatencyHistogram
from triptych.stats import any_time_half, estimate, t_quantile

RUNS = 2000


def noise(runs: int, size: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Points with a long tail, as deals have them, mean 0."""
    random = np.random.default_rng(seed)
    return random.normal(0, 4, (runs, size)) + (random.exponential(3, (runs, size)) - 3)


@pytest.mark.parametrize(("freedom", "value"), [(1, 12.706), (4, 2.776), (5, 2.571), (10, 2.228), (100, 1.984)])
def test_students_points_are_those_of_the_tables(freedom: int, value: float) -> None:
    assert t_quantile(freedom) == pytest.approx(value, abs=0.002)


def test_fixed_intervals_cover_at_their_rate() -> None:
    covered = 0
    for values in noise(RUNS, 60, 1):
        interval = estimate(values)
        covered += interval.low <= 0 <= interval.high
    # 95 % within four standard errors of 2,000 runs, and a little for the skew.
    assert 0.925 <= covered / RUNS <= 0.97


def test_looking_on_all_the_time_and_stopping_does_not_cheat() -> None:
    """The share of matches whose confidence sequence ever misses the truth stays below 5 %, not a plain one's."""
    runs, size = 600, 2000
    counts = np.arange(1, size + 1)
    looks = counts >= 100
    missed = plain = 0
    sequence = np.array([any_time_half(1.0, int(n), size) for n in counts])
    for values in noise(runs, size, 2):
        means = np.cumsum(values) / counts
        sds = np.sqrt(np.maximum(np.cumsum(values**2) / counts - means**2, 1e-9))
        missed += bool(np.any((np.abs(means) > sequence * sds)[looks]))
        plain += bool(np.any((np.abs(means) > 1.96 * sds / np.sqrt(counts))[looks]))
    assert missed / runs <= 0.05
    assert plain / runs > 0.15  # what peeking with a plain interval would do


def test_the_sequence_is_about_half_again_as_wide_where_the_match_was_meant_to_end() -> None:
    for planned in (100, 10_000):
        assert 1.3 < any_time_half(1.0, planned, planned) / (1.96 / sqrt(planned)) < 1.7


def test_an_interval_is_not_invented() -> None:
    assert estimate(np.array([])).half == -1
    assert estimate(np.array([3.0])).half == -1
    assert estimate(np.array([3.0, 3.0])).half == 0


def test_fitted_values_come_back() -> None:
    """Chains made from known values: 11 and 16 points for the first bot, 7 for the second."""
    random = np.random.default_rng(4)
    truth = {(0, 14): 11.0, (0, 15): 16.0, (1, 14): 7.0}
    records = []
    for _ in range(4000):
        fantasylands = [(14, 0), (15, 0), (0, 14), (14, 14), (0, 0)][random.integers(5)]
        worth = [truth.get((player, cards), 0.0) for player, cards in enumerate(fantasylands)]
        gained = round(worth[0] - worth[1] + random.normal(0, 8)) if any(fantasylands) else 0
        records.append(DealRecord((0, 1), (0, 0), (0, 0), (0, 0), fantasylands, (gained, -gained)))
    by_bot = {(value.bot, value.cards): value for value in fit_values(("a", "b"), records)}
    for (player, cards), value in truth.items():
        fitted = by_bot["ab"[player], cards]
        assert abs(fitted.value - value) < 4 * fitted.error
        assert 0.1 < fitted.error < 0.5
    values = values_by_player(("a", "b"), tuple(by_bot.values()), (14, 15, 16))
    assert values[1, 16] == by_bot["b", 14].value  # never seen: the nearest of its own
    assert add_credit((14, 0), values) == (values[0, 14], -values[0, 14])


def test_three_players_pay_each_other() -> None:
    values = {(0, 14): 10.0, (1, 14): 4.0}
    assert add_credit((14, 14, 0), values) == (16.0, -2.0, -14.0)


def test_times_keep_mean_and_quantiles() -> None:
    times = LatencyHistogram()
    for microseconds in range(1, 1001):
        times.add(microseconds * 1000)
    other = LatencyHistogram()
    other.merge(times.counts, times.total)
    speed = other.speed()
    assert speed.moves == 1000
    assert speed.mean == pytest.approx(500.5)
    assert speed.p50 == pytest.approx(500, rel=0.02)
    assert speed.p99 == pytest.approx(990, rel=0.02)
