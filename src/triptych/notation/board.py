"""A board as one word: `QhQd7c/QsQc9d8c2c/8c9cTcJc2c`, front/middle/back; rows may be short or empty (RULEBOOK 1)."""

from __future__ import annotations

from triptych.board import Board
from triptych.cards import Card, CardError, cards_text, parse_cards
from triptych.deal.actions import CAPACITY, ROWS
from triptych.notation.errors import NotationError


def board_text(board: Board) -> str:
    """Return a board as text; `//` is the empty one."""
    return "/".join(cards_text(board.row(row)) for row in ROWS)


def parse_board(text: str, *, full: bool = False, path: str = "$") -> Board:
    """Read a board; with `full`, one of 13 cards.

    Raises NotationError: `board.rows`, `row.size`, `card.unknown`, `card.duplicate`, with the card's place.
    """
    parts = text.split("/")
    if len(parts) != len(ROWS):
        raise NotationError("board.rows", "write front/middle/back, such as QhQd7c/QsQc9d8c2c/8c9cTcJc2c", path)
    board = Board(*(_row(part, f"{path}.{row}") for row, part in zip(ROWS, parts, strict=True)))
    seen: set[Card] = set()
    for row in ROWS:
        cards = board.row(row)
        if len(cards) > CAPACITY[row] or (full and len(cards) < CAPACITY[row]):
            message = f"the {row} holds {CAPACITY[row]} cards; {len(cards)} are written"
            raise NotationError("row.size", message, f"{path}.{row}")
        for index, card in enumerate(cards):
            if card in seen:
                raise NotationError("card.duplicate", "this card is written twice", f"{path}.{row}[{index}]")
            seen.add(card)
    return board


def _row(text: str, path: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text, unique=False)
    except CardError as error:
        raise NotationError(error.code, error.message, f"{path}[{error.index}]") from None
