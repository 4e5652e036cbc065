"""The directory of all tables: it loads tables when they are requested or due, and evicts unused ones.

Of an unloaded table only the summary is in memory. A table that nobody uses for a while is evicted; its events are
stored, so nothing is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias

import structlog
from msgspec import Raw

from triptych.async_tasks import cancel_tasks
from triptych.errors import error_location
from triptych.server.backoff import backoff_seconds
from triptych.server.tables.actor import TableActor, TableDeps
from triptych.server.tables.deleted_names import deleted_names_at
from triptych.server.tables.downtime import Downtime, merge
from triptych.server.tables.entries import RemoteTable, TableEntry, is_due_soon
from triptych.server.tables.event_log import is_table_stream
from triptych.server.tables.integrity import StreamVerifier
from triptych.server.tables.snapshots import UnreadableStreamError, load_table
from triptych.server.tables.summary import TableSummary, decode, summarize
from triptych.server.wire.errors import RemoteOwnerError
from triptych.store.errors import CorruptRecordError, FencedError, RecordExpiredError
from triptych.table.events import TableEvent
from triptych.table.state import TableState

log = structlog.get_logger()
LOAD_CONCURRENCY: Final = 16  # so that their downtime is stored in few commits
EVICTION_INTERVAL_SECONDS: Final = 5.0

# A new table's first state, and the events that led to it.
TableFactory: TypeAlias = "Coroutine[Any, Any, tuple[TableState, Sequence[TableEvent]]]"


class TableDirectory:
    """The tables of this process. `idle_seconds`: how long a table is unused before it is evicted.

    `on_changed` is called at every new state of a table in memory, `on_unloaded` when one has left it.
    """

    def __init__(self, deps: TableDeps, idle_seconds: float) -> None:
        self._deps = deps
        self.on_changed: list[Callable[[TableActor], None]] = []
        self.on_unloaded: list[Callable[[TableActor], None]] = []
        self._idle_seconds = idle_seconds
        self._entries: dict[str, TableEntry] = {}  # all that are known, oldest first
        self.actors: dict[str, TableActor] = {}  # of the entries, those in memory
        self._to_load: dict[str, None] = {}
        self._load_requested = asyncio.Event()
        self._verifier = StreamVerifier(deps.store, self._on_damage_found)
        self._tasks: list[asyncio.Task[None]] = []
        self._leaving: set[asyncio.Task[None]] = set()
        self.recovered = asyncio.Event()

    async def open(self, since: int) -> None:
        """Read which tables are open; `since`: when the server was last known to run (ms).

        Tables that were in use then are loaded in the background, so that their clocks are compensated for the stop.
        """
        for stream in await self._deps.store.snapshots.open_streams():
            if not is_table_stream(stream.table):
                continue
            entry = self._entry(stream.table)
            entry.is_listed = True
            summary = entry.summary = decode(stream.note)
            if summary is None or summary.version != stream.version or not summary.is_idle:
                entry.downtime = Downtime(since, None, "restart")
                self._enqueue_load(stream.table)
            else:
                entry.snapshot_version = summary.version
        self._tasks = [
            asyncio.create_task(self._load_loop(), name="recovery"),
            asyncio.create_task(self._verifier.run(self.recovered), name="integrity check"),
            asyncio.create_task(self._sweep(), name="sweep"),
        ]
        if self._deps.snapshots is not None:
            self._deps.snapshots.open()

    async def close(self) -> None:
        """Stop all tables once their queued commands are done; with their snapshots the next start loads none."""
        await cancel_tasks(*self._tasks, *self._loading())
        await asyncio.gather(*self._leaving, *(actor.stop() for actor in self.actors.values()))
        if self._deps.snapshots is not None:
            for actor in self.actors.values():
                self._enqueue_snapshot(self._entries[actor.id], actor)
            await self._deps.snapshots.close()

    def _notify_changed(self, actor: TableActor) -> None:
        for listener in self.on_changed:
            listener(actor)

    def _notify_unloaded(self, actor: TableActor) -> None:
        for listener in self.on_unloaded:
            listener(actor)

    def _entry(self, table: str) -> TableEntry:
        """Return a table's entry, created if there is none."""
        entry = self._entries.get(table)
        if entry is None:
            entry = self._entries[table] = TableEntry(table)
        return entry

    def _drop_unknown(self, entry: TableEntry) -> None:
        if entry.is_unknown:
            self._entries.pop(entry.table, None)

    def _loading(self) -> list[asyncio.Task[TableActor | None]]:
        return [entry.loading for entry in self._entries.values() if entry.loading is not None]

    def loaded(self, table: str) -> TableActor | None:
        """Return a table that is in memory, None for any other."""
        actor = self.actors.get(table)
        # A watched table stays in memory anyway (server/tables/entries.py).
        if actor is not None and not actor.subscribers.is_watched:
            self._entries[table].touch(actor)
        return actor

    async def get(self, table: str) -> TableActor | None:
        """Return a table, loaded if it is not in memory; None when it does not exist, is corrupt or deleted.

        Raises the store's errors.
        """
        actor = self.loaded(table)
        if actor is not None:
            return actor
        entry = self._entry(table)
        return await _await_load(entry.loading or self._start_loading(entry, self._load(entry)))

    async def add(self, table: str, opening: TableFactory) -> TableActor:
        """Return a new table, which `opening` stores. Raises the error that kept it from being stored."""
        entry = self._entry(table)
        actor = await _await_load(self._start_loading(entry, self._open_new(entry, opening)))
        assert actor is not None  # noqa: S101 - it has been opened; this is for the type checker
        return actor

    def _start_loading(
        self, entry: TableEntry, work: Coroutine[Any, Any, TableActor | None]
    ) -> asyncio.Task[TableActor | None]:
        """Start a task that loads or opens a table; all requests meanwhile wait for the same task."""
        task = entry.loading = asyncio.create_task(work, name=f"loading {entry.table}")

        def done(task: asyncio.Task[TableActor | None]) -> None:
            if entry.loading is task:  # another one may have begun meanwhile
                entry.loading = None
                self._drop_unknown(entry)
            if not task.cancelled():
                task.exception()  # marks the exception as retrieved: all callers may have been cancelled

        task.add_done_callback(done)
        return task

    async def _open_new(self, entry: TableEntry, opening: TableFactory) -> TableActor:
        try:
            # Another server may have opened it first and crashed: then it has downtime as any other table.
            await self._acquire(entry, new=True)
        except BaseException:
            opening.close()
            raise
        state, events = await opening
        self._verifier.mark_verified(state.config.table)
        return self._install(entry, state, tuple(enumerate(events, 1)))

    async def _load(self, entry: TableEntry) -> TableActor | None:
        if entry.is_corrupt:
            return None
        table = entry.table
        await self._acquire(entry)
        try:
            result = await load_table(self._deps.store, table)
        except CorruptRecordError as damage:
            log.error("a damaged table stays closed", table=table, error=str(damage))  # noqa: TRY400 - the message has no cards
            self._mark_corrupt(entry)
            return None
        except UnreadableStreamError as error:  # one table must not keep the others shut
            log.error(  # noqa: TRY400 - an exception's text may hold cards
                "table cannot be read", table=table, error=error.where
            )
            self._mark_corrupt(entry)
            return None
        except RecordExpiredError:
            entry.is_expired = True
            await self._deps.store.leases.release([table])
            return None
        if result is None:
            # It may be a tournament, which compensates its own downtime.
            entry.downtime = None
            self._deps.store.leases.mark_compensated(table)
            return None
        if not self._deps.store.leases.holds(table):
            return await self._load(entry)  # another server opened it meanwhile
        state, history, whole = result
        names = await deleted_names_at(self._deps.store, state, self._deps.is_deleted)
        (self._verifier.mark_verified if whole else self._verifier.enqueue)(table)
        # The last events contain deleted names too.
        return self._install(entry, state, [] if names else history, names)

    async def _acquire(self, entry: TableEntry, *, new: bool = False) -> None:
        """Acquire a table's lease. Raises RemoteOwnerError when another server owns it."""
        leases, table = self._deps.store.leases, entry.table
        if leases.is_standalone:
            return
        owner = await leases.acquire(table, new=new)
        if owner is not None:
            if entry.remote is None:
                entry.remote = RemoteTable(owner.number, [])
            entry.downtime = None
            raise RemoteOwnerError(owner)
        entry.forget_remote()
        takeover_ms = leases.pop_takeover_downtime(table)
        if takeover_ms:
            entry.downtime = merge(entry.downtime, Downtime(self._deps.now() - takeover_ms, None, "restart"))
        if self._deps.results is not None and not new:
            # The server that owned it meanwhile may have recorded more results, or not all.
            self._deps.results.reload(table)

    def _install(
        self,
        entry: TableEntry,
        state: TableState,
        history: Sequence[tuple[int, TableEvent]],
        names: Mapping[str, str] | None = None,
    ) -> TableActor:
        actor = self.actors[entry.table] = entry.actor = TableActor(state, self._deps, self._notify_changed, names)
        self._entries.setdefault(entry.table, entry)
        entry.remote = entry.summary = None
        if not state.closed:
            entry.is_listed = True
        entry.touch(actor)
        downtime, entry.downtime = entry.downtime, None
        actor.start(history, downtime)
        return actor

    def _mark_corrupt(self, entry: TableEntry) -> None:
        """Mark a table whose record is damaged, so that it is never loaded again."""
        entry.is_corrupt = True
        entry.is_listed = False
        entry.summary = entry.downtime = None

    def stop_damaged(self, damage: CorruptRecordError) -> None:
        """Stop the table whose stored record is damaged; an unloaded one is never loaded again."""
        entry = self._entries.get(damage.table)
        if entry is None:
            return
        if entry.actor is not None:
            entry.actor.stop_damaged(damage)
        elif entry.is_listed:
            self._mark_corrupt(entry)

    def _on_damage_found(self, damage: CorruptRecordError) -> None:
        """Stop a table for good after the verifier found its record damaged."""
        entry = self._entry(damage.table)
        self._mark_corrupt(entry)
        actor = self._remove(entry)
        if actor is not None:
            actor.stop_damaged(damage)

    def _remove(self, entry: TableEntry) -> TableActor | None:
        """Remove a table's actor from memory as it is, and return it; None when it is not in memory."""
        actor, entry.actor, entry.last_use, entry.presence_version = entry.actor, None, None, None
        self.actors.pop(entry.table, None)
        return actor

    def is_open(self, table: str) -> bool:
        """Return whether a table can be played at."""
        entry = self._entries.get(table)
        if entry is None:
            return False
        return entry.last_summary() is not None if entry.actor is None else _is_open(entry.actor)

    def is_corrupt(self, table: str) -> bool:
        """Return whether a table is not loaded because its record is damaged."""
        return table in self._entries and self._entries[table].is_corrupt

    def is_expired(self, table: str) -> bool:
        """Return whether a table's record was deleted."""
        return table in self._entries and self._entries[table].is_expired

    def summaries(self) -> list[TableSummary]:
        """Return the tables that are open, oldest first."""
        summaries: list[TableSummary] = []
        for entry in self._entries.values():
            if entry.is_listed and (entry.actor is None or _is_open(entry.actor)):
                summary = entry.last_summary() if entry.actor is None else _summary(entry, entry.actor)
                if summary is not None:
                    summaries.append(summary)
        return summaries

    def _unloaded(self) -> Iterator[TableSummary]:
        """Yield the open tables that are in no server's memory."""
        return (entry.summary for entry in self._entries.values() if entry.is_unloaded and entry.summary is not None)

    def count_damaged(self) -> int:
        """Return how many tables have stopped because their record is damaged."""
        corrupt = sum(entry.is_corrupt for entry in self._entries.values())
        return corrupt + sum(actor.is_stopped for actor in self.actors.values())

    def busy(self) -> bool:
        """Return whether a clock runs at any table."""
        is_loaded_busy = any(actor.state.clocks or actor.state.next_at for actor in self.actors.values())
        return is_loaded_busy or any(summary.runs for summary in self._unloaded())

    def has_pending_downtime(self) -> bool:
        """Return whether there was downtime by which a table's clocks are not moved yet."""
        is_entry_pending = any(entry.downtime is not None for entry in self._entries.values())
        return is_entry_pending or any(actor.has_pending_downtime for actor in self.actors.values())

    def add_downtime(self, downtime: Downtime) -> None:
        """Move the clocks by downtime; unloaded tables with a running clock are loaded for it."""
        for actor in self.actors.values():
            if actor.state.clocks or actor.state.next_at is not None:
                actor.add_downtime(downtime)
        for summary in self._unloaded():
            if summary.runs:
                entry = self._entries[summary.table]
                entry.downtime = merge(entry.downtime, downtime)
                self._enqueue_load(summary.table)

    def _enqueue_load(self, table: str) -> None:
        self._to_load[table] = None
        self._load_requested.set()

    async def _load_loop(self) -> None:
        """Load requested tables, some at a time; one that fails is tried again after the others."""
        failures = 0
        while True:
            if not self._to_load:
                self.recovered.set()
                self._load_requested.clear()
                await self._load_requested.wait()
            tables = list(islice(self._to_load, LOAD_CONCURRENCY))
            for table in tables:
                del self._to_load[table]
            results = await asyncio.gather(*map(self.get, tables), return_exceptions=True)
            failed = {
                table: error
                for table, error in zip(tables, results, strict=True)
                if isinstance(error, Exception) and not isinstance(error, RemoteOwnerError)
            }
            for table, error in failed.items():
                log.error("table cannot be loaded", table=table, error=error_location(error))  # it may hold cards
                self._enqueue_load(table)
            failures = failures + 1 if failed else 0
            await asyncio.sleep(backoff_seconds(failures))

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(EVICTION_INTERVAL_SECONDS, self._idle_seconds / 4))
            self.evict_idle()

    def evict_idle(self) -> None:
        """Evict unused tables, and load those that are due soon."""
        self._deps.stall_detector.check()  # while the process stood still nobody could use a table
        now = self._deps.now()
        for actor in tuple(self.actors.values()):
            entry = self._entries[actor.id]
            if entry.is_unused(actor, self._idle_seconds) and entry.can_evict(actor, _summary(entry, actor)):
                self._evict(entry, actor)
        for summary in self._unloaded():
            if is_due_soon(summary, now):
                self._enqueue_load(summary.table)

    def _evict(self, entry: TableEntry, actor: TableActor) -> None:
        self._enqueue_snapshot(entry, actor)
        entry.is_listed = not actor.state.closed
        entry.summary = _summary(entry, actor) if entry.is_listed else None
        self._remove(entry)
        self._drop_unknown(entry)
        self._notify_unloaded(actor)
        leaving = asyncio.create_task(self._leave(actor))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    async def _leave(self, actor: TableActor) -> None:
        await actor.stop()
        leases, config = self._deps.store.leases, actor.state.config
        if leases.is_standalone or config.cup:
            return
        tables = [table for table in (actor.id, config.again) if table and self._can_release(table)]
        if tables:
            try:
                await leases.release(tables)
            except Exception as error:  # noqa: BLE001 - this server keeps the lease then, and loads the table again
                log.warning("a lease was not released", table=actor.id, error=error_location(error))

    def _can_release(self, table: str) -> bool:
        """Return whether another server may own a table: neither it nor its rematch is in memory.

        While the lease is kept, players who ask for the rematch are sent to this server even without the bus.
        """
        rematched = (actor.state.config.again for actor in self.actors.values())
        entry = self._entries.get(table)
        is_local = entry is not None and (entry.actor is not None or entry.loading is not None)
        return not is_local and table not in rematched

    def _enqueue_snapshot(self, entry: TableEntry, actor: TableActor) -> None:
        """Store a snapshot of the table, unless its version is stored already."""
        if self._deps.snapshots is not None and entry.snapshot_version != actor.state.version:
            self._deps.snapshots.enqueue(actor.state)
            entry.snapshot_version = actor.state.version

    def local_tables(self) -> list[str]:
        """Return the open tables in memory."""
        return [table for table, actor in self.actors.items() if _is_open(actor)]

    def local_table(self, table: str) -> tuple[TableSummary, list[str]] | None:
        """Return the summary of an open table in memory and its watchers; None for any other."""
        actor = self.actors.get(table)
        if actor is None or not _is_open(actor):
            return None
        return _summary(self._entries[table], actor), actor.subscribers.watchers()

    def watchers(self, table: str) -> list[str]:
        """Return the guests who watch a table, on any server."""
        entry = self._entries.get(table)
        if entry is None:
            return []
        if entry.actor is not None:
            return entry.actor.subscribers.watchers()
        return [] if entry.remote is None else entry.remote.watchers

    def on_remote_update(self, server: int, table: str, summary: Raw, watchers: list[str]) -> None:
        """Called when a table of another server, or the list of its watchers, has changed."""
        entry = self._entry(table)
        if entry.actor is None:
            entry.is_listed = True
            # A copy: a slice would keep the whole received message in memory.
            entry.remote = RemoteTable(server, watchers, summary.copy())

    def on_remote_unloaded(self, server: int, table: str) -> None:
        """Called when another server has unloaded a table: it has no owner now, or is closed."""
        entry = self._entries.get(table)
        if entry is None or entry.actor is not None or entry.remote is None or entry.remote.server != server:
            return
        entry.forget_remote()
        if entry.summary is not None and entry.summary.phase == "closed":
            entry.is_listed, entry.summary = False, None
        self._drop_unknown(entry)

    def on_server_left(self, server: int) -> None:
        """Called when a server has left the cluster: its tables have no owner now."""
        for entry in tuple(self._entries.values()):
            if entry.remote is not None and entry.remote.server == server:
                entry.forget_remote()
                self._drop_unknown(entry)

    def adopt(self, tables: Iterable[str]) -> None:
        """Load tables that have lost their owner, unless another server has acquired them."""
        for table in tables:
            entry = self._entries.get(table)
            if entry is not None:
                entry.forget_remote()
            if table not in self.actors:
                self._enqueue_load(table)

    def drop_all(self) -> None:
        """Drop all tables from memory: another server owns them now, and nothing more may be written here."""
        for task in self._loading():
            task.cancel()
        actors, self.actors = self.actors, {}
        for entry in tuple(self._entries.values()):
            entry.snapshot_version = entry.downtime = None
        for actor in actors.values():
            actor.cancel()
            entry = self._entries[actor.id]
            self._remove(entry)
            entry.summary = None if actor.state.closed else summarize(actor.state)
            entry.is_listed = not actor.state.closed
            self._notify_unloaded(actor)
            self._drop_unknown(entry)


def _summary(entry: TableEntry, actor: TableActor) -> TableSummary:
    """Return the summary of a table in memory, computed once a version."""
    if entry.summary is None or entry.summary.version != actor.state.version:
        entry.summary = summarize(actor.state)
    return entry.summary


async def _await_load(loading: asyncio.Task[TableActor | None]) -> TableActor | None:
    """Return the result of a load task; cancelling one caller does not cancel the task that others wait for.

    Raises FencedError when this server has cancelled the task because its tables belong to another server.
    """
    try:
        return await asyncio.shield(loading)
    except asyncio.CancelledError:
        caller = asyncio.current_task()
        if loading.cancelled() and caller is not None and not caller.cancelling():
            raise FencedError from None
        raise


def _is_open(actor: TableActor) -> bool:
    return not actor.state.closed and not actor.is_stopped
