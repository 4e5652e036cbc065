"""The only place where cards come from: an unbiased shuffle by the operating system's secure random source."""

from __future__ import annotations

import secrets

from triptych.cards import Card, deck


def shuffled(jokers: int) -> tuple[Card, ...]:
    """Return a whole deck in random order; every order is equally likely (Fisher-Yates)."""
    cards = list(deck(jokers))
    for last in range(len(cards) - 1, 0, -1):
        other = secrets.randbelow(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)
