"""Snapshots of tables: what their events had come to at some version. A cache: nothing is lost with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class Snapshot(Struct, frozen=True):
    """A table at a version; `form`: the version of the payload's form; `summary`: what is to be known of it unopened.

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
    """A table's version now, and the last note about it with the version that it was made at; empty without one."""

    table: str
    version: int
    noted: int = 0
    note: bytes = b""


class SnapshotStore(Protocol):
    """The last snapshot of each table."""

    async def get(self, table: str, form: str) -> Snapshot | None:
        """Return a table's snapshot, without its note; None without one of this form that is what was written."""

    async def save(self, snapshots: Sequence[Snapshot]) -> None:
        """Keep snapshots of different tables in the place of earlier ones. They need not be durable at once."""

    async def open_streams(self) -> Sequence[OpenStream]:
        """Return the tables that have not ended, oldest first; without a note where it is not what was written."""

    async def clear(self) -> None:
        """Delete all of them."""
