"""Which table may leave memory: nobody uses it, and nothing goes on there by itself."""

from __future__ import annotations

import asyncio
from typing import Final

from triptych.server.tables.actor import TableActor
from triptych.server.tables.entries import LastUse, TableEntry
from triptych.server.tables.summary import TableSummary
from triptych.table.host import owner

# A guest who has just opened a table may still do something there.
CLOSED_TTL_SECONDS: Final = 5.0
# A table that is due within this time (ms) stays in memory; an unloaded one is loaded half of it before it is due.
MIN_IDLE_MS: Final = 60_000


def touch(entry: TableEntry, actor: TableActor) -> None:
    """Called when somebody asks for a table in memory."""
    entry.last_use = LastUse(actor.state.version, asyncio.get_running_loop().time())


def is_unused(entry: TableEntry, actor: TableActor, idle_seconds: float) -> bool:
    """Return whether nobody has used a table for long enough; a closed one's time is short."""
    state = actor.state
    if actor.subscribers.watchers() or not actor.idle or actor.is_stopped:
        return False
    if state.config.cup and not state.closed:
        return False  # its tournament uses it all the time
    last_use = entry.last_use
    if last_use is None or last_use.version != state.version:
        touch(entry, actor)
        return False
    unused = asyncio.get_running_loop().time() - last_use.since
    return unused >= (min(CLOSED_TTL_SECONDS, idle_seconds) if state.closed else idle_seconds)


def can_evict(entry: TableEntry, actor: TableActor, summary: TableSummary) -> bool:
    """Return whether nothing goes on at an unused table, by its own clock.

    At a table with connected guests, queue a presence check first, once a version.
    """
    state = actor.state
    if state.closed:
        return True
    if summary.here and entry.presence_version != state.version:
        entry.presence_version = state.version
        for player in {owner(state), *(seat.player for seat in state.seats if seat.person)}:
            actor.check_presence(player)
        return False
    # An unloaded table is loaded by the server's clock, not by its own.
    clock = actor.clock
    is_later = summary.due is None or (not clock.ahead and summary.due - clock.now() > MIN_IDLE_MS)
    return is_later and not summary.to_move


def is_due_soon(summary: TableSummary, now: int) -> bool:
    """Return whether a table that is not in memory has something to do soon; `now` in ms."""
    return summary.due is not None and summary.due - now <= MIN_IDLE_MS / 2
