"""ResultStore in this process's memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from triptych.store.results import ResultsUpdate, StoredDealResult, StoredSessionResult
from triptych.store.types import StoredEvent


class MemoryResults:
    """See ResultStore; `events` are the store's own, by table."""

    def __init__(self, events: Mapping[str, Sequence[StoredEvent]]) -> None:
        self._events = events
        self.gone: set[str] = set()  # tables whose record was deleted
        self._reached: dict[str, int] = {}
        self._lines: dict[tuple[str, str, int], StoredDealResult] = {}
        self._sessions: dict[tuple[str, str], StoredSessionResult] = {}

    async def stale_tables(self) -> Sequence[str]:
        """See ResultStore."""
        versions = ((table, len(events)) for table, events in self._events.items() if table not in self.gone)
        return tuple(table for table, version in versions if version > self._reached.get(table, 0))

    async def projected_version(self, table: str) -> int:
        """See ResultStore."""
        return self._reached.get(table, 0)

    async def save(self, records: Sequence[ResultsUpdate]) -> None:
        """See ResultStore."""
        for record in records:
            if record.table in self.gone:
                continue
            self._lines.update({(one.player, one.table, one.deal): one for one in record.lines})
            self._sessions.update({(one.player, one.table): one for one in record.sessions})
            self._reached[record.table] = record.version

    async def sessions_at(self, table: str) -> Sequence[StoredSessionResult]:
        """See ResultStore."""
        return tuple(one for _, one in sorted(self._sessions.items()) if one.table == table)

    async def session_of(self, player: str, table: str) -> StoredSessionResult | None:
        """See ResultStore."""
        return self._sessions.get((player, table))

    async def sessions_of(
        self, player: str, limit: int, before: tuple[int, str] | None = None
    ) -> Sequence[StoredSessionResult]:
        """See ResultStore."""
        mine = [one for one in self._sessions.values() if one.player == player]
        mine = [one for one in mine if before is None or (one.at, one.table) < before]
        return tuple(sorted(mine, key=lambda one: (one.at, one.table), reverse=True)[:limit])

    async def deals_of(self, player: str, table: str, limit: int, after: int = 0) -> Sequence[StoredDealResult]:
        """See ResultStore."""
        mine = [
            one for one in self._lines.values() if (one.player, one.table) == (player, table) and one.deal > after
        ]
        return tuple(sorted(mine, key=lambda one: one.deal)[:limit])

    async def clear(self) -> None:
        """See ResultStore."""
        self._lines.clear()
        self._sessions.clear()
        self._reached.clear()

    def forget(self, player: str) -> None:
        """Delete a player's results."""
        self._lines = {key: one for key, one in self._lines.items() if one.player != player}
        self._sessions = {key: one for key, one in self._sessions.items() if one.player != player}

    def drop(self, table: str) -> None:
        """Delete a table's results."""
        self._lines = {key: one for key, one in self._lines.items() if one.table != table}
        self._sessions = {key: one for key, one in self._sessions.items() if one.table != table}
        self._reached.pop(table, None)

    def players(self) -> set[str]:
        """Return who has a session."""
        return {one.player for one in self._sessions.values()}
