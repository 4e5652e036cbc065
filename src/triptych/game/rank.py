"""The rank of three or five cards, as a value with an order and a name."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from triptych import _kernel
from triptych.cards import Card, is_joker
from triptych.rulesets.load import resolve
from triptych.scoring.partial import row_bounds
from triptych.scoring.sheet.hand_names import rank_name, value_name

# Five cards as a low without a limit; jokers stand for any card.
_LOW: Final = {"preset": "closed_low_middle", "deal.jokers": 2}
_HIGH: Final = "pineapple_joker"
_FRONT: Final = 3


class Rank(Struct, frozen=True, order=True):
    """The rank of three or five cards: compare two with `<` and `==`; the higher of two lows is the better one.

    >>> import triptych
    >>> triptych.rank("KsKhKd2c2d").name
    'Full house, kings over deuces'
    """

    value: int
    low: bool = False

    @property
    def name(self) -> str:
        """The name of the rank."""
        return value_name(resolve(_LOW), "middle", self.value) if self.low else rank_name(self.value)

    def __repr__(self) -> str:
        return f"<Rank {self.name}>"


# The shared Rank of a tuple or list of three or five different numbers of real cards; None for any other object.
known_rank: Final = _kernel.known_ranks(Rank)


def rank_of_cards(cards: tuple[Card, ...], *, low: bool = False) -> Rank:
    """Return the rank of three or five different cards."""
    if low or any(is_joker(card) for card in cards):
        rules = resolve(_LOW if low else _HIGH)
        row = 1 if low else 0 if len(cards) == _FRONT else 2
        rows: list[tuple[Card, ...]] = [(), (), ()]
        rows[row] = cards
        return Rank(row_bounds(rules, *rows)[0][row][1], low)
    return Rank((_kernel.rank3 if len(cards) == _FRONT else _kernel.rank5)(*cards))
