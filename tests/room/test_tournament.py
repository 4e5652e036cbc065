"""Levels of a tournament: what a point is worth, and when the next level comes. Rule: RULEBOOK 6."""

from __future__ import annotations

from tests.room.evening import LOW, PLAIN, Evening
from triptych.room import commands as c
from triptych.room.views import LevelView

DULL = {0: LOW, 1: PLAIN}
BY_DEALS = {"preset": "pineapple", "tournament.levels": "deals:2", "tournament.chips_per_point": [1, 3, 10]}
BY_MINUTES = {**BY_DEALS, "tournament.levels": "minutes:30"}
MINUTE = 60_000


def _won(evening: Evening) -> int:
    """Play a deal and return what Ann's stack gained; points are the same in each."""
    before = evening.state().seats[0].stack
    evening.play()
    return evening.state().seats[0].stack - before


def test_levels_by_deals_raise_what_a_point_is_worth() -> None:
    """Seed 000 L301.1: points are worth chips, settled after each deal."""
    evening = Evening(BY_DEALS, buy_in=200, boards=[DULL] * 5)
    first = _won(evening)
    assert first
    assert [_won(evening) for _ in range(4)] == [first, 3 * first, 3 * first, 10 * first]
    sheet = evening.state().sheet
    assert sheet is not None
    assert [pair.stake for pair in sheet.pairs] == [10]


def test_the_view_tells_the_level_and_the_next() -> None:
    evening = Evening(BY_DEALS, buy_in=200, boards=[DULL] * 5)
    levels = []
    for _ in range(5):
        evening.play()
        levels.append(evening.see("ann").level)
    assert levels[0] == LevelView(number=1, chips=1, next_chips=3, next_deal=3)
    assert levels[2] == LevelView(number=2, chips=3, next_chips=10, next_deal=5)
    assert levels[4] == LevelView(number=3, chips=10)
    assert Evening().see("ann").level is None


def test_levels_by_minutes_begin_with_the_next_deal_and_stand_still_while_the_server_is_away() -> None:
    """Seed 000 L301.2: every half an hour a point is worth more."""
    evening = Evening(BY_MINUTES, buy_in=200, boards=[DULL] * 4)
    first = _won(evening)
    begun = evening.state().started
    assert begun is not None
    assert evening.see("ann").level == LevelView(number=1, chips=1, next_chips=3, next_at=begun + 30 * MINUTE)
    away = evening.state().at
    evening.now = away + 25 * MINUTE
    evening.ask("", c.Resumed(away))
    for player in ("ann", "bob"):
        evening.ask(player, c.Connected())
    assert _won(evening) == first
    evening.now += 31 * MINUTE
    assert _won(evening) == 3 * first


def test_a_pairs_own_stake_counts_in_every_level() -> None:
    evening = Evening(BY_DEALS, buy_in=200, boards=[DULL] * 3)
    first = _won(evening)
    evening.ask("ann", c.OfferStake(1, 2))
    evening.ask("bob", c.OfferStake(0, 2))
    assert _won(evening) == 2 * first
    assert _won(evening) == 6 * first
