"""EventStore over a Disk: the real group commit, journal writer, backlog and projector, and faults in between."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tests.simulation.leases import SimConnection
from triptych.store.errors import CorruptRecordError, FencedError
from triptych.store.file_lock import DatabaseInUseError
from triptych.store.journal.backlog import pending_events
from triptych.store.journal.group_commit import GroupCommit
from triptych.store.journal.rows import WriteRow
from triptych.store.journal.writer import JournalWriter
from triptych.store.leases.standalone import StandaloneLeases
from triptych.store.postgres.leases import PostgresLeases
from triptych.store.projections.projector import Projector
from triptych.store.types import Append, IdempotencyKey, Player, Posting, StoredEvent, StoredSheet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Container, Sequence
    from random import Random

    from tests.simulation.disk import Disk
    from triptych.store.journal.batch import Outcome
    from triptych.store.journal.rows import JournalOp, JournalProgram
    from triptych.store.leases.interface import LeaseManager, ServerInfo
    from triptych.store.types import OpenStream, Snapshot

_T = TypeVar("_T")
SLOW_SECONDS = 6.0
GHOST_SECONDS = 1.0


class Chances(NamedTuple):
    """How likely it is each time that a write fails and is there (`unknown`), or is not, that it takes long, that a
    read fails; and that a write under way at a crash arrives afterwards (`ghost`).
    """

    unknown: float = 0.0
    failed: float = 0.0
    slow: float = 0.0
    unread: float = 0.0
    ghost: float = 0.0


class SimSnapshots:
    """SnapshotStore of a disk; it may be slow, too."""

    def __init__(
        self, disk: Disk, wait: Callable[[], Awaitable[None]], projected: Callable[[], Awaitable[None]]
    ) -> None:
        self._kept = disk.snapshots
        self._wait = wait
        self._projected = projected

    async def get(self, table: str, form: str) -> Snapshot | None:
        await self._wait()
        return await self._kept.get(table, form)

    async def save(self, snapshots: Sequence[Snapshot]) -> None:
        await self._wait()
        await self._kept.save(snapshots)

    async def open_streams(self) -> Sequence[OpenStream]:
        await self._projected()
        return await self._kept.open_streams()

    async def clear(self) -> None:
        await self._kept.clear()


class SimStore:
    """What one process sees of the disk."""

    def __init__(self, disk: Disk, rng: Random, clock: Callable[[], int] | None = None) -> None:
        """`clock`: the database's (ms), where several servers share it."""
        self.chances = Chances()
        self.under_way: list[JournalOp] = []
        self.at_write: Callable[[], object] | None = None  # what happens once when a row is on its way
        self._disk = disk
        self._rng = rng
        self._writer = JournalWriter()
        self._group = GroupCommit(self._commit)
        self.commits = self._group.commits
        self._projector = Projector(self._project)
        self._turn = asyncio.Lock()
        self.credentials = disk.people
        self.results = disk.records
        self.archive = disk.archive
        self.reviews = disk.reviews
        self.daily = disk.daily
        self.snapshots = SimSnapshots(disk, self._pass, self._projected)
        self.leases: LeaseManager = StandaloneLeases()
        if clock is not None:
            self.leases = shared = PostgresLeases(*2 * [partial(SimConnection, disk, clock, self._luck)])
            shared.holder = self

    async def open(self, serving: ServerInfo | None = None) -> None:
        """Begin an epoch, or come as one more server, and bring the projection up to the journal."""
        if serving is None:
            self._disk.epoch += 1
            self._writer.start_epoch(self._disk.epoch)
        else:
            for lane in list(self._disk.lanes):
                await self._follow(lane)
            await self.leases.register(serving)
        await self._projected()
        self._group.start()
        self._projector.start()

    @property
    def streams(self) -> Container[str]:
        """Return what is there."""
        return self._disk.streams

    async def close(self) -> None:
        await self._group.close()
        await self._projector.close()

    async def _pass(self, chance: float = 0.0) -> None:
        """Take some time, rarely much, and fail by chance."""
        rng = self._rng
        if rng.random() < self.chances.slow:
            await asyncio.sleep(rng.random() * SLOW_SECONDS)
        else:
            await asyncio.sleep(0)
        if rng.random() < chance:
            raise OSError("no answer")

    async def _luck(self) -> None:
        await self._pass(self.chances.failed)

    async def start(self, number: int) -> None:
        async with self._turn:
            self._writer.start_epoch(number, number)

    async def project_partition(self, lane: int) -> None:
        await self._follow(lane)

    async def add_lease(self, lease: str, epoch: int) -> None:
        async with self._turn:
            self._writer.invalidate_lease(lease)
            self._writer.epoch = max(epoch, self._writer.epoch or 0)
            if self._writer.held_leases is not None:
                self._writer.held_leases.add(lease)

    def holds(self, lease: str) -> bool:
        return self._writer.held_leases is not None and lease in self._writer.held_leases

    async def drop_leases(self, names: Sequence[str]) -> None:
        async with self._turn:
            if self._writer.held_leases is not None:
                self._writer.held_leases.difference_update(names)
        await self._projected()

    async def _follow(self, lane: int) -> None:
        follower = JournalWriter(lane)
        while not follower.in_sync:
            async with self._turn:
                await self._do(follower.sync())
            await self._project_backlog(follower)

    async def _do(self, steps: JournalProgram[_T]) -> _T:
        try:
            ask = next(steps)
            while True:
                ask = steps.send(await self._executed(ask))
        except StopIteration as done:
            result: _T = done.value
            return result

    async def _executed(self, ask: JournalOp) -> Any:
        if not isinstance(ask, WriteRow):
            await self._pass(self.chances.unread)
            return self._disk.do(ask)
        self.under_way.append(ask)
        if self.at_write is not None:
            self.at_write()
            self.at_write = None
        try:
            await self._pass(self.chances.failed)
            result = self._disk.do(ask)
        finally:
            self.under_way.remove(ask)
        await self._pass(self.chances.unknown)
        return result

    async def _commit(self, batch: Sequence[Append]) -> Sequence[Outcome]:
        async with self._turn:
            outcomes = await self._do(self._writer.commit(batch))
        self._projector.notify(len(self._writer.backlog))
        return outcomes

    async def append(self, append: Append) -> int:
        return await self._group.append(append)

    async def _project(self, between: Callable[[], Awaitable[None]]) -> None:
        await self._project_backlog(self._writer, between)

    async def _project_backlog(
        self, writer: JournalWriter, between: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        backlog = writer.backlog
        pending = backlog.peek()
        if pending is not None:
            await self._pass(self.chances.failed)
            # Table by table, each a transaction; much may happen between two of them.
            *_, last = pending.tables
            for table, appends in pending.tables.items():
                self._disk.project(table, appends)
                if table == last:
                    self._disk.reach(pending.last)
                    await self._pass(self.chances.unknown)
                backlog.discard({table: appends})
                if between is not None:
                    await between()

    async def _known(self) -> None:
        while not self._writer.in_sync:
            async with self._turn:
                await self._do(self._writer.sync())
            if not self._writer.in_sync:
                await self._projector.catch_up()

    async def _projected(self) -> None:
        await self._known()
        await self._projector.catch_up()

    async def barrier(self) -> None:
        async with self._turn:
            await self._pass(self.chances.unread)
            lane = self._writer.partition
            if lane and self._disk.servers[lane].over:
                raise FencedError
            if not lane and self._disk.epoch != self._writer.epoch:
                raise DatabaseInUseError(None)

    def _verify(self, table: str) -> None:
        if table in self._disk.damage:
            raise CorruptRecordError(table, self._disk.damage[table])

    async def load(self, table: str, after: int = 0) -> Sequence[StoredEvent]:
        await self._known()
        recent = self._writer.backlog.pending(table)
        await self._pass(self.chances.unread)
        self._verify(table)
        stream = self._disk.streams.get(table, [])
        return (*stream[after:], *pending_events(table, len(stream), after, recent))

    async def pages(self, table: str) -> AsyncIterator[Sequence[StoredEvent]]:
        yield await self.load(table)

    async def tables(self, *, ended: bool = False) -> Sequence[str]:
        await self._projected()
        disk = self._disk
        return tuple(table for table in {**disk.streams, **disk.damage} if ended or table not in disk.ended)

    async def reply(self, table: str, cmd: IdempotencyKey) -> bytes | None:
        await self._known()
        key = table, cmd.player, cmd.cmd_id
        recent = self._writer.backlog.reply(key)
        if recent is not None:
            return recent
        await self._pass(self.chances.unread)
        self._verify(table)
        return self._disk.answers.get(key)

    async def deals(self, table: str, limit: int = 50) -> Sequence[StoredSheet]:
        await self._projected()
        self._verify(table)
        return tuple(reversed(self._disk.deals.get(table, ())))[:limit]

    async def balance(self, account: str) -> int:
        await self._projected()
        return sum(
            posting.points * ((posting.credit == account) - (posting.debit == account))
            for _, posting in self._disk.postings
        )

    async def postings(self, table: str) -> Sequence[Posting]:
        await self._projected()
        self._verify(table)
        return tuple(posting for owner, posting in self._disk.postings if owner == table)

    async def player(self, player: str) -> Player | None:
        return self._disk.players.get(player)

    async def save_player(self, player: Player) -> None:
        self._disk.players[player.player] = player

    async def record_alive(self, at: int) -> None:
        await self._pass(self.chances.failed)
        if self._disk.full:
            raise OSError("no space left")
        self._disk.alive = at

    async def last_alive(self) -> int:
        return self._disk.alive

    async def note_clock(self, _at: int) -> None:
        raise NotImplementedError  # simulated servers delete nothing (--keep 0)

    async def last_clock(self) -> int:
        raise NotImplementedError  # as above

    async def try_write(self) -> None:
        raise NotImplementedError  # nothing asks a simulated server whether it is ready

    async def get_or_create_secret(self, name: str, fresh: bytes) -> bytes:
        return self._disk.secrets.setdefault(name, fresh)
