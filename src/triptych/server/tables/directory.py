"""Which tables are in memory and which sleep: each is loaded when it is asked for, or shortly before its time comes.

Of one that sleeps only a glance is at hand. What is in memory and of no use to anybody for a while goes back to
sleep; it is its events again, so nothing is lost with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias

import structlog
from msgspec import Raw

from triptych.errors import error_location
from triptych.server.backoff import backoff_seconds
from triptych.server.tables.actor import TableActor, TableDeps
from triptych.server.tables.deleted_names import deleted_names_at
from triptych.server.tables.downtime import Downtime, merge
from triptych.server.tables.entries import RemoteTable, TableEntry
from triptych.server.tables.event_log import is_table_stream
from triptych.server.tables.eviction import can_evict, is_due_soon, is_unused, touch
from triptych.server.tables.integrity import StreamVerifier
from triptych.server.tables.snapshots import UnreadableStreamError, load_table
from triptych.server.tables.summary import TableSummary, decode, summarize
from triptych.server.wire.ownership import RemoteOwnerError
from triptych.store.errors import CorruptRecordError, FencedError, RecordExpiredError
from triptych.table.events import TableEvent
from triptych.table.state import TableState

log = structlog.get_logger()
LOAD_CONCURRENCY: Final = 16  # what they have lost is stored in few commits then
EVICTION_INTERVAL_SECONDS: Final = 5.0

# A new table's first state, and the events that led to it.
TableFactory: TypeAlias = "Coroutine[Any, Any, tuple[TableState, Sequence[TableEvent]]]"


class TableDirectory:
    """The tables of this process. `sleep_after`: seconds without any use.

    `on_changed` is called at every new state of a table in memory, `on_unloaded` when one has left it.
    """

    def __init__(self, deps: TableDeps, sleep_after: float) -> None:
        self._deps = deps
        self.on_changed: list[Callable[[TableActor], None]] = []
        self.on_unloaded: list[Callable[[TableActor], None]] = []
        self._idle_seconds = sleep_after
        self._entries: dict[str, TableEntry] = {}  # all that are known, oldest first
        self.live: dict[str, TableActor] = {}  # of the entries, those in memory
        self._to_load: dict[str, None] = {}
        self._come = asyncio.Event()
        self._verifier = StreamVerifier(deps.store, self._on_damage_found)
        self._tasks: list[asyncio.Task[None]] = []
        self._leaving: set[asyncio.Task[None]] = set()
        self.recovered = asyncio.Event()

    async def open(self, since: int) -> None:
        """Look what there is; `since`: when the server was last known to run (ms).

        What was in use then is brought back behind: it has to hear of the stop.
        """
        for standing in await self._deps.store.snapshots.open_streams():
            if not is_table_stream(standing.table):
                continue
            entry = self._entry(standing.table)
            entry.is_listed = True
            summary = entry.summary = decode(standing.note)
            if summary is None or summary.version != standing.version or not summary.is_idle:
                entry.downtime = Downtime(since, None, "restart")
                self._enqueue_load(standing.table)
            else:
                entry.snapshot_version = summary.version
        self._tasks = [
            asyncio.create_task(self._load_loop(), name="recovery"),
            asyncio.create_task(self._verifier.run(self.recovered), name="read through"),
            asyncio.create_task(self._sweep(), name="sweep"),
        ]
        if self._deps.snapshots is not None:
            self._deps.snapshots.open()

    async def close(self) -> None:
        """Stop all tables when each has done what was asked of it; the next start has to load none of them."""
        tasks = [*self._tasks, *self._loading()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*self._leaving, *(live.stop() for live in self.live.values()))
        if self._deps.snapshots is not None:
            for live in self.live.values():
                self._enqueue_snapshot(self._entries[live.id], live)
            await self._deps.snapshots.close()

    def _notify_changed(self, live: TableActor) -> None:
        for listener in self.on_changed:
            listener(live)

    def _notify_unloaded(self, live: TableActor) -> None:
        for listener in self.on_unloaded:
            listener(live)

    def _entry(self, table: str) -> TableEntry:
        """Return a table's entry, made when there is none."""
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
        live = self.live.get(table)
        # One that is followed stays in memory anyway (server/tables/eviction.py).
        if live is not None and not live.audience.is_watched:
            touch(self._entries[table], live)
        return live

    async def get(self, table: str) -> TableActor | None:
        """Return a table, loaded when it is not in memory; or None, it is damaged or deleted.

        Raises what keeps the store from answering.
        """
        live = self.loaded(table)
        if live is not None:
            return live
        entry = self._entry(table)
        return await _await_load(entry.loading or self._begun(entry, self._load(entry)))

    async def add(self, table: str, opening: TableFactory) -> TableActor:
        """Return a new table when it is stored, as `opening` does. Raises what kept it from that."""
        entry = self._entry(table)
        live = await _await_load(self._begun(entry, self._opened(entry, opening)))
        assert live is not None  # noqa: S101 - it has been opened; this is for the type checker
        return live

    def _begun(
        self, entry: TableEntry, work: Coroutine[Any, Any, TableActor | None]
    ) -> asyncio.Task[TableActor | None]:
        """Begin to make a table: whoever asks for it meanwhile gets the same one."""
        task = entry.loading = asyncio.create_task(work, name=f"loading {entry.table}")

        def done(task: asyncio.Task[TableActor | None]) -> None:
            if entry.loading is task:  # another one may have begun meanwhile
                entry.loading = None
                self._drop_unknown(entry)
            if not task.cancelled():
                task.exception()  # whoever asked has been told, unless they gave up

        task.add_done_callback(done)
        return task

    async def _opened(self, entry: TableEntry, opening: TableFactory) -> TableActor:
        try:
            # Another server may have opened it first, and died: it has lost time then as any other.
            await self._take(entry, new=True)
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
        await self._take(entry)
        try:
            result = await load_table(self._deps.store, table)
        except CorruptRecordError as damage:
            log.error("a table stays shut", table=table, error=str(damage))  # noqa: TRY400 - it says all
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
            # It may be a tournament's name, which makes up its own.
            entry.downtime = None
            self._deps.store.leases.mark_compensated(table)
            return None
        if not self._deps.store.leases.holds(table):
            return await self._load(entry)  # it was opened elsewhere after it was asked for
        state, history, whole = result
        names = await deleted_names_at(self._deps.store, state, self._deps.is_deleted)
        (self._verifier.mark_verified if whole else self._verifier.enqueue)(table)
        # The last events say the names too.
        return self._install(entry, state, [] if names else history, names)

    async def _take(self, entry: TableEntry, *, new: bool = False) -> None:
        """Own a table from now on. Raises RemoteOwnerError when another server does."""
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
        unheard = leases.pop_takeover_downtime(table)
        if unheard:
            entry.downtime = merge(entry.downtime, Downtime(self._deps.now() - unheard, None, "restart"))
        if self._deps.results is not None and not new:
            # Whoever owned it meanwhile may have recorded more of it, or not all.
            self._deps.results.reload(table)

    def _install(
        self,
        entry: TableEntry,
        state: TableState,
        history: Sequence[tuple[int, TableEvent]],
        names: Mapping[str, str] | None = None,
    ) -> TableActor:
        live = self.live[entry.table] = entry.actor = TableActor(state, self._deps, self._notify_changed, names)
        self._entries.setdefault(entry.table, entry)
        entry.remote = entry.summary = None
        if not state.closed:
            entry.is_listed = True
        touch(entry, live)
        downtime, entry.downtime = entry.downtime, None
        live.start(history, downtime)
        return live

    def _mark_corrupt(self, entry: TableEntry) -> None:
        """Open a table no more: its record is damaged."""
        entry.is_corrupt = True
        entry.is_listed = False
        entry.summary = entry.downtime = None

    def stop_damaged(self, damage: CorruptRecordError) -> None:
        """Stop the table whose stored record was found damaged; one that is not in memory is not loaded any more."""
        entry = self._entries.get(damage.table)
        if entry is None:
            return
        if entry.actor is not None:
            entry.actor.stop_damaged(damage)
        elif entry.is_listed:
            self._mark_corrupt(entry)

    def _on_damage_found(self, damage: CorruptRecordError) -> None:
        """Stop a table for good that was read through."""
        entry = self._entry(damage.table)
        self._mark_corrupt(entry)
        live = self._remove(entry)
        if live is not None:
            live.stop_damaged(damage)

    def _remove(self, entry: TableEntry) -> TableActor | None:
        """Take a table out of memory as it is, and return it; None when it is not in memory."""
        actor, entry.actor, entry.last_use, entry.presence_version = entry.actor, None, None, None
        self.live.pop(entry.table, None)
        return actor

    def is_open(self, table: str) -> bool:
        """Return whether a table can be played at."""
        entry = self._entries.get(table)
        if entry is None:
            return False
        return entry.last_summary() is not None if entry.actor is None else _is_open(entry.actor)

    def is_corrupt(self, table: str) -> bool:
        """Return whether a table that is not in memory stays shut because its record is damaged."""
        return table in self._entries and self._entries[table].is_corrupt

    def is_expired(self, table: str) -> bool:
        """Return whether a table's record was deleted."""
        return table in self._entries and self._entries[table].is_expired

    def summaries(self) -> list[TableSummary]:
        """Return the tables that are open, oldest first."""
        return list(self._summaries())

    def _summaries(self) -> Iterator[TableSummary]:
        for entry in self._entries.values():
            if not entry.is_listed:
                continue
            if entry.actor is not None:
                if _is_open(entry.actor):
                    yield _summary(entry, entry.actor)
            elif (summary := entry.last_summary()) is not None:
                yield summary

    def _unloaded(self) -> Iterator[TableSummary]:
        """Yield the open tables that are in no server's memory."""
        return (entry.summary for entry in self._entries.values() if entry.is_unloaded and entry.summary is not None)

    def count_damaged(self) -> int:
        """Return how many tables have stopped because their record is damaged."""
        corrupt = sum(entry.is_corrupt for entry in self._entries.values())
        return corrupt + sum(live.is_stopped for live in self.live.values())

    def busy(self) -> bool:
        """Return whether time counts at any table."""
        awake = any(live.state.clocks or live.state.next_at for live in self.live.values())
        return awake or any(summary.runs for summary in self._unloaded())

    def has_pending_downtime(self) -> bool:
        """Return whether time was lost by which a table's clocks are not moved yet."""
        waiting = any(entry.downtime is not None for entry in self._entries.values())
        return waiting or any(live.has_pending_downtime for live in self.live.values())

    def add_downtime(self, lost: Downtime) -> None:
        """Move the clocks by a time in which nobody could do anything; who sleeps is told when it is up."""
        for live in self.live.values():
            if live.state.clocks or live.state.next_at is not None:
                live.add_downtime(lost)
        for summary in self._unloaded():
            if summary.runs:
                entry = self._entries[summary.table]
                entry.downtime = merge(entry.downtime, lost)
                self._enqueue_load(summary.table)

    def _enqueue_load(self, table: str) -> None:
        self._to_load[table] = None
        self._come.set()

    async def _load_loop(self) -> None:
        """Load tables, some at a time; one that cannot be loaded now is tried again after the others."""
        failures = 0
        while True:
            if not self._to_load:
                self.recovered.set()
                self._come.clear()
                await self._come.wait()
            tables = list(islice(self._to_load, LOAD_CONCURRENCY))
            for table in tables:
                del self._to_load[table]
            result = await asyncio.gather(*map(self.get, tables), return_exceptions=True)
            failed = {
                table: error
                for table, error in zip(tables, result, strict=True)
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
        """Put to sleep what is of no use now, and wake what will have something to do soon."""
        self._deps.stall_detector.check()  # while the process stood still nobody could use a table
        now = self._deps.now()
        for live in tuple(self.live.values()):
            entry = self._entries[live.id]
            if is_unused(entry, live, self._idle_seconds) and can_evict(entry, live, _summary(entry, live)):
                self._evict(entry, live)
        for summary in self._unloaded():
            if is_due_soon(summary, now):
                self._enqueue_load(summary.table)

    def _evict(self, entry: TableEntry, live: TableActor) -> None:
        self._enqueue_snapshot(entry, live)
        entry.is_listed = not live.state.closed
        entry.summary = _summary(entry, live) if entry.is_listed else None
        self._remove(entry)
        self._drop_unknown(entry)
        self._notify_unloaded(live)
        leaving = asyncio.create_task(self._leave(live))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    async def _leave(self, live: TableActor) -> None:
        await live.stop()
        leases, config = self._deps.store.leases, live.state.config
        if leases.is_standalone or config.cup:
            return
        rested = [table for table in (live.id, config.again) if table and self._can_release(table)]
        if rested:
            try:
                await leases.release(rested)
            except Exception as error:  # noqa: BLE001 - it stays ours then, and is woken here
                log.warning("a lease was not given back", table=live.id, error=error_location(error))

    def _can_release(self, table: str) -> bool:
        """Return whether another server may own a table: it is not in memory, nor what is played in its place.

        Who asks for a rematch is sent to where it is played then, even when nothing is heard over the bus.
        """
        again = (live.state.config.again for live in self.live.values())
        entry = self._entries.get(table)
        is_here = entry is not None and (entry.actor is not None or entry.loading is not None)
        return not is_here and table not in again

    def _enqueue_snapshot(self, entry: TableEntry, live: TableActor) -> None:
        """Let the store keep what the table has come to, unless it does."""
        if self._deps.snapshots is not None and entry.snapshot_version != live.state.version:
            self._deps.snapshots.enqueue(live.state)
            entry.snapshot_version = live.state.version

    def local_tables(self) -> list[str]:
        """Return the open tables in memory."""
        return [table for table, live in self.live.items() if _is_open(live)]

    def local_table(self, table: str) -> tuple[TableSummary, list[str]] | None:
        """Return the summary of an open table in memory, and who follows it; None for any other."""
        live = self.live.get(table)
        if live is None or not _is_open(live):
            return None
        return _summary(self._entries[table], live), live.audience.watchers()

    def watchers(self, table: str) -> list[str]:
        """Return the guests who follow a table, wherever it is."""
        entry = self._entries.get(table)
        if entry is None:
            return []
        if entry.actor is not None:
            return entry.actor.audience.watchers()
        return [] if entry.remote is None else entry.remote.watchers

    def on_remote_update(self, server: int, table: str, summary: Raw, followers: list[str]) -> None:
        """Called when a table of another server has changed, or who follows it there."""
        entry = self._entry(table)
        if entry.actor is None:
            entry.is_listed = True
            # A copy: what it came with would stay in memory as long as this one.
            entry.remote = RemoteTable(server, followers, summary.copy())

    def on_remote_unloaded(self, server: int, table: str) -> None:
        """Called when another server has a table in memory no longer: it is nobody's, or closed."""
        entry = self._entries.get(table)
        if entry is None or entry.actor is not None or entry.remote is None or entry.remote.server != server:
            return
        entry.forget_remote()
        if entry.summary is not None and entry.summary.phase == "closed":
            entry.is_listed, entry.summary = False, None
        self._drop_unknown(entry)

    def on_server_left(self, server: int) -> None:
        """Called when a server is over: what it owned is nobody's."""
        for entry in tuple(self._entries.values()):
            if entry.remote is not None and entry.remote.server == server:
                entry.forget_remote()
                self._drop_unknown(entry)

    def adopt(self, tables: Iterable[str]) -> None:
        """Load what has lost its owner, unless somebody else does."""
        for table in tables:
            entry = self._entries.get(table)
            if entry is not None:
                entry.forget_remote()
            if table not in self.live:
                self._enqueue_load(table)

    def drop_all(self) -> None:
        """Drop what is in memory as it is: it is another server's, and nothing more may be written of it."""
        for task in self._loading():
            task.cancel()
        dropped, self.live = self.live, {}
        for entry in tuple(self._entries.values()):
            entry.snapshot_version = entry.downtime = None
        for live in dropped.values():
            live.cancel()
            entry = self._entries[live.id]
            self._remove(entry)
            entry.summary = None if live.state.closed else summarize(live.state)
            entry.is_listed = not live.state.closed
            self._notify_unloaded(live)
            self._drop_unknown(entry)


def _summary(entry: TableEntry, actor: TableActor) -> TableSummary:
    """Return the summary of a table in memory, made once a version."""
    if entry.summary is None or entry.summary.version != actor.state.version:
        entry.summary = summarize(actor.state)
    return entry.summary


async def _await_load(loading: asyncio.Task[TableActor | None]) -> TableActor | None:
    """Return what comes of loading a table; whoever gives up waiting is not the only one.

    Raises Over when this server has stopped loading, because its tables are another's: nobody here gave up.
    """
    try:
        return await asyncio.shield(loading)
    except asyncio.CancelledError:
        waiting = asyncio.current_task()
        if loading.cancelled() and waiting is not None and not waiting.cancelling():
            raise FencedError from None
        raise


def _is_open(live: TableActor) -> bool:
    return not live.state.closed and not live.is_stopped
