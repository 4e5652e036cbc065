"""The store in a database, in SQLAlchemy Core.

What differs between databases is in `sqlite/store.py` and `postgres/store.py`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import Connection, Executable, Row, bindparam, delete, func, insert, or_, select, text, update

from triptych.store.checksums import is_intact, verified_postings, verified_sheet
from triptych.store.errors import CorruptRecordError, FencedError
from triptych.store.file_lock import DatabaseInUseError
from triptych.store.journal.backlog import pending_events
from triptych.store.journal.batch import Outcome
from triptych.store.journal.group_commit import GroupCommit
from triptych.store.journal.rows import ANSWER, PARTITION_SHIFT, Journal, JournalProgram, ReadEpochEnds
from triptych.store.journal.writer import JournalWriter
from triptych.store.leases.interface import LeaseHolder, LeaseManager, ServerInfo
from triptych.store.leases.standalone import StandaloneLeases
from triptych.store.migrate import migrate
from triptych.store.projections.contents import compare, corrupt_streams, projection_digests
from triptych.store.projections.event_rows import verified_events
from triptych.store.projections.project import (
    COMPENSATED_MARK,
    DOWNTIME_MARK,
    EPOCH,
    chunks,
    counted_mark,
    delete_projections,
    project,
    projected_mark,
)
from triptych.store.projections.projector import Projector
from triptych.store.schema import (
    archive,
    commands,
    counters,
    deals,
    events,
    leases,
    players,
    postings,
    secrets,
    servers,
    streams,
)
from triptych.store.sql.archive import LEDGER, NOT_EXPIRED, SqlArchive, restore_heads
from triptych.store.sql.guests import SqlCredentials, SqlDailyResults, SqlReviews
from triptych.store.sql.results import SqlResults
from triptych.store.sql.snapshots import SqlSnapshots
from triptych.store.types import Append, IdempotencyKey, Player, Posting, RebuildReport, StoredEvent, StoredSheet

_ALIVE: Final = "alive"
_CLOCK: Final = "clock"
_TRIED: Final = "tried"
# Rows of events that are read and verified at a time; the loop does nothing else meanwhile.
PAGE: Final = 250
# Events of an archived table that are yielded at a time.
_ARCHIVED_PAGE: Final = 1_000
# With this many chunks waiting to be projected there is no pause between them.
_NO_PAUSE_CHUNKS: Final = 250
_INSERT_SECRET = text("INSERT INTO secrets (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING")
_Result = TypeVar("_Result")


async def _no_pause() -> None:
    """Return at once."""


class Database(Protocol):
    """Access to a database that never blocks the loop."""

    async def run(self, work: Callable[[Connection], _Result]) -> _Result:
        """Run `work` in a transaction: durable when this returns, undone when it raises."""

    async def lock(self, serving: ServerInfo) -> None:
        """Lock the database against other servers until it is closed. Raises DatabaseInUseError."""

    def verify_space(self) -> None:
        """Raise OSError when the disk is known to be almost full."""

    async def close(self) -> None:
        """Close the connections and release the lock."""


class DatabaseLeaseManager(LeaseManager, Protocol):
    """Leases that are stored in the database and decide what the store may write."""

    holder: LeaseHolder


class SqlStore:
    """EventStore in a database: `journal` takes the appends, the others connect to the same database."""

    def __init__(
        self,
        journal: Journal,
        writing: Database,
        reading: Database,
        projecting: Database,
        shared: DatabaseLeaseManager | None = None,
        *other_databases: Database,
    ) -> None:
        """`shared`: the leases of servers that share the database; without them a server serves it alone.

        `other_databases` are closed with the store.
        """
        self._journal = journal
        self._other_databases = other_databases
        self._writing = writing
        self._reading = reading
        self._projecting = projecting
        self._writer = JournalWriter()
        self._group = GroupCommit(self._commit)
        self.commits = self._group.commits
        self._projector = Projector(self._project)
        # Writers of one process queue here: waiting for the database's lock would be polling.
        self._write_lock = asyncio.Lock()
        self._is_registered = False
        self.leases: LeaseManager = shared or StandaloneLeases()
        if shared is not None:
            shared.holder = self
        self.credentials = SqlCredentials(self._rows, self._write)
        self.reviews = SqlReviews(self._rows, self._write)
        self.daily = SqlDailyResults(self._rows, self._write)
        self.snapshots = SqlSnapshots(self._rows, projecting.run, self._project_all)
        self.results = SqlResults(self._rows, projecting.run, self._project_all)
        self.archive = SqlArchive(self._rows, projecting.run, self._project_all, self.load)

    async def open(self, serving: ServerInfo | None = None) -> None:
        """Migrate, project the backlog, then begin to write."""
        try:
            if serving is not None:
                await self._writing.lock(serving)
            await self._writing.run(migrate)
            if serving is not None:
                if self.leases.is_standalone:
                    self._writer.start_epoch(await self._writing.run(_begin_epoch))
                fenced = await self._writing.run(dead_partitions)
                for partition in await self._writing.run(partitions):
                    await self.project_partition(partition)
                await self._writing.run(partial(drop_partitions, fenced))
                # Last: from then on the leases have to be renewed.
                await self.leases.register(serving)
                self._is_registered = True
            await self._project_all()
        except BaseException:
            await self.close()
            raise
        self._group.start()
        self._projector.start()

    async def close(self) -> None:
        """Write the waiting appends and close the connections."""
        await self._group.close()
        await self._projector.close()
        await self._journal.close()
        for database in (self._projecting, self._writing, self._reading, *self._other_databases):
            await database.close()

    async def append(self, append: Append) -> int:
        """See EventStore."""
        return await self._group.append(append)

    async def _commit(self, batch: Sequence[Append]) -> Sequence[Outcome]:
        async with self._write_lock:
            outcomes = await self._journal.run(self._writer.commit(batch))
        self._projector.notify(len(self._writer.backlog))
        return outcomes

    async def start(self, number: int) -> None:
        """See LeaseHolder."""
        async with self._write_lock:
            self._writer.start_epoch(number, number)

    async def add_lease(self, lease: str, epoch: int) -> None:
        """See LeaseHolder."""
        async with self._write_lock:
            self._writer.invalidate_lease(lease)
            self._writer.epoch = max(epoch, self._writer.epoch or 0)
            if self._writer.held_leases is not None:
                self._writer.held_leases.add(lease)

    def holds(self, lease: str) -> bool:
        """See LeaseHolder."""
        return self._writer.held_leases is not None and lease in self._writer.held_leases

    async def drop_leases(self, names: Sequence[str]) -> None:
        """See LeaseHolder."""
        async with self._write_lock:
            if self._writer.held_leases is not None:
                self._writer.held_leases.difference_update(names)
        await self._project_all()

    async def _project_others(self) -> None:
        """Project the backlogs in the partitions of other servers."""
        for partition in await self._writing.run(partitions):
            if partition != self._writer.partition:
                await self.project_partition(partition)

    async def project_partition(self, partition: int, until: int | None = None) -> None:
        """See LeaseHolder. `until`: the last row to project, None for all."""
        reader = JournalWriter(partition)
        while not reader.in_sync:
            async with self._write_lock:
                await self._journal.run(reader.sync(until))
            await self._project_backlog(reader)

    async def _project(self, between: Callable[[], Awaitable[None]]) -> None:
        await self._project_backlog(self._writer, between)

    async def _project_backlog(
        self, writer: JournalWriter, between: Callable[[], Awaitable[None]] = _no_pause
    ) -> None:
        partition, backlog = writer.partition, writer.backlog
        pending = backlog.peek()
        if pending is None:
            return
        last, waiting = pending.last, deque(chunks(pending.tables))
        # Freed chunk by chunk: freeing some thousand appends at once stops every table for 20 ms.
        del pending
        pause = between if len(waiting) < _NO_PAUSE_CHUNKS else _no_pause
        while waiting:
            chunk = waiting.popleft()
            await self._projecting.run(partial(project, partition, chunk, None if waiting else last))
            backlog.discard(chunk)
            if waiting:
                await pause()

    async def _sync_backlog(self) -> None:
        """Read into the backlog everything that is committed and not projected yet."""
        if not self._is_registered:
            self._writer.in_sync = False  # others may write
            await self._project_others()
        while not self._writer.in_sync:
            async with self._write_lock:
                await self._journal.run(self._writer.sync())
            if not self._writer.in_sync:
                await self._projector.catch_up()  # page by page, so that the backlog stays small

    async def _project_all(self) -> None:
        """Project everything that is committed."""
        await self._sync_backlog()
        await self._projector.catch_up()

    async def _rows(
        self, query: Executable, parameters: Mapping[str, object] | None = None
    ) -> Sequence[Row[*tuple[Any, ...]]]:
        return await self._reading.run(lambda connection: connection.execute(query, parameters).all())

    async def _rows_of_table(self, table: str, query: Executable) -> Sequence[Row[*tuple[Any, ...]]]:
        """Return rows of a table. Raises CorruptRecordError when its rows in the journal are corrupt."""

        def work(connection: Connection) -> tuple[str | None, Sequence[Row[*tuple[Any, ...]]]]:
            damage = connection.execute(select(streams.c.damage).where(streams.c.table_id == table)).scalar()
            return damage, connection.execute(query).all()

        damage, rows = await self._reading.run(work)
        if damage is not None:
            raise CorruptRecordError(table, damage)
        return rows

    async def _write(self, work: Callable[[Connection], _Result]) -> _Result:
        async with self._write_lock:
            return await self._writing.run(work)

    async def barrier(self) -> None:
        """See EventStore."""
        partition = self._writer.partition
        if partition:
            if not await self._write(partial(_is_alive, partition)):
                raise FencedError
            return
        epoch = await self._write(_epoch)
        if self._is_registered and epoch != self._writer.epoch:
            raise DatabaseInUseError(None)

    async def rebuild(self) -> RebuildReport:
        """See JournalStore."""
        await self._project_all()
        await self.archive.compact()
        before = await self._reading.run(projection_digests)
        epoch_ends = await self._journal.run(_epoch_ends())
        await self._write(_reset_to_archive)
        self._writer.reset()
        for last in epoch_ends:  # epoch by epoch, so that a table's rows of several servers come in their order
            await self.project_partition(last >> PARTITION_SHIFT, last)
        await self._project_others()
        await self._project_all()
        after = await self._reading.run(projection_digests)
        return RebuildReport(compare(before, after), await self._reading.run(corrupt_streams))

    async def load(self, table: str, after: int = 0) -> Sequence[StoredEvent]:
        """See EventStore."""
        loaded: list[StoredEvent] = []
        async for page in self._pages(table, after):
            loaded += page
        return tuple(loaded)

    def pages(self, table: str) -> AsyncIterator[Sequence[StoredEvent]]:
        """See EventStore."""
        return self._pages(table, 0)

    async def _pages(self, table: str, after: int) -> AsyncIterator[Sequence[StoredEvent]]:
        await self._sync_backlog()
        recent = self._writer.backlog.pending(table)
        head, reached = 0, after
        while True:
            parameters = {"of_table": table, "after": reached, "page": PAGE}
            rows = await self._rows(_EVENTS, parameters) or await self._projected_since(table, parameters)
            if rows and rows[0].damage is not None:
                raise CorruptRecordError(table, rows[0].damage)
            if rows and rows[0].archived is not None:
                if rows[0].kept and reached >= rows[0].archived == rows[0].head:
                    head = rows[0].head  # everything up to here was read, or is in the caller's snapshot
                    break
                head, archived = await self.archive.load(table, reached)
                for first in range(0, len(archived), _ARCHIVED_PAGE):
                    yield archived[first : first + _ARCHIVED_PAGE]
                break
            if rows:
                more, reached = verified_events(table, reached, rows, PAGE)
                head = int(rows[0].head)
                yield more
            if reached >= head:
                break
        if recent:
            yield tuple(pending_events(table, head, after, recent))

    async def _projected_since(self, table: str, parameters: Mapping[str, object]) -> Sequence[Row[*tuple[Any, ...]]]:
        """Read a page without rows again if the table has events now: they may just have been projected."""
        any_event = select(events.c.table_id).where(events.c.table_id == table).limit(1)
        any_archived = select(archive.c.table_id).where(archive.c.table_id == table)
        if not (await self._rows(any_event) or await self._rows(any_archived)):
            return ()
        rows = await self._rows(_EVENTS, parameters)
        if not rows:
            raise CorruptRecordError(table, "it is not among the tables")
        return rows

    async def tables(self, *, ended: bool = False) -> Sequence[str]:
        """See EventStore."""
        await self._project_all()
        query = select(streams.c.table_id).order_by(streams.c.id)
        query = query.where(NOT_EXPIRED) if ended else query.where(streams.c.ended.is_(False))
        return tuple([row.table_id for row in await self._rows(query)])

    async def reply(self, table: str, cmd: IdempotencyKey) -> bytes | None:
        """See EventStore."""
        query = select(commands.c.answer, commands.c.checksum).where(
            commands.c.table_id == table, commands.c.player == cmd.player, commands.c.cmd_id == cmd.cmd_id
        )
        await self._sync_backlog()
        recent = self._writer.backlog.reply((table, cmd.player, cmd.cmd_id))
        if recent is not None:
            return recent
        for row in await self._rows_of_table(table, query):
            if not is_intact(row.checksum, row.answer, table, cmd.player, cmd.cmd_id):
                raise CorruptRecordError(table, ANSWER)
            return bytes(row.answer)
        return None

    async def deals(self, table: str, limit: int = 50) -> Sequence[StoredSheet]:
        """See EventStore."""
        await self._project_all()
        query = (
            select(deals.c.deal, deals.c.match, deals.c.payload, deals.c.checksum)
            .where(deals.c.table_id == table)
            .order_by(deals.c.deal.desc())
            .limit(limit)
        )
        sheets = [verified_sheet(table, row) for row in await self._rows_of_table(table, query)]
        if len(sheets) < limit:
            sheets += (await self.archive.sheets(table))[: limit - len(sheets)]
        return tuple(sheets)

    async def balance(self, account: str) -> int:
        """See EventStore."""
        await self._project_all()
        received = select(func.coalesce(func.sum(postings.c.points), 0)).where(postings.c.credit == account)
        paid = select(func.coalesce(func.sum(postings.c.points), 0)).where(postings.c.debit == account)
        (row,) = await self._rows(select(received.scalar_subquery(), paid.scalar_subquery()))
        return int(row[0]) - int(row[1])

    async def postings(self, table: str) -> Sequence[Posting]:
        """See EventStore."""
        await self._project_all()
        return verified_postings(table, await self._rows_of_table(table, LEDGER.where(streams.c.table_id == table)))

    async def player(self, player: str) -> Player | None:
        """See EventStore."""
        query = select(players.c.name).where(players.c.player == player)
        return next((Player(player, row.name) for row in await self._rows(query)), None)

    async def save_player(self, player: Player) -> None:
        """See EventStore."""
        rename = update(players).where(players.c.player == player.player).values(name=player.name)
        add = insert(players).values(player=player.player, name=player.name)
        await self._write(partial(_update_or_insert, rename, add))

    async def record_alive(self, at: int) -> None:
        """See EventStore."""
        await self._mark(_ALIVE, at)

    async def last_alive(self) -> int:
        """See EventStore."""
        return await self._marked(_ALIVE)

    async def note_clock(self, at: int) -> None:
        """See EventStore."""
        await self._mark(_CLOCK, at)

    async def last_clock(self) -> int:
        """See EventStore."""
        return await self._marked(_CLOCK)

    async def try_write(self) -> None:
        """See EventStore."""
        self._writing.verify_space()
        await self._write(partial(_update_or_insert, _TRY, _TRY_FIRST))
        self.commits.done()  # the caller of a failed append may never retry, so this ends the outage

    async def _mark(self, name: str, value: int) -> None:
        move = update(counters).where(counters.c.name == name).values(value=value)
        await self._write(partial(_update_or_insert, move, insert(counters).values(name=name, value=value)))

    async def _marked(self, name: str) -> int:
        return next(
            (row.value for row in await self._rows(select(counters.c.value).where(counters.c.name == name))), 0
        )

    async def get_or_create_secret(self, name: str, fresh: bytes) -> bytes:
        """See EventStore."""
        query = select(secrets.c.value).where(secrets.c.name == name)

        def get_or_insert(connection: Connection) -> bytes:
            secret: bytes | None = connection.execute(query).scalar()
            if secret is None:  # servers that share a database may all be opened at once
                connection.execute(_INSERT_SECRET, {"name": name, "value": fresh})
                secret = connection.execute(query).scalar_one()
            return secret

        return await self._write(get_or_insert)


def _events() -> Executable:
    columns = (events.c.version, events.c.payload, events.c.checksum)
    heads = (
        streams.c.version.label("head"),
        streams.c.checksum.label("head_checksum"),
        streams.c.damage,
        archive.c.version.label("archived"),
        archive.c.kept,
    )
    # One statement, so that the rows and their head are of the same moment. It begins with the row before, because
    # the next row's checksum includes that row's.
    earlier = (events.c.table_id == bindparam("of_table")) & (events.c.version <= bindparam("after"))
    before = select(func.coalesce(func.max(events.c.version), 0)).where(earlier).correlate(None).scalar_subquery()
    of_table = (events.c.table_id == streams.c.table_id) & (events.c.version >= before)
    tables = streams.outerjoin(archive, archive.c.table_id == streams.c.table_id).outerjoin(events, of_table)
    query = select(*columns, *heads).select_from(tables)
    return (
        query.where(streams.c.table_id == bindparam("of_table")).order_by(events.c.version).limit(bindparam("page"))
    )


_EVENTS: Final = _events()  # built once: building it takes longer than reading a table


def _reset_to_archive(connection: Connection) -> None:
    """Delete all projections, then restore the heads of archived tables."""
    delete_projections(connection)
    restore_heads(connection)


def _begin_epoch(connection: Connection) -> int:
    """Begin an epoch; writers of older epochs and servers that shared the database can write no more."""
    connection.execute(update(servers).values(over=True))
    connection.execute(delete(leases))
    connection.execute(
        delete(counters).where(or_(*map(counters.c.name.startswith, (DOWNTIME_MARK, COMPENSATED_MARK))))
    )
    connection.execute(update(counters).where(counters.c.name == EPOCH).values(value=counters.c.value + 1))
    return _epoch(connection)


def partitions(connection: Connection) -> Sequence[int]:
    """Return the partitions of the journal, in the order they were begun."""
    return (0, *connection.execute(select(servers.c.lane).order_by(servers.c.lane)).scalars())


def dead_partitions(connection: Connection) -> Sequence[int]:
    """Return the partitions of fenced servers: they never grow again."""
    return connection.execute(select(servers.c.lane).where(servers.c.over)).scalars().all()


def drop_partitions(projected: Sequence[int], connection: Connection) -> None:
    """Delete the records of projected partitions whose servers own no lease any more."""
    leased = connection.execute(select(leases.c.lane)).scalars().all()
    done = [partition for partition in projected if partition not in set(leased)]
    connection.execute(delete(servers).where(servers.c.lane.in_(done)))
    names = [name for partition in done for name in (projected_mark(partition), counted_mark(partition))]
    connection.execute(delete(counters).where(counters.c.name.in_(names)))


def _is_alive(partition: int, connection: Connection) -> bool:
    is_fenced = connection.execute(select(servers.c.over).where(servers.c.lane == partition)).scalar()
    return is_fenced is False


def _epoch_ends() -> JournalProgram[Sequence[int]]:
    ends: Sequence[int] = yield ReadEpochEnds()
    return ends


def _epoch(connection: Connection) -> int:
    epoch: int = connection.execute(select(counters.c.value).where(counters.c.name == EPOCH)).scalar_one()
    return epoch


_TRY: Final = update(counters).where(counters.c.name == _TRIED).values(value=counters.c.value + 1)
_TRY_FIRST: Final = insert(counters).values(name=_TRIED, value=0)


def _update_or_insert(change: Executable, add: Executable, connection: Connection) -> None:
    if connection.execute(change).rowcount == 0:
        connection.execute(add)
