"""Cards, decks and their text form, shared by all packages.

A card is a small integer, `rank * 4 + suit`, rank 0..12 for 2..A and suit 0..3 for c d h s; the jokers
`X1` and `X2` are 52 and 53. Text form: Rules §1 (`Ah Td 2s`, `X1`, unknown card `??`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NewType

from triptych.errors import TriptychError

Card = NewType("Card", int)

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
JOKERS: Final = (Card(52), Card(53))
UNKNOWN_CARD: Final = "??"

_TEXT: Final = (*(rank + suit for rank in RANKS for suit in SUITS), "X1", "X2")
_CARDS: Final = {text: Card(index) for index, text in enumerate(_TEXT)}
CARD_FORMS: Final = "write rank and suit: Ah, 10d or Td, 2s, Q♥; a joker is X1 or X2"
# Cards as people write them: 10h, qh, QH, Q♥, Q♡.
_CARD_PATTERN: Final = re.compile(r"(10|[2-9TJQKAtjqka])([cdhsCDHS♣♦♥♠♧♢♡♤])|[Xx]([12])")
_SUIT_BY_SIGN: Final = dict(zip("♣♦♥♠♧♢♡♤", SUITS * 2, strict=True))
# Separators of cards, and the selectors that show a suit's sign as text or as an emoji.
_SEPARATORS: Final = re.compile("[\\s,，、\ufeff\ufe0e\ufe0f]+")


class CardError(TriptychError):
    """A text that is not a card, or a card given twice; `index` counts cards from 0."""

    def __init__(self, code: str, message: str, index: int) -> None:
        super().__init__(code, message)
        self.index = index


def deck(jokers: int = 0) -> tuple[Card, ...]:
    """Return the 52 cards in order, followed by 0, 1 or 2 jokers."""
    return tuple(Card(index) for index in range(52 + jokers))


def rank_of(card: Card) -> int:
    """Return 0..12 for 2..A; 13 for a joker."""
    return card >> 2


def suit_of(card: Card) -> int:
    """Return 0..3 for c d h s; meaningless for a joker."""
    return card & 3


def is_joker(card: Card) -> bool:
    """Return whether a card is `X1` or `X2`."""
    return card >= JOKERS[0]


def card_text(card: Card) -> str:
    """Return `Ah`, `Td`, `X1`."""
    return _TEXT[card]


def cards_text(cards: Iterable[Card]) -> str:
    """Return cards as one word: `AhTd2s`."""
    return "".join(map(_TEXT.__getitem__, cards))


def find_card(text: str) -> Card | None:
    """Return the card of its stored text; None when the text is not exactly one card."""
    return _CARDS.get(text)


def parse_card(text: str) -> Card:
    """Read one card in its stored form. Raises CardError (`card.unknown`) when the text is not exactly one card."""
    card = _CARDS.get(text)
    if card is None:
        raise CardError("card.unknown", f"{text!r} is not a card; write rank and suit such as Ah, Td, 2s, or X1", 0)
    return card


def parse_cards(text: str, *, unique: bool = True) -> tuple[Card, ...]:
    """Read cards as people write them, with or without separators: `AhTd2s`, `Ah, 10d, 2S`, `A♥T♦2♠`.

    Raises CardError with the index of the offending card: `card.unknown`, or `card.duplicate` when `unique`.
    """
    word = "".join(text.split())
    try:
        cards = tuple([_CARDS[word[start : start + 2]] for start in range(0, len(word), 2)])
    except KeyError:
        cards = _read(normalize_cards(_SEPARATORS.sub("", word)))
    if unique:
        verify_unique(cards)
    return cards


def _read(word: str) -> tuple[Card, ...]:
    cards: list[Card] = []
    for start in range(0, len(word), 2):
        card = _CARDS.get(piece := word[start : start + 2])
        if card is None:
            raise CardError("card.unknown", f"{piece!r} is not a card; {CARD_FORMS}", len(cards))
        cards.append(card)
    return tuple(cards)


def normalize_cards(text: str) -> str:
    """Return a text with each card as people write it (`10h`, `qh`, `Q♥`) in its stored form (`Th`, `Qh`)."""
    return _CARD_PATTERN.sub(_normalize_match, text)


def _normalize_match(match: re.Match[str]) -> str:
    rank, suit, joker = match.groups()
    if joker:
        return f"X{joker}"
    return ("T" if rank == "10" else rank.upper()) + (_SUIT_BY_SIGN.get(suit) or suit.lower())


def verify_unique(cards: Sequence[Card]) -> None:
    """Raise CardError (`card.duplicate`) when a card occurs twice."""
    known_cards: set[Card] = set()
    for index, card in enumerate(cards):
        if card in known_cards:
            raise CardError("card.duplicate", f"{card_text(card)} is given twice", index)
        known_cards.add(card)
