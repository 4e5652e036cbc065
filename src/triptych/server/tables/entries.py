"""The directory's entry for a table: what this process knows of it, whether it is in memory or not."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final, NamedTuple

from msgspec import Raw

from triptych.server.tables.actor import TableActor
from triptych.server.tables.downtime import Downtime
from triptych.server.tables.summary import TableSummary, decode_json
from triptych.table.host import owner

# A guest who has just opened a table may still do something there.
CLOSED_TTL_SECONDS: Final = 5.0
# A table that is due within this time (ms) stays in memory; an unloaded one is loaded half of it before it is due.
MIN_IDLE_MS: Final = 60_000


class LastUse(NamedTuple):
    """A table's version, and since when it is neither requested nor changed (s, of the loop's clock)."""

    version: int
    since: float


@dataclass(slots=True)
class RemoteTable:
    """A table that another server owns; `unread`: its summary not decoded yet, None when there is none."""

    server: int
    watchers: list[str]
    unread: Raw | None = None
    summary: TableSummary | None = None

    def read(self) -> TableSummary | None:
        """Return the table's summary; None when nothing is known of it or it cannot be decoded."""
        if self.unread is not None:
            self.summary, self.unread = decode_json(self.unread), None
        return self.summary


@dataclass(slots=True)
class TableEntry:
    """A table that is loaded (`actor`), loading, unloaded, remote, corrupt or expired.

    `is_listed`: it is open, as far as is known here. `summary`: of a loaded table when it was last requested, of
    any other as it was last known. `snapshot_version`: the version of the stored snapshot and summary. `downtime`:
    since it was last in memory. `presence_version`: the version at which presence was last checked.
    """

    table: str
    actor: TableActor | None = None
    loading: asyncio.Task[TableActor | None] | None = None
    is_listed: bool = False
    is_corrupt: bool = False
    is_expired: bool = False  # requested after its record was deleted
    summary: TableSummary | None = None
    snapshot_version: int | None = None
    downtime: Downtime | None = None
    remote: RemoteTable | None = None
    last_use: LastUse | None = None
    presence_version: int | None = None

    @property
    def is_unknown(self) -> bool:
        """Return whether nothing is known of the table."""
        flags = self.is_listed or self.is_corrupt or self.is_expired
        return not flags and (self.actor, self.loading, self.remote, self.downtime) == (None, None, None, None)

    @property
    def is_unloaded(self) -> bool:
        """Return whether it is open, in no server's memory, and something is known of it."""
        return self.is_listed and self.actor is None and self.remote is None and self.summary is not None

    def last_summary(self) -> TableSummary | None:
        """Return the summary of an open table that is not in memory here, or None."""
        return (None if self.remote is None else self.remote.read()) or self.summary

    def forget_remote(self) -> None:
        """Called when no other server owns the table any more; its last remote summary is kept."""
        if self.remote is not None:
            summary = self.remote.read()
            if summary is not None and self.is_listed:
                self.summary = summary
            self.remote = None

    def touch(self, actor: TableActor) -> None:
        """Called when somebody asks for the table, which is in memory."""
        self.last_use = LastUse(actor.state.version, asyncio.get_running_loop().time())

    def is_unused(self, actor: TableActor, idle_seconds: float) -> bool:
        """Return whether nobody has used the table for long enough; a closed one's time is short."""
        state = actor.state
        if actor.subscribers.watchers() or not actor.idle or actor.is_stopped:
            return False
        if state.config.cup and not state.closed:
            return False  # its tournament uses it all the time
        last_use = self.last_use
        if last_use is None or last_use.version != state.version:
            self.touch(actor)
            return False
        unused = asyncio.get_running_loop().time() - last_use.since
        return unused >= (min(CLOSED_TTL_SECONDS, idle_seconds) if state.closed else idle_seconds)

    def can_evict(self, actor: TableActor, summary: TableSummary) -> bool:
        """Return whether nothing goes on at the unused table, by its own clock.

        If guests are connected, queue a presence check first, once a version.
        """
        state = actor.state
        if state.closed:
            return True
        if summary.here and self.presence_version != state.version:
            self.presence_version = state.version
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
