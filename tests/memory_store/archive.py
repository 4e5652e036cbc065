"""ArchiveStore in this process's memory, where a table that is put away stays where it was."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from tests.memory_store.credentials import MemoryCredentials
from tests.memory_store.results import MemoryResults
from tests.memory_store.reviews import MemoryReviews
from tests.memory_store.snapshots import MemorySnapshots
from triptych.store.archive.interface import MAX_GUESTS, Counts
from triptych.store.archive.rows import net_postings
from triptych.store.errors import RecordExpiredError
from triptych.store.journal.batch import CommandId
from triptych.store.types import Posting, StoredEvent, StoredSheet


class MemoryTables(NamedTuple):
    """What a store in memory has of tables: its own dictionaries."""

    events: dict[str, list[StoredEvent]]
    ended: set[str]
    answers: dict[CommandId, bytes]
    postings: list[tuple[str, Posting]]
    deals: dict[str, list[StoredSheet]]


class _PutAway(NamedTuple):
    version: int
    at: int


class MemoryArchive:
    """See ArchiveStore."""

    def __init__(
        self,
        tables: MemoryTables,
        snapshots: MemorySnapshots,
        records: MemoryResults,
        people: MemoryCredentials,
        reviews: MemoryReviews,
    ) -> None:
        self._reviews = reviews
        self._tables = tables
        self._snapshots = snapshots
        self._records = records
        self._people = people
        self._away: dict[str, _PutAway] = {}
        self._idle: dict[str, int] = {}
        self.gone: Final[set[str]] = records.gone

    def verify_not_archived(self, table: str) -> None:
        """Raise Expired when a table's record was deleted."""
        if table in self.gone:
            raise RecordExpiredError(table)

    async def unarchived(self) -> Sequence[str]:
        """See ArchiveStore."""
        return tuple(
            table
            for table, events in self._tables.events.items()
            if table in self._tables.ended
            and table not in self.gone
            and len(events) > self._away.get(table, _PutAway(0, 0)).version
        )

    async def archive(self, table: str, version: int, at: int) -> bool:
        """See ArchiveStore."""
        tables = self._tables
        if table in self.gone or table not in tables.ended or len(tables.events[table]) != version:
            return False
        self._away.setdefault(table, _PutAway(version, at))
        if self._away[table].version != version:
            self._away[table] = _PutAway(version, at)
        self._forget_answers(table)
        return True

    async def ended_before(self, at: int, limit: int) -> Sequence[str]:
        """See ArchiveStore."""
        due = sorted(
            (archived.at, table)
            for table, archived in self._away.items()
            if archived.at < at and table not in self.gone
        )
        return tuple(table for _, table in due[:limit])

    async def expire(self, table: str) -> None:
        """See ArchiveStore."""
        archived, tables = self._away.get(table), self._tables
        if archived is None or table in self.gone or len(tables.events[table]) != archived.version:
            return
        self.gone.add(table)
        left = net_postings(posting for owner, posting in tables.postings if owner == table)
        tables.postings[:] = [each for each in tables.postings if each[0] != table]
        tables.postings.extend((table, posting) for posting in left)
        tables.events[table] = [StoredEvent("sealed", None, b"", version=n) for n in range(1, archived.version + 1)]
        tables.deals.pop(table, None)
        self._forget_answers(table)
        self._snapshots.drop(table)
        self._records.drop(table)
        self._reviews.drop(table=table)

    def _forget_answers(self, table: str) -> None:
        for key in [key for key in self._tables.answers if key[0] == table]:
            del self._tables.answers[key]

    async def expired(self) -> Sequence[str]:
        """See ArchiveStore."""
        return tuple(sorted(self.gone, key=lambda table: (self._away[table].at, table)))

    async def compact(self) -> None:
        """See ArchiveStore; here nothing is ever left over."""

    async def counts(self) -> Counts:
        """See ArchiveStore."""
        return Counts(len(self._away.keys() - self.gone), len(self._idle))

    async def delete_inactive_guests(
        self, at: int, before: int, but: Collection[str], limit: int = MAX_GUESTS
    ) -> int:
        """See ArchiveStore."""
        players = self._people.known() - self._records.players() - set(but)
        due = sorted((self._idle.get(player, at), player) for player in players)
        inactive = [player for since, player in due[:limit] if since < before]
        self._idle = {player: self._idle.get(player, at) for player in players if player not in inactive}
        for player in inactive:
            self._people.drop_all(player)
        return len(inactive)
