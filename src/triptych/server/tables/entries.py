"""The directory's entry for a table: what this process knows of it, whether it is in memory or not."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import NamedTuple

from msgspec import Raw

from triptych.server.tables.actor import TableActor
from triptych.server.tables.downtime import Downtime
from triptych.server.tables.summary import TableSummary, decode_json


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
