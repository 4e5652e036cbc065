"""What a process knows of one table, in memory or not: the directory has one entry for each."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import NamedTuple

from msgspec import Raw

from triptych.server.tables.actor import TableActor
from triptych.server.tables.downtime import Downtime
from triptych.server.tables.summary import TableSummary, decode_json


class LastUse(NamedTuple):
    """A table's version, and since when nobody has asked for it nor has it changed (seconds of the loop's clock)."""

    version: int
    since: float


@dataclass(slots=True)
class RemoteTable:
    """A table that another server owns; `unread`: its summary as it came, None when there is none to be read."""

    server: int
    watchers: list[str]
    unread: Raw | None = None
    summary: TableSummary | None = None

    def read(self) -> TableSummary | None:
        """Return the table's summary, or None: nothing is known of it, or it cannot be read."""
        if self.unread is not None:
            self.summary, self.unread = decode_json(self.unread), None
        return self.summary


@dataclass(slots=True)
class TableEntry:
    """A table that is loaded (`actor`), loading, unloaded, remote, corrupt or expired.

    `is_listed`: it is open, as far as is known here. `summary`: of a loaded table when it was last asked for, of
    another one as it was last known. `snapshot_version`: of which the store has snapshot and summary. `downtime`:
    time lost since it was last in memory. `presence_version`: at which it was looked who is still there.
    """

    table: str
    actor: TableActor | None = None
    loading: asyncio.Task[TableActor | None] | None = None
    is_listed: bool = False
    is_corrupt: bool = False
    is_expired: bool = False  # asked for after its record was deleted
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
        """Called when no other server owns the table; how it was told of last is how it is."""
        if self.remote is not None:
            summary = self.remote.read()
            if summary is not None and self.is_listed:
                self.summary = summary
            self.remote = None
