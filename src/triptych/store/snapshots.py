"""Snapshots of tables: what their events had come to at some version. A cache: nothing is lost with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence


class Snapshot(Struct, frozen=True):
    """A table at a version; `form`: what can read the payload.

    The payload is never shown in a repr: it holds cards.
    """

    table: str
    version: int
    form: str
    payload: bytes

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({self.table!r}, {self.version}, ??)"


class SnapshotStore(Protocol):
    """The last snapshot of each table."""

    async def of(self, table: str, form: str) -> Snapshot | None:
        """Return a table's snapshot; None when there is none of this form, or it is not what was written."""

    async def keep(self, snapshots: Sequence[Snapshot]) -> None:
        """Keep snapshots of different tables in the place of earlier ones. They need not be durable at once."""

    async def clear(self) -> None:
        """Delete all of them."""
