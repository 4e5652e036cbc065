"""How a table pays what was counted: the bank, the loss limit, two players' four boards. Rule: Rules §4, 6."""

from __future__ import annotations

import pytest

from tests.table.session import LAND, LOW, PLAIN, THIRD, Session
from triptych.table.events import DealBegan

THREE = {0: LOW, 1: PLAIN, 2: THIRD}
BANK = {"preset": "pineapple", "scoring.pairs": "banker", "fantasyland.kind": "none"}


def test_the_bank_moves_with_the_button_and_is_played_alone() -> None:
    """Rules §4, `scoring.pairs = banker`."""
    session = Session(BANK, people=3, boards=[THREE] * 3)
    met = []
    for _ in range(3):
        session.play()
        sheet = session.see("ann").sheet
        assert sheet is not None
        met.append({frozenset((sheet.hands[pair.a].seat, sheet.hands[pair.b].seat)) for pair in sheet.pairs})
        changes = {stack.seat: stack.change for stack in sheet.stacks}
        assert sum(changes.values()) == 0
        points = {hand.seat: hand.points for hand in sheet.hands}
        assert points == changes
    buttons = [event.event.button for event in session.log if isinstance(event.event, DealBegan)]
    assert buttons == [2, 0, 1]
    assert met == [{frozenset((bank, other)) for other in range(3) if other != bank} for bank in buttons]


@pytest.mark.parametrize("seed", range(3))
def test_nobody_loses_more_than_the_limit(seed: int) -> None:
    """Rules §4, `settlement.loss_limit`: in a deal, whatever the stacks are."""
    rules = {"preset": "pineapple", "settlement.loss_limit": 5, "scoring.scoop_doubles": True}
    session = Session(rules, people=3, buy_in=200, seed=seed)
    cut = 0
    for _ in range(8):
        session.play()
        sheet = session.see("ann").sheet
        assert sheet is not None
        assert min(stack.change for stack in sheet.stacks) >= -5
        assert sum(stack.change for stack in sheet.stacks) == 0
        cut += sum("nobody loses more than 5 points" in pair.moved.why for pair in sheet.pairs)
    assert cut > 0


def test_the_limit_counts_points_where_the_stacks_count_chips() -> None:
    """A level of a tournament makes a point worth ten chips: who may lose five points may lose fifty chips."""
    rules = {
        "preset": "pineapple",
        "settlement.loss_limit": 5,
        "tournament.levels": "deals:9",
        "tournament.chips_per_point": [10],
        "seats.buy_in_min": 200,
        "fantasyland.kind": "none",
    }
    session = Session(rules, buy_in=200, boards=[{0: LAND, 1: PLAIN}])
    session.play()
    sheet = session.see("ann").sheet
    assert sheet is not None
    # A scoop and the queens' royalty, 6 + 7 points: 130 chips, of which 50 may be lost.
    assert [(pair.points, pair.moved.points) for pair in sheet.pairs] == [(13, 50)]


@pytest.mark.parametrize("seed", range(4))
def test_two_players_are_paid_what_their_boards_come_to(seed: int) -> None:
    """Rules §4; source 002 L7.3: the four boards are netted, and then nobody loses more than was brought."""
    session = Session({"preset": "criss_cross", "seats.buy_in_min": 1}, buy_in=3, seed=seed)
    bust = False
    for _ in range(6):
        brought = dict(enumerate(session.stacks()))
        if 0 in (brought[0], brought[1]):
            break
        session.play()
        sheet = session.see("ann").sheet
        assert sheet is not None
        owed = sum(hand.points for hand in sheet.hands if hand.seat == 0)
        least = min(brought[0], brought[1])
        change = next(stack.change for stack in sheet.stacks if stack.seat == 0)
        assert change == max(-least, min(least, owed))
        bust = bust or abs(owed) > least
    assert bust
