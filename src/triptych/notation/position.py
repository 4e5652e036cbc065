"""A position as one line: `*Kd/7s7h3c/AhAd2c +Qc4s9h -2d | Th/8c8d5s/TcJcQd`, hand by hand, the button last.

`*` marks a hand to act, `+` its cards of the street, `-` its discards, `=14` a fantasyland; `??` is an unknown card.
If the streets of the cards are known, dots in every row separate the cards of each street from the next:
`Kd/7s7h.3c/AhAd..2c` had five cards, then a three, then a deuce.
In a URL it is written `*Kd/7s7h3c/AhAd2c_!Qc4s9h_-2d~Th/8c8d5s/TcJcQd`; both forms can be parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from triptych.board import ROW_CAPACITY, ROWS
from triptych.board_svg import board_html, card_html
from triptych.cards import CARD_FORMS, UNKNOWN_CARD, CardError, normalize_cards, parse_card
from triptych.deal.view_types import BoardView, DealView, RowView
from triptych.notation.errors import NotationError

_HAND = re.compile(
    r"(?P<acts>\*?)(?P<front>[^/ ]*)/(?P<middle>[^/ ]*)/(?P<back>[^/ ]*)"
    r"(?: \+(?P<drawn>[^ ]+))?(?: -(?P<discards>[^ ]+))?(?: =(?P<fantasyland>1[3-7]))?"
)


class PositionHand(Struct, frozen=True, gc=False):
    """One hand of a position; cards are text, `??` unknown.

    `row_counts`: the number of cards in each row after each street; empty if it is not known.
    """

    front: tuple[str, ...] = ()
    middle: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    fantasyland: int = 0
    row_counts: tuple[tuple[int, int, int], ...] = ()

    def __str__(self) -> str:
        """Return the hand's part of a position: `Kd/7s7h3c/AhAd2c +Qc4s9h -2d`."""
        return _hand_text(self)

    def __repr__(self) -> str:
        return f"<PositionHand {self}>"


class Position(Struct, frozen=True, gc=False):
    """The hands on the table, from the button's left, and the indices of those to act."""

    hands: tuple[PositionHand, ...]
    acting: tuple[int, ...] = ()

    def __str__(self) -> str:
        """Return the position as one line, which every function accepts."""
        return position_text(self)

    def __repr__(self) -> str:
        return f"<Position {self}>"

    def _repr_html_(self) -> str:
        return "".join(
            board_html(
                (hand.front, hand.middle, hand.back),
                "to act" if index in self.acting else "",
                "".join(map(card_html, hand.drawn)),
            )
            for index, hand in enumerate(self.hands)
        )


def position_text(position: Position) -> str:
    """Return a position as one line."""
    return " | ".join(
        f"{'*' if index in position.acting else ''}{_hand_text(hand)}" for index, hand in enumerate(position.hands)
    )


def position_link(position: Position) -> str:
    """Return a position in characters that need no escaping in a URL's query or fragment (RFC 3986)."""
    return position_text(position).replace(" | ", "~").replace(" ", "_").replace("+", "!")


def parse_position(text: str) -> Position:
    """Parse a position in either form, with cards as people write them. Raises NotationError with the path."""
    hands: list[PositionHand] = []
    acting: list[int] = []
    plain = normalize_cards(text.removeprefix("\ufeff").replace("~", " | ").replace("_", " ").replace("!", "+"))
    for index, part in enumerate(plain.split("|")):
        match = _HAND.fullmatch(part.strip())
        if match is None:
            message = "write [*]front/middle/back, then +cards, -discards, =fantasyland where there are any"
            raise NotationError("position.hand", message, f"$.hands[{index}]")
        if match["acts"]:
            acting.append(index)
        hands.append(_hand(match, f"$.hands[{index}]"))
    _verify_unique(hands)
    return Position(tuple(hands), tuple(acting))


