"""What a seat knows, in cards: its rows, the cards of the street, the boards of the others, what may still come."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct

from triptych.board import ROWS
from triptych.cards import HIDDEN, Card, deck, parse_card
from triptych.rules.model import streets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triptych.deal.views import BoardView, DealView, Task
    from triptych.rules.model import Ruleset

BOARD_CARDS = 13


class Position(Struct, frozen=True):
    """One hand's decision. `rows` = confirmed cards of front, middle, back; `cards` = those of the street.

    `unseen`: every card that the seat does not see, in deck order. `later`: cards that the hand will still receive
    after this street. `opponents`: whole boards that lie open, front first. `unknown`: opponents without one.
    """

    rows: tuple[tuple[Card, ...], ...]
    cards: tuple[Card, ...]
    place: int
    unseen: tuple[Card, ...]
    later: int
    fantasyland: int
    in_row: int
    opponents: tuple[tuple[Card, ...], ...]
    unknown: int

    @property
    def row_bytes(self) -> tuple[bytes, ...]:
        """The confirmed rows as the kernel takes them."""
        return tuple(map(bytes, self.rows))

    @property
    def slots(self) -> int:
        """How many slots stay free when this street is placed."""
        return BOARD_CARDS - sum(map(len, self.rows)) - self.place

    @property
    def seed(self) -> int:
        """For samples: the same position gets the same ones, and the answer follows from what the seat sees."""
        return crc32(bytes(self.cards) + bytes(self.unseen))


def position(rules: Ruleset, view: DealView, task: Task) -> Position:
    """Return the decision that `task` asks for, from the view alone."""
    own = view.boards[task.hand]
    others = [
        board for board in view.boards if board.seat != own.seat and board.status not in ("surrendered", "natural")
    ]
    whole = [cards for board in others if len(cards := _cards(_row_texts(board))) == BOARD_CARDS]
    seen = {card for board in view.boards for card in _cards((*_row_texts(board), *board.draws, *board.discards))}
    cards = _cards(task.cards)
    seen.update(cards)
    return Position(
        rows=tuple(_cards(text for text in getattr(own, row).cards if text not in own.pending) for row in ROWS),
        cards=cards,
        place=task.place,
        unseen=tuple(card for card in deck(rules.deal.jokers) if card not in seen),
        later=0 if own.fantasyland else sum(street.dealt for street in streets(rules)[task.street :]),
        fantasyland=own.fantasyland,
        in_row=own.in_row,
        opponents=tuple(whole),
        unknown=len(others) - len(whole),
    )


def _row_texts(board: BoardView) -> tuple[str, ...]:
    return board.front.cards + board.middle.cards + board.back.cards


def _cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(parse_card(text) for text in texts if text != HIDDEN)
