"""Stakes of a pair's own: agreed before a deal. Rule: Rules §4; source 003 L17; issue 10, 1.3."""

from __future__ import annotations

from tests.table.session import LOW, PLAIN, THIRD, Session
from triptych.table import commands as c

DULL = {0: LOW, 1: PLAIN}
# Ann's and Bob's boards without fantasyland, so that each deal is a match; the stacks are large.
RULES = {"preset": "pineapple", "seats.buy_in_max": 100_000, "settlement.cap": "none"}


def change(session: Session) -> int:
    """Play a deal to its end and return what Ann's stack gained in it."""
    before = session.state().seats[0].stack
    session.play()
    return session.state().seats[0].stack - before


def agree(session: Session, stake: int) -> None:
    session.ask("ann", c.OfferStake(1, stake))
    session.ask("bob", c.OfferStake(0, stake))


def test_a_stake_agreed_on_the_last_street_counts_from_the_next_deal() -> None:
    """Sources 003 L17.1, 004 L67.1: an amount agreed on before the game. It moved a hundred times the points."""
    session = Session(RULES, buy_in=50_000, boards=[DULL] * 4)
    first = change(session)
    assert first
    session.begin()
    while any(hand.street < 4 for hand in session.hands()):
        session.act()
    agree(session, 100)
    assert session.state().talk[-1].text == "Ann and Bob play for × 100 from the next deal"
    assert change(session) == first
    sheet = session.state().sheet
    assert sheet is not None
    assert [pair.stake for pair in sheet.pairs] == [1]
    assert change(session) == 100 * first


def test_a_stake_that_is_changed_or_taken_back_in_a_deal_holds_to_its_end() -> None:
    session = Session(RULES, buy_in=50_000, boards=[DULL] * 4)
    agree(session, 10)
    first = change(session)
    session.begin()
    agree(session, 1)
    assert change(session) == first
    assert change(session) * 10 == first


def test_an_offer_alone_changes_nothing() -> None:
    session = Session(RULES, buy_in=50_000, boards=[DULL] * 3)
    first = change(session)
    session.ask("ann", c.OfferStake(1, 50))
    assert change(session) == first


def test_two_of_three_play_higher_between_them() -> None:
    """Sources 003 L17.6, 004 L67.6: A and B for 100 a unit versus one another, all other pairs for 10."""
    three = {0: LOW, 1: PLAIN, 2: THIRD}
    session = Session(RULES, people=3, buy_in=50_000, boards=[three] * 2)
    session.play()
    before = {(pair.a, pair.b): pair.moved.points for pair in session.state().sheet.pairs}  # type: ignore[union-attr]
    agree(session, 10)
    session.play()
    sheet = session.state().sheet
    assert sheet is not None
    seats = [hand.seat for hand in sheet.hands]
    stakes = {frozenset((seats[pair.a], seats[pair.b])): pair.stake for pair in sheet.pairs}
    assert stakes == {frozenset((0, 1)): 10, frozenset((0, 2)): 1, frozenset((1, 2)): 1}
    assert before


def test_a_newcomer_does_not_inherit_a_stake() -> None:
    session = Session(RULES, buy_in=50_000, boards=[DULL] * 3)
    first = change(session)
    agree(session, 7)
    session.ask("bob", c.Leave())
    session.ask("cid", c.Sit(1, 50_000))
    assert change(session) == first
