"""What a table is told from outside: the wall clock, the only one that rooms know, and shuffled cards."""

from __future__ import annotations

import secrets
import time

from triptych.cards import Card, deck


def now_ms() -> int:
    """Return the time in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def shuffled(jokers: int) -> tuple[Card, ...]:
    """Return a whole deck in random order; every order is equally likely (Fisher-Yates).

    The only place where cards come from, by the operating system's secure random source.
    """
    cards = list(deck(jokers))
    for last in range(len(cards) - 1, 0, -1):
        other = secrets.randbelow(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)
