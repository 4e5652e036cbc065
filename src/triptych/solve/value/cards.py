"""Cards of a view or a position in the kernel's form; unknown ones are left out."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import and_
from typing import Final

from triptych.cards import UNKNOWN_CARD, card_text, deck

DECK_SIZE: Final = 52

# The texts of views and positions are valid; a look-up is faster than parsing.
CARD_BY_TEXT: Final = {card_text(card): card for card in deck(2)}
ABSENT_MASKS: Final = {text: ~(1 << card) for text, card in CARD_BY_TEXT.items()} | {
    UNKNOWN_CARD: -1
}  # a bit for each other card


@lru_cache(maxsize=1 << 13)
def row_mask(texts: tuple[str, ...]) -> tuple[bytes, int]:
    """Return a row's known cards, and a bit for each other card. Cached, since rows recur."""
    cards = bytes([CARD_BY_TEXT[text] for text in texts if text != UNKNOWN_CARD])
    return cards, reduce(and_, [ABSENT_MASKS[text] for text in texts], -1)
