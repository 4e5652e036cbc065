"""The sheet of a finished deal: names from the table, points from the scorer, without reasons row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.score.sheet import Cell, ScoreSheet, SheetHand, SheetPair

if TYPE_CHECKING:
    from triptych.deal.state import DealState
    from triptych.room.state import TableState
    from triptych.score.deal import DealScore


def sheet_of(state: TableState, deal: DealState, score: DealScore) -> ScoreSheet:
    """Return the sheet of a finished deal, before stakes and caps."""
    totals = score.totals()
    zero = Cell(0, "")
    hands = tuple(
        SheetHand(
            i,
            hand.seat,
            state.seats[hand.seat].name,
            own.status,
            None,
            None,
            None,
            "",
            sum(own.royalties),
            totals[i],
            own.fantasyland,
            "",
        )
        for i, (hand, own) in enumerate(zip(deal.hands, score.hands, strict=True))
    )
    pairs = tuple(
        SheetPair(
            pair.a,
            pair.b,
            zero,
            zero,
            zero,
            Cell(pair.rows, ""),
            Cell(pair.royalties, ""),
            Cell(pair.other, ""),
            pair.points,
            1,
            Cell(pair.points, ""),
        )
        for pair in score.pairs
        if deal.hands[pair.a].seat != deal.hands[pair.b].seat
    )
    return ScoreSheet(deal.number, hands, pairs, ())
