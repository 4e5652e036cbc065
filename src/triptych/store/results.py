"""What came of each player's deals, read out of the tables' events and kept beside them: rebuildable, so no truth.

A store knows bytes, no game: a `Line` is one deal of one player, an `Evening` all deals of one player at one table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence


class StoredDealResult(Struct, frozen=True):
    """A player's result in one deal of a table; `at` in ms since the epoch."""

    player: str
    table: str
    deal: int
    at: int
    payload: bytes


class StoredEvening(Struct, frozen=True):
    """A player's results at a table so far; `at`: when the last of them was made (ms)."""

    player: str
    table: str
    at: int
    payload: bytes


class ResultsUpdate(Struct, frozen=True):
    """What the events of a table up to a version have come to: its new lines, and evenings in the place of others."""

    table: str
    version: int
    lines: Sequence[StoredDealResult] = ()
    evenings: Sequence[StoredEvening] = ()


def merge(old: ResultsUpdate | None, new: ResultsUpdate) -> ResultsUpdate:
    """Return two records of a table as one."""
    if old is None:
        return new
    evenings = {one.player: one for one in (*old.evenings, *new.evenings)}
    lines = {(one.player, one.deal): one for one in (*old.lines, *new.lines)}
    return ResultsUpdate(new.table, new.version, tuple(lines.values()), tuple(evenings.values()))


class ResultStore(Protocol):
    """Results by player, each with the version of its table up to which it counts."""

    async def stale_tables(self) -> Sequence[str]:
        """Return the tables that have events beyond what is recorded of them, oldest first."""

    async def projected_version(self, table: str) -> int:
        """Return the version of a table up to which its results are recorded."""

    async def save(self, records: Sequence[ResultsUpdate]) -> None:
        """Store records of different tables, but those deleted (archive.py). They need not be durable at once."""

    async def evenings_at(self, table: str) -> Sequence[StoredEvening]:
        """Return what everybody's evening at a table has come to."""

    async def evening_of(self, player: str, table: str) -> StoredEvening | None:
        """Return what a player's evening at a table has come to, None when it has come to nothing."""

    async def evenings_of(
        self, player: str, limit: int, before: tuple[int, str] | None = None
    ) -> Sequence[StoredEvening]:
        """Return a player's evenings, newest first, after the one of this time and table."""

    async def deals_of(self, player: str, table: str, limit: int, after: int = 0) -> Sequence[StoredDealResult]:
        """Return a player's deals at a table after the one of this number, in order."""

    async def clear(self) -> None:
        """Forget everything recorded; the tables' events are as they were, so it can be made again."""
