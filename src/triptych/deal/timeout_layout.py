"""The part of an unconfirmed arrangement that stays on a time-out. Rule: Rules §6 (time out)."""

from __future__ import annotations

from msgspec.structs import replace

from triptych.board import EMPTY, Board, RowName
from triptych.deal.state import HandState
from triptych.rulesets.model import Ruleset
from triptych.scoring.partial import row_bounds

BACK_FIRST: tuple[RowName, ...] = ("back", "middle", "front")


def arrangement_to_keep(rules: Ruleset, hand: HandState) -> Board:
    """Return the arranged cards that stay: the back, the middle, the front, each unless it makes a sure foul.

    All of them where the board was a sure foul before.
    """
    if hand.pending == EMPTY or is_foul(rules, hand.board):
        return hand.pending
    layout = EMPTY
    for row in BACK_FIRST:
        candidate = replace_row(layout, row, hand.pending.row(row))
        if not is_foul(rules, hand.board.merged(candidate)):
            layout = candidate
    return layout


def replace_row(board: Board, row: RowName, cards: tuple[int, ...]) -> Board:
    """Return a board with other cards in one row."""
    return replace(board, **{row: cards})


def is_foul(rules: Ruleset, board: Board) -> bool:
    """Return whether a board is a foul already, whatever may still come."""
    _, condemned = row_bounds(rules, board.front, board.middle, board.back)
    return condemned != 0
