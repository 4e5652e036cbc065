"""What the source texts state of a session, where no other test of tables shows it."""

from __future__ import annotations

import pytest

from tests.table.session import LOW, PLAIN, Session
from triptych.deal.engine import acting_hands
from triptych.table import commands as c


@pytest.mark.parametrize("gone", [False, True])
@pytest.mark.parametrize("preset", ["ofc_russian", "pineapple"])
def test_a_timed_out_player_can_still_win(preset: str, gone: bool) -> None:  # noqa: FBT001 - of a table
    """Laid out into the back, then the middle, then the front; the deal counts, is not a foul by itself, and wins.

    Sources 000 L94.2-3, 002 L31.7.
    """
    session = Session({"preset": preset, "clock.seconds": 30, "clock.bank": 60}, boards=[{0: LOW, 1: PLAIN}])
    session.begin()
    if gone:
        session.ask("bob", c.Disconnected())
    filled = []
    while not session.state().settled:
        deal = session.state().deal
        assert deal is not None
        if deal.hands[acting_hands(deal)[0]].seat == 0:
            session.act()
        else:
            session.strike()
            board = session.see("ann").deal.boards[1]  # type: ignore[union-attr]
            filled.append((len(board.back.cards), len(board.middle.cards), len(board.front.cards)))
    assert filled == sorted(filled)
    assert all(back == 5 or not middle for back, middle, _ in filled)
    assert all(middle == 5 or not front for _, middle, front in filled)
    sheet = session.see("ann").sheet
    assert sheet is not None
    assert sheet.hands[1].status == "legal"
    assert (sheet.pairs[0].a, sheet.pairs[0].points) == (0, -1)  # Bob wins front and middle
    assert session.stacks()[:2] == (99, 101)
