"""Which table may leave memory: nobody uses it, and nothing goes on there by itself."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

from triptych.server.clock import MonotonicClock
from triptych.server.tables.actor import TableActor
from triptych.server.tables.summary import TableSummary
from triptych.table.host import owner

# Whoever has just found a table may still do something there.
CLOSED_TTL_SECONDS: Final = 5.0
# A table whose time comes that soon (ms) does not go to sleep, and is up half of it before.
MIN_IDLE_MS: Final = 60_000


class _LastUse(NamedTuple):
    """A table's version, and since when nobody has asked for it nor has it changed (seconds of the loop's clock)."""

    version: int
    since: float


class EvictionPolicy:
    """When tables were used last; `after`: seconds without any use."""

    def __init__(self, after: float) -> None:
        self.after = after
        self._used: dict[str, _LastUse] = {}
        self._looked: dict[str, int] = {}  # the version at which it was looked who is still there

    def touch(self, live: TableActor) -> None:
        """Called when somebody asks for a table."""
        self._used[live.id] = _LastUse(live.state.version, asyncio.get_running_loop().time())

    def forget(self, table: str) -> None:
        """Called when a table is not in memory any more."""
        self._used.pop(table, None)
        self._looked.pop(table, None)

    def is_unused(self, live: TableActor) -> bool:
        """Return whether nobody has used a table for long enough; a closed one's time is short."""
        state = live.state
        if live.audience.watchers() or not live.idle or live.is_stopped:
            return False
        if state.config.cup and not state.closed:
            return False  # its tournament looks after it all the time
        used = self._used.get(live.id)
        if used is None or used.version != state.version:
            self.touch(live)
            return False
        unused = asyncio.get_running_loop().time() - used.since
        return unused >= (min(CLOSED_TTL_SECONDS, self.after) if state.closed else self.after)

    def can_evict(self, live: TableActor, glance: TableSummary, clock: MonotonicClock) -> bool:
        """Return whether nothing goes on at an unused table, by its own clock.

        It may be looked first who is there.
        """
        state = live.state
        if state.closed:
            return True
        if glance.here and self._looked.get(live.id) != state.version:
            self._looked[live.id] = state.version
            for player in {owner(state), *(seat.player for seat in state.seats if seat.person)}:
                live.check_presence(player)
            return False
        # One that sleeps is woken by the server's clock.
        is_later = glance.due is None or (not clock.ahead and glance.due - clock.now() > MIN_IDLE_MS)
        return is_later and not glance.to_move


def is_due_soon(glance: TableSummary, now: int) -> bool:
    """Return whether a table that sleeps has something to do soon; `now` in ms."""
    return glance.due is not None and glance.due - now <= MIN_IDLE_MS / 2
