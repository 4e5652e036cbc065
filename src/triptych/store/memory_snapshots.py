"""SnapshotStore in this process's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.store.snapshots import Snapshot


class MemorySnapshots:
    """See SnapshotStore."""

    def __init__(self) -> None:
        self._snapshots: dict[str, Snapshot] = {}

    async def of(self, table: str, form: str) -> Snapshot | None:
        """See SnapshotStore."""
        found = self._snapshots.get(table)
        return found if found is not None and found.form == form else None

    async def keep(self, snapshots: Sequence[Snapshot]) -> None:
        """See SnapshotStore."""
        self._snapshots.update({one.table: one for one in snapshots})

    async def clear(self) -> None:
        """See SnapshotStore."""
        self._snapshots.clear()
