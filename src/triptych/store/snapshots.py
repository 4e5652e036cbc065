"""Snapshots of tables: their state at some version. They are a cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class Snapshot(Struct, frozen=True):
    """A table at a version; `form`: the version of the payload's format; `summary`: shown while it is not loaded.

    The payload is never shown in a repr: it holds cards.
    """

    table: str
    version: int
    form: str
    payload: bytes
    summary: bytes = b""

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({self.table!r}, {self.version}, ??)"


class OpenStream(Struct, frozen=True):
    """A table's current version, and its last summary (`note`) with the summary's version; empty without one."""

    table: str
    version: int
    noted: int = 0
    note: bytes = b""


class SnapshotStore(Protocol):
    """The last snapshot of each table."""

    async def get(self, table: str, form: str) -> Snapshot | None:
        """Return a table's snapshot, without its summary; None when it is missing, corrupt or of another format."""

    async def save(self, snapshots: Sequence[Snapshot]) -> None:
        """Save snapshots of different tables, replacing earlier ones. They need not be durable at once."""

    async def open_streams(self) -> Sequence[OpenStream]:
        """Return the tables that have not ended, oldest first; without a summary where it is corrupt."""

    async def clear(self) -> None:
        """Delete all snapshots."""
