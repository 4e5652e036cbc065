"""Decks from a seed: the same cards here and in a browser that plays by itself (docs/reference/links.md).

Not for tables: the seed gives the deck away. The generator is xoshiro256** (Blackman and Vigna 2018), seeded
by splitmix64 as the kernel seeds its own (native/include/triptych/play/random.hpp).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from triptych.cards import Card, deck

_WORD: Final = (1 << 64) - 1
_STREAM: Final = 0x632BE59BD9B4E019
_STEP: Final = 0x9E3779B97F4A7C15


def seeded_deck(seed: int, number: int = 0, jokers: int = 0) -> tuple[Card, ...]:
    """Return the deck with that number of a match, top card first; `seed` and `number` have 64 bits.

    >>> from triptych.cards import card_text
    >>> " ".join(card_text(card) for card in seeded_deck(1)[:5])
    '7c 3d Kc Jc 3s'
    """
    pack = [int(card) for card in deck(jokers)]
    draws = _draws(seed, number)
    order: list[Card] = []
    while pack:
        pick = (next(draws) >> 32) * len(pack) >> 32
        order.append(Card(pack[pick]))
        pack[pick] = pack[-1]
        pack.pop()
    return tuple(order)


def _draws(seed: int, stream: int) -> Iterator[int]:
    mixed = _split(seed) ^ _split((stream + _STREAM) & _WORD)
    state: list[int] = []
    for _ in range(4):
        mixed = (mixed + _STEP) & _WORD
        state.append(_split(mixed))
    a, b, c, d = state
    while True:
        yield _rotated(b * 5 & _WORD, 7) * 9 & _WORD
        c, d = c ^ a, d ^ b
        a, b, c, d = a ^ d, b ^ c, c ^ (b << 17 & _WORD), _rotated(d, 45)


def _split(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> 64 - bits) & _WORD
