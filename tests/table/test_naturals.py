"""Naturals at a table: kept when time runs out, and paid before every other transfer. Rules §4; source 003 L41."""

from __future__ import annotations

from tests.table.session import Session
from triptych.deal.events import NaturalShown
from triptych.table import commands as c
from triptych.table.events import DealSettled

SHORT = {"preset": "closed_1_6", "seats.buy_in_min": 3, "settlement.cap": "none"}
# Ann scoops Cid, 6; Bob was dealt six pairs, 3 from each; Cid has brought 3.
BOARDS = {
    0: "KcKd3d/QcQdQh6c2c/TcTdThJcJd",
    1: "2d4s4h/5s5h7s7h8s/8h9s9hAsAh",
    2: "8c6h3c/9c9dKs6s2h/JsJh8d5c3h",
}


def session_of_three() -> Session:
    session = Session(SHORT, people=0, boards=[BOARDS])
    for seat, (player, stack) in enumerate((("ann", 100), ("bob", 100), ("cid", 3))):
        session.ask(player, c.Sit(seat, stack))
    return session


def test_a_short_stack_pays_a_natural_first() -> None:
    """Seats in position order: Ann, Bob, Cid, so that Ann's scoop stands before Bob's natural from Cid."""
    session = session_of_three()
    session.begin()
    assert [hand.seat for hand in session.hands()] == [0, 1, 2]
    session.play()
    (sheet,) = (event.event.sheet for event in session.log if isinstance(event.event, DealSettled))
    assert {(pair.a, pair.b): (pair.points, pair.moved.points) for pair in sheet.pairs} == {
        (0, 1): (-3, -3),
        (0, 2): (6, 0),
        (1, 2): (3, 3),
    }
    assert [stack.after for stack in sheet.stacks] == [97, 106, 0]


def test_a_natural_is_kept_when_time_runs_out() -> None:
    """Nobody touches a card: the clock shows Bob's six pairs and lays out the others' boards."""
    session = session_of_three()
    session.begin()
    while not session.state().settled:
        session.strike()
    naturals = [event.event for event in session.log if isinstance(event.event, NaturalShown)]
    assert [(board.hand, board.natural) for board in naturals] == [(1, "six_pairs")]
