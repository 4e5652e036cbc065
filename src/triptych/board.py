"""A board: the thirteen places of one hand, in three rows."""

from __future__ import annotations

from typing import ClassVar

from triptych.cards import Card, card_text, parse_card
from triptych.deal.actions import CAPACITY, ROWS, Layout, RowName
from triptych.secret import Discreet


class Board(Discreet, frozen=True):
    """Cards by row, in the order of their slots; also used for the part of a board laid in one street."""

    secret: ClassVar[frozenset[str]] = frozenset(ROWS)

    front: tuple[Card, ...] = ()
    middle: tuple[Card, ...] = ()
    back: tuple[Card, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards: front, middle, back."""
        return self.front + self.middle + self.back

    def row(self, name: RowName) -> tuple[Card, ...]:
        """Return one row's cards."""
        cards: tuple[Card, ...] = getattr(self, name)
        return cards

    def free(self, name: RowName) -> int:
        """Return how many slots of a row are empty."""
        return CAPACITY[name] - len(self.row(name))

    def plus(self, other: Board) -> Board:
        """Return the board with another's cards behind its own, row by row."""
        return Board(self.front + other.front, self.middle + other.middle, self.back + other.back)


EMPTY = Board()


def board_of(layout: Layout) -> Board:
    """Return a layout's cards as a board. Raises CardError when a text is no card."""
    return Board(*(tuple(parse_card(text) for text in getattr(layout, row)) for row in ROWS))


def layout_of(board: Board) -> Layout:
    """Return a board's cards as text by row."""
    return Layout(*(tuple(card_text(card) for card in board.row(row)) for row in ROWS))


def filled(board: Board, cards: tuple[Card, ...], order: tuple[RowName, ...]) -> Board:
    """Return the layout that fills the free slots row after row, in `order`, with `cards` in the order given.

    Cards for which no slot is free are left out.
    """
    rows: dict[str, tuple[Card, ...]] = {}
    for row in order:
        rows[row], cards = cards[: board.free(row)], cards[board.free(row) :]
    return Board(**rows)