def position_from_view(view: DealView) -> Position:
    """Return a viewer's position; cards that are arranged but not placed count as drawn."""
    acting = tuple(board.hand for board in view.boards if board.acting)
    return Position(tuple(_hand_from_view(board) for board in view.boards), acting)


def _hand_from_view(board: BoardView) -> PositionHand:
    pending = board.pending
    return PositionHand(
        without_pending(board.front, pending),
        without_pending(board.middle, pending),
        without_pending(board.back, pending),
        pending + board.draws,
        board.discards,
        board.fantasyland,
        board.laid if len(board.laid) > 1 else (),  # with one street there is nothing to separate
    )


def without_pending(row: RowView, pending: tuple[str, ...]) -> tuple[str, ...]:
    """Return a row's cards without those that are arranged but not placed."""
    return tuple(card for card in row.cards if card not in pending) if pending else row.cards


def _hand_text(hand: PositionHand) -> str:
    parts = [
        "/".join(
            _row_text(getattr(hand, row), [counts[index] for counts in hand.row_counts])
            for index, row in enumerate(ROWS)
        )
    ]
    parts += [f"+{''.join(hand.drawn)}"] if hand.drawn else []
    parts += [f"-{''.join(hand.discards)}"] if hand.discards else []
    parts += [f"={hand.fantasyland}"] if hand.fantasyland else []
    return " ".join(parts)


def _row_text(cards: tuple[str, ...], sizes: Sequence[int]) -> str:
    """Return a row with a dot between the cards of one street and the next, without trailing dots."""
    parts = [cards[start:end] for start, end in pairwise((0, *sizes))] or [cards]
    return ".".join(map("".join, parts)).rstrip(".")


def _hand(match: re.Match[str], path: str) -> PositionHand:
    texts = {key: match[key] or "" for key in ("drawn", "discards")}
    texts |= {row: match[row].replace(".", "") for row in ROWS}
    cards = {key: _cards(text, f"{path}.{key}") for key, text in texts.items()}
    for row in ROWS:
        if len(cards[row]) > ROW_CAPACITY[row]:
            message = f"the {row} holds {ROW_CAPACITY[row]} cards; {len(cards[row])} are written"
            raise NotationError("row.size", message, f"{path}.{row}")
    row_counts = _row_counts([match[row].split(".") for row in ROWS], path)
    return PositionHand(**cards, fantasyland=int(match["fantasyland"] or 0), row_counts=row_counts)


def _row_counts(rows: list[list[str]], path: str) -> tuple[tuple[int, int, int], ...]:
    """Return the number of cards in each row after each street; empty if no row has a dot."""
    if not any(len(row) > 1 for row in rows):
        return ()
    if any(len(part) % 2 for row in rows for part in row):
        raise NotationError("position.hand", "a dot stands within a card", path)
    front, middle, back = (
        [sum(map(len, row[: street + 1])) // 2 for street in range(max(map(len, rows)))] for row in rows
    )
    return tuple(zip(front, middle, back, strict=True))


def _cards(text: str, path: str) -> tuple[str, ...]:
    cards = tuple(text[start : start + 2] for start in range(0, len(text), 2))
    for index, card in enumerate(cards):
        try:
            if card != UNKNOWN_CARD:
                parse_card(card)
        except CardError as error:
            raise NotationError(error.code, f"{card!r} is not a card; {CARD_FORMS}", f"{path}[{index}]") from None
    return cards


def _verify_unique(hands: list[PositionHand]) -> None:
    cards: set[str] = set()
    for path, card in _known_cards(hands):
        if card in cards:
            raise NotationError("card.duplicate", "this card is written twice", path)
        cards.add(card)


def _known_cards(hands: list[PositionHand]) -> Iterator[tuple[str, str]]:
    """Yield the paths and texts of the known cards."""
    for index, hand in enumerate(hands):
        for key in (*ROWS, "drawn", "discards"):
            for slot, card in enumerate(getattr(hand, key)):
                if card != UNKNOWN_CARD:
                    yield f"$.hands[{index}].{key}[{slot}]", card
