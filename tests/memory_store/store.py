"""A store in this process's memory; gone when the process ends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final

from tests.memory_store.archive import MemoryArchive, MemoryTables
from tests.memory_store.credentials import MemoryCredentials
from tests.memory_store.daily import MemoryDailyResults
from tests.memory_store.leases import MemoryLeases
from tests.memory_store.results import MemoryResults
from tests.memory_store.reviews import MemoryReviews
from tests.memory_store.snapshots import MemorySnapshots
from triptych.store.journal.batch import CommandId, Outcome, command_id_of, resolve_batch
from triptych.store.journal.group_commit import GroupCommit
from triptych.store.leases.interface import ServerInfo
from triptych.store.types import Append, IdempotencyKey, Player, Posting, StoredEvent, StoredSheet

PAGE: Final = 100


class MemoryStore:
    """EventStore in dictionaries."""

    def __init__(self) -> None:
        self.leases = MemoryLeases()
        self._events: dict[str, list[StoredEvent]] = {}
        self._ended: set[str] = set()
        self._answers: dict[CommandId, bytes] = {}
        self._postings: list[tuple[str, Posting]] = []
        self._deals: dict[str, list[StoredSheet]] = {}
        self._players: dict[str, Player] = {}
        self._secrets: dict[str, bytes] = {}
        self._alive = 0
        self._clock = 0
        self._group = GroupCommit(self._commit)
        self.commits = self._group.commits
        self.snapshots = MemorySnapshots(self._events, self._ended)
        self.results = MemoryResults(self._events)
        self.reviews = MemoryReviews()
        self.daily = MemoryDailyResults()
        self.credentials = MemoryCredentials(self._players, self.results, self.reviews, self.daily)
        tables = MemoryTables(self._events, self._ended, self._answers, self._postings, self._deals)
        self.archive = MemoryArchive(tables, self.snapshots, self.results, self.credentials, self.reviews)

    async def open(self, _serving: ServerInfo | None = None) -> None:
        """Begin to write."""
        self._group.start()

    async def close(self) -> None:
        """Stop; the contents stay with this object and can be opened again."""
        await self._group.close()

    async def append(self, append: Append) -> int:
        """See EventStore."""
        return await self._group.append(append)

    async def _commit(self, batch: Sequence[Append]) -> Sequence[Outcome]:
        heads = {table: len(events) for table, events in self._events.items()}
        outcomes, accepted = resolve_batch(batch, heads, self._answers)
        for append in accepted:
            stream = self._events.setdefault(append.table, [])
            for event in append.events:
                stream.append(StoredEvent(event.visibility, event.seat, event.payload, version=len(stream) + 1))
            key = command_id_of(append)
            if key is not None:
                self._answers[key] = append.reply
            self._postings += [(append.table, posting) for posting in append.postings]
            self._deals.setdefault(append.table, []).extend(append.summaries)
            if append.ends_stream:
                self._ended.add(append.table)
        return outcomes

    async def barrier(self) -> None:
        """See EventStore; here nothing is ever under way."""

    async def load(self, table: str, after: int = 0) -> Sequence[StoredEvent]:
        """See EventStore."""
        self.archive.verify_not_archived(table)
        return tuple(self._events.get(table, ())[after:])

    async def pages(self, table: str) -> AsyncIterator[Sequence[StoredEvent]]:
        """See EventStore."""
        events = await self.load(table)
        for first in range(0, len(events), PAGE):
            yield events[first : first + PAGE]

    async def tables(self, *, ended: bool = False) -> Sequence[str]:
        """See EventStore."""
        gone = self.archive.gone
        return tuple(table for table in self._events if table not in (gone if ended else self._ended))

    async def reply(self, table: str, cmd: IdempotencyKey) -> bytes | None:
        """See EventStore."""
        return self._answers.get((table, cmd.player, cmd.cmd_id))

    async def deals(self, table: str, limit: int = 50) -> Sequence[StoredSheet]:
        """See EventStore."""
        return tuple(reversed(self._deals.get(table, ())))[:limit]

    async def balance(self, account: str) -> int:
        """See EventStore."""
        return sum(
            posting.points * ((posting.credit == account) - (posting.debit == account))
            for _, posting in self._postings
        )

    async def postings(self, table: str) -> Sequence[Posting]:
        """See EventStore."""
        return tuple(posting for owner, posting in self._postings if owner == table)

    async def player(self, player: str) -> Player | None:
        """See EventStore."""
        return self._players.get(player)

    async def save_player(self, player: Player) -> None:
        """See EventStore."""
        self._players[player.player] = player

    async def record_alive(self, at: int) -> None:
        """See EventStore."""
        self._alive = at

    async def last_alive(self) -> int:
        """See EventStore."""
        return self._alive

    async def note_clock(self, at: int) -> None:
        """See EventStore."""
        self._clock = at

    async def last_clock(self) -> int:
        """See EventStore."""
        return self._clock

    async def try_write(self) -> None:
        """See EventStore; here it can always be written."""

    async def get_or_create_secret(self, name: str, fresh: bytes) -> bytes:
        """See EventStore."""
        return self._secrets.setdefault(name, fresh)
