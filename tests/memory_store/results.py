"""ResultStore in this process's memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from triptych.store.types import ResultsUpdate, StoredDealResult, StoredEvent, StoredSessionResult


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
            self._lines.update({(line.player, line.table, line.deal): line for line in record.lines})
            self._sessions.update({(session.player, session.table): session for session in record.sessions})
            self._reached[record.table] = record.version

    async def sessions_at(self, table: str) -> Sequence[StoredSessionResult]:
        """See ResultStore."""
        return tuple(session for _, session in sorted(self._sessions.items()) if session.table == table)

    async def session_of(self, player: str, table: str) -> StoredSessionResult | None:
        """See ResultStore."""
        return self._sessions.get((player, table))

    async def sessions_of(
        self, player: str, limit: int, before: tuple[int, str] | None = None
    ) -> Sequence[StoredSessionResult]:
        """See ResultStore."""
        mine = [session for session in self._sessions.values() if session.player == player]
        mine = [session for session in mine if before is None or (session.at, session.table) < before]
        return tuple(sorted(mine, key=lambda session: (session.at, session.table), reverse=True)[:limit])

    async def deals_of(self, player: str, table: str, limit: int, after: int = 0) -> Sequence[StoredDealResult]:
        """See ResultStore."""
        mine = [
            line
            for line in self._lines.values()
            if (line.player, line.table) == (player, table) and line.deal > after
        ]
        return tuple(sorted(mine, key=lambda line: line.deal)[:limit])

    async def clear(self) -> None:
        """See ResultStore."""
        self._lines.clear()
        self._sessions.clear()
        self._reached.clear()

    def forget(self, player: str) -> None:
        """Delete a player's results."""
        self._lines = {key: line for key, line in self._lines.items() if line.player != player}
        self._sessions = {key: session for key, session in self._sessions.items() if session.player != player}

    def drop(self, table: str) -> None:
        """Delete a table's results."""
        self._lines = {key: line for key, line in self._lines.items() if line.table != table}
        self._sessions = {key: session for key, session in self._sessions.items() if session.table != table}
        self._reached.pop(table, None)

    def players(self) -> set[str]:
        """Return who has a session."""
        return {session.player for session in self._sessions.values()}
