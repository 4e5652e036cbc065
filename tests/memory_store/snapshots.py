"""SnapshotStore in this process's memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from triptych.store.types import OpenStream, Snapshot, StoredEvent


class MemorySnapshots:
    """See SnapshotStore; `events`, `ended` are the store's own, by table."""

    def __init__(self, events: Mapping[str, Sequence[StoredEvent]], ended: Collection[str]) -> None:
        self._events = events
        self._ended = ended
        self._snapshots: dict[str, Snapshot] = {}
        self._away: set[str] = set()

    async def get(self, table: str, form: str) -> Snapshot | None:
        """See SnapshotStore."""
        snapshot = self._snapshots.get(table)
        return replace(snapshot, summary=b"") if snapshot is not None and snapshot.form == form else None

    async def save(self, snapshots: Sequence[Snapshot]) -> None:
        """See SnapshotStore."""
        self._snapshots.update(
            {snapshot.table: snapshot for snapshot in snapshots if snapshot.table not in self._away}
        )

    async def open_streams(self) -> Sequence[OpenStream]:
        """See SnapshotStore."""
        none = Snapshot("", 0, "", b"")
        noted = {table: self._snapshots.get(table, none) for table in self._events if table not in self._ended}
        return tuple(
            OpenStream(table, len(self._events[table]), snapshot.version, snapshot.summary)
            for table, snapshot in noted.items()
        )

    async def clear(self) -> None:
        """See SnapshotStore."""
        self._snapshots.clear()

    def drop(self, table: str) -> None:
        """Delete a table's snapshot, for good."""
        self._away.add(table)
        self._snapshots.pop(table, None)
