"""The clocks of the server, its tables and tournaments, and shuffled decks."""

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

# A process that has not run for so long was stalled: nobody could move then.
STALL_MS: Final = 2000
STALL_CHECK_MS: Final = 500


def steady_ms() -> int:
    """Return milliseconds of a clock that is never set, and that goes on while the computer sleeps."""
    if sys.platform == "linux":
        nanoseconds = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    elif sys.platform == "darwin":  # time.monotonic() stops there while the computer sleeps; this one does not
        nanoseconds = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    else:
        nanoseconds = time.monotonic_ns()
    return nanoseconds // 1_000_000


class SteadyClock:
    """The wall clock's time when the server started, plus the steady time since: it never steps.

    Setting the computer's wall clock, by hand or by the network, changes no player's time at a table. The server
    follows the new time at `sync` (clock_check.py), or when it starts again.
    """

    def __init__(self, wall: Callable[[], int] = time.time_ns, steady: Callable[[], int] = steady_ms) -> None:
        """`wall` in nanoseconds since the epoch; `steady` in milliseconds since any moment."""
        self._wall = wall
        self._steady = steady
        self._offset = 0
        self.sync()

    def now(self) -> int:
        """Return the time in milliseconds since the epoch."""
        return self._steady() + self._offset

    def drift_ms(self) -> int:
        """Return by how much the wall clock was set forward since the last `sync` (ms), below 0 when set back."""
        return self._wall() // 1_000_000 - self.now()

    def sync(self) -> None:
        """Follow the wall clock as it is now."""
        self._offset += self.drift_ms()


SERVER_CLOCK: Final = SteadyClock()
now_ms: Final = SERVER_CLOCK.now


class MonotonicClock:
    """The clock of one table or tournament: the server's, but never earlier than the events there.

    The wall clock may have been wrong then, and corrected since; a server's clock that is set back does not stop
    this one. `ahead`: milliseconds ahead of the server's clock.
    """

    def __init__(self, read: Callable[[], int]) -> None:
        self._read = read
        self._last = read()
        self.ahead = 0

    def now(self) -> int:
        """Return the time in milliseconds since the epoch."""
        reading = self._read()
        if reading < self._last:
            self.ahead += self._last - reading
        self._last = reading
        return reading + self.ahead

    def advance_to(self, at: int) -> None:
        """Continue from a moment (ms) that has been reached before, unless it is past."""
        self.ahead += max(0, at - self.now())


class StallDetector:
    """Notices stalls of the process or the whole computer. `check` is called at least every STALL_CHECK_MS.

    `on_stall` gets the last time before the stall and the first time after it (ms on the server's clock).
    """

    def __init__(self, now: Callable[[], int], steady: Callable[[], int] = steady_ms) -> None:
        self.on_stall: Callable[[int, int], None] = lambda _since, _until: None
        self._now = now
        self._steady = steady
        self._last = steady()
        self._last_at = now()

    def check(self) -> None:
        """Note that the process runs now; called before anything is done that depends on the time."""
        steady = self._steady()
        is_stalled = steady - self._last > STALL_CHECK_MS + STALL_MS
        since, self._last, self._last_at = self._last_at, steady, self._now()
        if is_stalled:
            self.on_stall(since, self._last_at)


class DuplicateDecks:
    """The decks of duplicate leagues: for each match and deal of a league the same one at all of its tables.

    Nobody can predict a card without the server's secret; after a crash the decks are the same again.
    """

    def __init__(self) -> None:
        self._secret = b""

    async def open(self, store: EventStore) -> None:
        """Load the secret; it is made once and stored in the database."""
        self._secret = await store.get_or_create_secret("duplicates", secrets.token_bytes(32))

    def deck(self, league: str, match: int, deal: int, jokers: int) -> tuple[Card, ...]:
        """Return the deck of a deal, in the order of a keyed hash."""
        return tuple(sorted(deck(jokers), key=lambda card: self._sort_key(f"{league} {match} {deal} {card}")))

    def _sort_key(self, name: str) -> bytes:
        assert self._secret  # noqa: S101 - without it the cards are predictable
        return hmac.digest(self._secret, name.encode(), "sha256")


def deck_secret() -> bytes:
    """Return a random secret for the decks of a deal, by the operating system's secure random source."""
    return secrets.token_bytes(SECRET)


def shuffled_deck(jokers: int) -> tuple[Card, ...]:
    """Return a whole deck in random order; every order is equally likely (Fisher-Yates).

    For tables without deck commitment; by the operating system's secure random source.
    """
    cards = list(deck(jokers))
    for last in range(len(cards) - 1, 0, -1):
        other = secrets.randbelow(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)
