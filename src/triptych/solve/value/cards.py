"""Cards of a view or a position as the kernel wants them; unknown ones are left out."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import and_
from typing import Final

from triptych.cards import HIDDEN, card_text, deck

PACK: Final = 52

# A view's and a position's texts are cards: parsing one costs more.
NUMBER: Final = {card_text(card): card for card in deck(2)}
OTHERS: Final = {text: ~(1 << card) for text, card in NUMBER.items()} | {HIDDEN: -1}  # a bit for each other card


@lru_cache(maxsize=1 << 13)
def known_row(texts: tuple[str, ...]) -> tuple[bytes, int]:
    """Return a row's known cards, and a bit for each other card. The same rows are asked for street after street."""
    cards = bytes([NUMBER[text] for text in texts if text != HIDDEN])
    return cards, reduce(and_, [OTHERS[text] for text in texts], -1)
