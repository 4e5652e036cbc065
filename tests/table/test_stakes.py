"""Stakes of a pair's own: agreed before a deal. Rule: Rules §4; source 003 L17; issue 10, 1.3."""

from __future__ import annotations

from tests.table.evening import LOW, PLAIN, THIRD, Evening
from triptych.table import commands as c

DULL = {0: LOW, 1: PLAIN}
# Ann's and Bob's boards without fantasyland, so that each deal is a match; the stacks are large.
RULES = {"preset": "pineapple", "seats.buy_in_max": 100_000, "settlement.cap": "none"}


def change(evening: Evening) -> int:
    """Play a deal to its end and return what Ann's stack gained in it."""
    before = evening.state().seats[0].stack
    evening.play()
    return evening.state().seats[0].stack - before


def agree(evening: Evening, stake: int) -> None:
    evening.ask("ann", c.OfferStake(1, stake))
    evening.ask("bob", c.OfferStake(0, stake))


def test_what_is_agreed_on_the_last_street_counts_from_the_next_deal_on() -> None:
    """Sources 003 L17.1, 004 L67.1: an amount agreed on before the game. It moved a hundred times the points."""
    evening = Evening(RULES, buy_in=50_000, boards=[DULL] * 4)
    first = change(evening)
    assert first
    evening.begin()
    while any(hand.street < 4 for hand in evening.hands()):
        evening.act()
    agree(evening, 100)
    assert evening.state().talk[-1].text == "Ann and Bob play for 100 a point between them, from the next deal on"
    assert change(evening) == first
    sheet = evening.state().sheet
    assert sheet is not None
    assert [pair.stake for pair in sheet.pairs] == [1]
    assert change(evening) == 100 * first


def test_a_stake_that_is_changed_or_taken_back_in_a_deal_holds_to_its_end() -> None:
    evening = Evening(RULES, buy_in=50_000, boards=[DULL] * 4)
    agree(evening, 10)
    first = change(evening)
    evening.begin()
    agree(evening, 1)
    assert change(evening) == first
    assert change(evening) * 10 == first


def test_an_offer_alone_changes_nothing() -> None:
    evening = Evening(RULES, buy_in=50_000, boards=[DULL] * 3)
    first = change(evening)
    evening.ask("ann", c.OfferStake(1, 50))
    assert change(evening) == first


def test_two_of_three_play_higher_between_them() -> None:
    """Sources 003 L17.6, 004 L67.6: A and B for 100 a unit versus one another, all other pairs for 10."""
    three = {0: LOW, 1: PLAIN, 2: THIRD}
    evening = Evening(RULES, people=3, buy_in=50_000, boards=[three] * 2)
    evening.play()
    before = {(pair.a, pair.b): pair.moved.points for pair in evening.state().sheet.pairs}  # type: ignore[union-attr]
    agree(evening, 10)
    evening.play()
    sheet = evening.state().sheet
    assert sheet is not None
    seats = [hand.seat for hand in sheet.hands]
    stakes = {frozenset((seats[pair.a], seats[pair.b])): pair.stake for pair in sheet.pairs}
    assert stakes == {frozenset((0, 1)): 10, frozenset((0, 2)): 1, frozenset((1, 2)): 1}
    assert before


def test_a_newcomer_does_not_inherit_a_stake() -> None:
    evening = Evening(RULES, buy_in=50_000, boards=[DULL] * 3)
    first = change(evening)
    agree(evening, 7)
    evening.ask("bob", c.Leave())
    evening.ask("cid", c.Sit(1, 50_000))
    assert change(evening) == first
