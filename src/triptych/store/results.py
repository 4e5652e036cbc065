"""Results of each player's deals, projected from the tables' events; they can be rebuilt.

Payloads are opaque bytes here: a `StoredDealResult` is one deal of one player, a `StoredSessionResult` all of their
deals at one table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class StoredDealResult(Struct, frozen=True):
    """A player's result in one deal of a table; `at` in ms since the epoch."""

    player: str
    table: str
    deal: int
    at: int
    payload: bytes


class StoredSessionResult(Struct, frozen=True):
    """A player's results at a table so far; `at`: the time of the last one (ms)."""

    player: str
    table: str
    at: int
    payload: bytes


class ResultsUpdate(Struct, frozen=True):
    """The results of a table's events up to a version: new lines, and sessions that replace earlier ones."""

    table: str
    version: int
    lines: Sequence[StoredDealResult] = ()
    sessions: Sequence[StoredSessionResult] = ()


def merge(old: ResultsUpdate | None, new: ResultsUpdate) -> ResultsUpdate:
    """Return two updates of a table as one."""
    if old is None:
        return new
    sessions = {session.player: session for session in (*old.sessions, *new.sessions)}
    lines = {(line.player, line.deal): line for line in (*old.lines, *new.lines)}
    return ResultsUpdate(new.table, new.version, tuple(lines.values()), tuple(sessions.values()))


class ResultStore(Protocol):
    """Results by player, and the version of each table up to which they are recorded."""

    async def stale_tables(self) -> Sequence[str]:
        """Return the tables with events whose results are not recorded yet, oldest first."""

    async def projected_version(self, table: str) -> int:
        """Return the version of a table up to which its results are recorded."""

    async def save(self, records: Sequence[ResultsUpdate]) -> None:
        """Store updates of different tables, except expired ones. They need not be durable at once."""

    async def sessions_at(self, table: str) -> Sequence[StoredSessionResult]:
        """Return the sessions of all players at a table."""

    async def session_of(self, player: str, table: str) -> StoredSessionResult | None:
        """Return a player's session at a table, or None."""

    async def sessions_of(
        self, player: str, limit: int, before: tuple[int, str] | None = None
    ) -> Sequence[StoredSessionResult]:
        """Return a player's sessions, newest first, after the session `before` (its time and table)."""

    async def deals_of(self, player: str, table: str, limit: int, after: int = 0) -> Sequence[StoredDealResult]:
        """Return a player's deals at a table after the deal number `after`, in order."""

    async def clear(self) -> None:
        """Delete all results; they can be rebuilt from the events."""
