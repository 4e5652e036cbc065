"""What came of each player's deals, read out of the tables' events and kept beside them; they can be made again.

A store knows bytes, no game: a `StoredDealResult` is one deal of one player, a `StoredSessionResult` all of their
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
    """A player's results at a table so far; `at`: when the last of them was made (ms)."""

    player: str
    table: str
    at: int
    payload: bytes


class ResultsUpdate(Struct, frozen=True):
    """What the events of a table up to a version have come to: its new lines, and sessions in the place of others."""

    table: str
    version: int
    lines: Sequence[StoredDealResult] = ()
    sessions: Sequence[StoredSessionResult] = ()


def merge(old: ResultsUpdate | None, new: ResultsUpdate) -> ResultsUpdate:
    """Return two records of a table as one."""
    if old is None:
        return new
    sessions = {one.player: one for one in (*old.sessions, *new.sessions)}
    lines = {(one.player, one.deal): one for one in (*old.lines, *new.lines)}
    return ResultsUpdate(new.table, new.version, tuple(lines.values()), tuple(sessions.values()))


class ResultStore(Protocol):
    """Results by player, each with the version of its table up to which it counts."""

    async def stale_tables(self) -> Sequence[str]:
        """Return the tables that have events beyond what is recorded of them, oldest first."""

    async def projected_version(self, table: str) -> int:
        """Return the version of a table up to which its results are recorded."""

    async def save(self, records: Sequence[ResultsUpdate]) -> None:
        """Store records of different tables, but those deleted (archive.py). They need not be durable at once."""

    async def sessions_at(self, table: str) -> Sequence[StoredSessionResult]:
        """Return what everybody's session at a table has come to."""

    async def session_of(self, player: str, table: str) -> StoredSessionResult | None:
        """Return what a player's session at a table has come to, None when it has come to nothing."""

    async def sessions_of(
        self, player: str, limit: int, before: tuple[int, str] | None = None
    ) -> Sequence[StoredSessionResult]:
        """Return a player's sessions, newest first, after the one of this time and table."""

    async def deals_of(self, player: str, table: str, limit: int, after: int = 0) -> Sequence[StoredDealResult]:
        """Return a player's deals at a table after the one of this number, in order."""

    async def clear(self) -> None:
        """Forget everything recorded; the tables' events are as they were, so it can be made again."""
