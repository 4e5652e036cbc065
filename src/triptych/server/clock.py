"""What a table is told from outside: the only clock that rooms know, and shuffled cards."""

from __future__ import annotations

import hmac
import secrets
import sys
import time
from collections.abc import Callable
from typing import Final

from triptych.cards import Card, deck
from triptych.fair.decks import SECRET
from triptych.store.interface import EventStore

# A process that has not been heard of for so long stood still: nobody could move then.
STALL_MS: Final = 2000
STALL_CHECK_MS: Final = 500

if sys.platform == "linux":

    def steady_ms() -> int:
        """Return milliseconds of a clock that is never set, and that goes on while the computer sleeps."""
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
elif sys.platform == "darwin":

    def steady_ms() -> int:
        """Return milliseconds of a clock that is never set, and that goes on while the computer sleeps."""
        # time.monotonic() stands still there while the computer sleeps; this one does not.
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1_000_000
else:

    def steady_ms() -> int:
        """Return milliseconds of a clock that is never set, and that goes on while the computer sleeps."""
        return time.monotonic_ns() // 1_000_000


class SteadyClock:
    """The wall clock as it was when the house opened, and the steady time since: it never steps.

    A wall clock that is set, by hand or by the network, changes nobody's time at a table. The house goes by the new
    time when it is told to (clock_check.py), or when it is opened again.
    """

    def __init__(self, wall: Callable[[], int] = time.time_ns, steady: Callable[[], int] = steady_ms) -> None:
        """`wall` in nanoseconds since the epoch; `steady` in milliseconds since whenever."""
        self._wall = wall
        self._steady = steady
        self._ahead = 0
        self.follow()

    def now(self) -> int:
        """Return the time in milliseconds since the epoch."""
        return self._steady() + self._ahead

    def behind(self) -> int:
        """Return by how much the wall clock has been set forward since (ms), below 0 when it was set back."""
        return self._wall() // 1_000_000 - self.now()

    def follow(self) -> None:
        """Go by the wall clock as it is now."""
        self._ahead += self.behind()


SERVER_CLOCK: Final = SteadyClock()
now_ms: Final = SERVER_CLOCK.now


class MonotonicClock:
    """The clock of one table or tournament: the server's, but it begins no earlier than what has happened there.

    The wall's clock may have been wrong then, and set right meanwhile; one that is set back while it runs does not
    stop it either. `ahead`: of the server's, in milliseconds.
    """

    def __init__(self, reading: Callable[[], int]) -> None:
        self._reading = reading
        self._last = reading()
        self.ahead = 0

    def now(self) -> int:
        """Return the time in milliseconds since the epoch."""
        reading = self._reading()
        if reading < self._last:
            self.ahead += self._last - reading
        self._last = reading
        return reading + self.ahead

    def advance_to(self, at: int) -> None:
        """Go on from a moment (ms) that was seen already, unless it is past."""
        self.ahead += max(0, at - self.now())


class StallDetector:
    """Notices that the process, or the whole computer, stood still. `look` is called at least every BEAT_MS.

    `noticed` gets when it was last known to run and when it was found to run again (ms on the house's clock).
    """

    def __init__(self, now: Callable[[], int], steady: Callable[[], int] = steady_ms) -> None:
        self.on_stall: Callable[[int, int], None] = lambda _since, _until: None
        self._now = now
        self._steady = steady
        self._last = steady()
        self._last_at = now()

    def check(self) -> None:
        """Tell that the process runs now; before anything is done that depends on the time."""
        steady = self._steady()
        still = steady - self._last > STALL_CHECK_MS + STALL_MS
        since, self._last, self._last_at = self._last_at, steady, self._now()
        if still:
            self.on_stall(since, self._last_at)


class DuplicateDecks:
    """The decks of duplicate leagues: for each match and deal of a league the same one at all of its tables.

    Nobody who does not know the house's secret can tell a card of them; after a crash they are the same again.
    """

    def __init__(self) -> None:
        self._secret = b""

    async def open(self, store: EventStore) -> None:
        """Fetch the secret; it is made once and lives in the database."""
        self._secret = await store.get_or_create_secret("duplicates", secrets.token_bytes(32))

    def deck(self, league: str, match: int, deal: int, jokers: int) -> tuple[Card, ...]:
        """Return the deck of a deal; every order is as likely as a keyed hash is random."""
        return tuple(sorted(deck(jokers), key=lambda card: self._sort_key(f"{league} {match} {deal} {card}")))

    def _sort_key(self, name: str) -> bytes:
        assert self._secret  # noqa: S101 - without it anybody could tell the cards
        return hmac.digest(self._secret, name.encode(), "sha256")


def deck_secret() -> bytes:
    """Return what the decks of a deal are made of, by the operating system's secure random source."""
    return secrets.token_bytes(SECRET)


def shuffled_deck(jokers: int) -> tuple[Card, ...]:
    """Return a whole deck in random order; every order is equally likely (Fisher-Yates).

    Where no decks are committed; by the operating system's secure random source.
    """
    cards = list(deck(jokers))
    for last in range(len(cards) - 1, 0, -1):
        other = secrets.randbelow(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)
