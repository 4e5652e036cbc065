"""What the source texts state of an evening, where no other test of the room shows it."""

from __future__ import annotations

import pytest

from tests.table.evening import LOW, PLAIN, Evening
from triptych.deal.engine import acting_hands
from triptych.table import commands as c


@pytest.mark.parametrize("gone", [False, True])
@pytest.mark.parametrize("preset", ["ofc_russian", "pineapple"])
def test_who_ran_out_of_time_may_still_win(preset: str, gone: bool) -> None:  # noqa: FBT001 - of a table
    """Laid out into the back, then the middle, then the front; the deal counts, is no foul by itself, and wins.

    Sources 000 L94.2-3, 002 L31.7.
    """
    evening = Evening({"preset": preset, "clock.seconds": 30, "clock.bank": 60}, boards=[{0: LOW, 1: PLAIN}])
    evening.begin()
    if gone:
        evening.ask("bob", c.Disconnected())
    filled = []
    while not evening.state().settled:
        deal = evening.state().deal
        assert deal is not None
        if deal.hands[acting_hands(deal)[0]].seat == 0:
            evening.act()
        else:
            evening.strike()
            board = evening.see("ann").deal.boards[1]  # type: ignore[union-attr]
            filled.append((len(board.back.cards), len(board.middle.cards), len(board.front.cards)))
    assert filled == sorted(filled)
    assert all(back == 5 or not middle for back, middle, _ in filled)
    assert all(middle == 5 or not front for _, middle, front in filled)
    sheet = evening.see("ann").sheet
    assert sheet is not None
    assert sheet.hands[1].status == "legal"
    assert (sheet.pairs[0].a, sheet.pairs[0].points) == (0, -1)  # Bob wins front and middle
    assert evening.stacks()[:2] == (99, 101)
