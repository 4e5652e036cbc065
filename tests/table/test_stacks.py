"""What bots are told of the stacks: as the table pays. Rule: Rules §4, 6; issue 13, part 4."""

from __future__ import annotations

from itertools import combinations

from tests.table.session import LOW, PLAIN, THIRD, Session
from triptych.scoring.settle import Due, settle
from triptych.table import commands as c
from triptych.table.settlement import deal_stacks

THREE = {0: LOW, 1: PLAIN, 2: THIRD}


def test_stacks_and_stakes_settle_as_the_table_does() -> None:
    """Source 003 L17: a pair's own stake; the order of the hands is that of the dues."""
    session = Session({"preset": "pineapple", "settlement.cap": "none"}, people=3, boards=[THREE] * 2)
    session.play()
    session.ask("ann", c.OfferStake(1, 10))
    session.ask("bob", c.OfferStake(0, 10))
    session.begin()
    state = session.state()
    assert state.deal is not None
    stacks = deal_stacks(state, state.deal)
    owners = [hand.seat for hand in state.deal.hands]
    assert stacks.chips == tuple(state.seats[seat].stack for seat in owners)
    assert sorted(stacks.stakes) == [1, 1, 10]
    session.play()
    sheet = session.state().sheet
    assert sheet is not None
    pairs = list(combinations(range(3), 2))
    dues = [
        Due(a, b, pair.points * stake) for (a, b), pair, stake in zip(pairs, sheet.pairs, stacks.stakes, strict=True)
    ]
    paid = settle(dues, stacks.chips, state.config.rules.settlement).stacks
    assert paid == tuple(session.state().seats[seat].stack for seat in owners)


def test_a_level_says_what_a_point_is_worth() -> None:
    rules = {"preset": "pineapple", "tournament.levels": "deals:1", "tournament.chips_per_point": [2, 5]}
    session = Session({**rules, "seats.buy_in_min": 200}, buy_in=200, boards=[{0: LOW, 1: PLAIN}] * 2)
    session.begin()
    state = session.state()
    assert state.deal is not None
    assert (deal_stacks(state, state.deal).point, deal_stacks(state, state.deal).stakes) == (2, (2,))
    session.play()
    session.begin()
    state = session.state()
    assert state.deal is not None
    assert (deal_stacks(state, state.deal).point, deal_stacks(state, state.deal).stakes) == (5, (5,))


def test_with_a_bankroll_ledger_bots_get_no_stacks() -> None:
    session = Session({"preset": "pineapple", "settlement.credit": True}, buy_in=0, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    state = session.state()
    assert state.deal is not None
    assert deal_stacks(state, state.deal).chips == ()
