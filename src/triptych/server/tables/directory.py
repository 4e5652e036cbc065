"""Which tables are in memory and which sleep: each is loaded when it is asked for, or shortly before its time comes.

Of one that sleeps only a glance is at hand. What is in memory and of no use to anybody for a while goes back to
sleep; it is its events again, so nothing is lost with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias

import structlog
from msgspec import Raw

from triptych.server.backoff import backoff_seconds
from triptych.server.log import error_location
from triptych.server.tables.actor import TableActor, TableDeps
from triptych.server.tables.downtime import Downtime, merge
from triptych.server.tables.event_log import is_table_stream
from triptych.server.tables.eviction import EvictionPolicy, is_due_soon
from triptych.server.tables.integrity import StreamVerifier
from triptych.server.tables.remote_tables import RemoteTables
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
        self._rest = EvictionPolicy(sleep_after)
        self.live: dict[str, TableActor] = {}
        self.damaged: set[str] = set()
        self.expired: set[str] = set()  # asked for after their record was deleted
        # All open tables, oldest first; None for one that is in memory or another server's, or not known yet.
        self._glances: dict[str, TableSummary | None] = {}
        self._made: dict[str, TableSummary] = {}  # of those in memory, when they were last asked for
        self._noted: dict[str, int] = {}  # the version of which the store has snapshot and glance
        self._pending_downtime: dict[str, Downtime] = {}  # time that one not in memory has lost
        self._loading: dict[str, asyncio.Task[TableActor | None]] = {}
        self._waking: dict[str, None] = {}
        self._come = asyncio.Event()
        self._verifier = StreamVerifier(deps.store, self._found_damaged)
        self._tasks: list[asyncio.Task[None]] = []
        self._leaving: set[asyncio.Task[None]] = set()
        self._abroad = RemoteTables()
        self.recovered = asyncio.Event()

    async def open(self, since: int) -> None:
        """Look what there is; `since`: when the server was last known to run (ms).

        What was in use then is brought back behind: it has to hear of the stop.
        """
        for standing in await self._deps.store.snapshots.open_streams():
            if not is_table_stream(standing.table):
                continue
            glance = self._glances[standing.table] = decode(standing.note)
            if glance is None or glance.version != standing.version or not glance.is_idle:
                self._pending_downtime[standing.table] = Downtime(since, None, "restart")
                self._enqueue_load(standing.table)
            else:
                self._noted[standing.table] = glance.version
        self._tasks = [
            asyncio.create_task(self._load_loop(), name="recovery"),
            asyncio.create_task(self._verifier.run(self.recovered), name="read through"),
            asyncio.create_task(self._sweep(), name="sweep"),
        ]
        if self._deps.snapshots is not None:
            self._deps.snapshots.open()

    async def close(self) -> None:
        """Stop all tables when each has done what was asked of it; the next start has to load none of them."""
        for task in (*self._tasks, *self._loading.values()):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._loading.values(), return_exceptions=True)
        await asyncio.gather(*self._leaving, *(live.stop() for live in self.live.values()))
        if self._deps.snapshots is not None:
            for live in self.live.values():
                self._enqueue_snapshot(live)
            await self._deps.snapshots.close()

    def _notify_changed(self, live: TableActor) -> None:
        for listener in self.on_changed:
            listener(live)

    def _notify_unloaded(self, live: TableActor) -> None:
        for listener in self.on_unloaded:
            listener(live)

    def loaded(self, table: str) -> TableActor | None:
        """Return a table that is in memory, None for any other."""
        live = self.live.get(table)
        # One that is followed stays in memory anyway (server/tables/eviction.py).
        if live is not None and not live.audience.is_watched:
            self._rest.touch(live)
        return live

    async def get(self, table: str) -> TableActor | None:
        """Return a table, loaded when it is not in memory; or None, it is damaged or deleted.

        Raises what keeps the store from answering.
        """
        live = self.loaded(table)
        if live is not None:
            return live
        loading = self._loading.get(table) or self._begun(table, self._load(table))
        return await _await_load(loading)

    async def add(self, table: str, opening: TableFactory) -> TableActor:
        """Return a new table when it is stored, as `opening` does. Raises what kept it from that."""
        live = await _await_load(self._begun(table, self._opened(table, opening)))
        assert live is not None  # noqa: S101 - it has been opened; this is for the type checker
        return live

    def _begun(self, table: str, work: Coroutine[Any, Any, TableActor | None]) -> asyncio.Task[TableActor | None]:
        """Begin to make a table: whoever asks for it meanwhile gets the same one."""
        task = self._loading[table] = asyncio.create_task(work, name=f"loading {table}")

        def done(task: asyncio.Task[TableActor | None]) -> None:
            if self._loading.get(table) is task:  # another one may have begun meanwhile
                del self._loading[table]
            if not task.cancelled():
                task.exception()  # whoever asked has been told, unless they gave up

        task.add_done_callback(done)
        return task

    async def _opened(self, table: str, opening: TableFactory) -> TableActor:
        try:
            # Another server may have opened it first, and died: it has lost time then as any other.
            await self._take(table, new=True)
        except BaseException:
            opening.close()
            raise
        state, events = await opening
        self._verifier.mark_verified(state.config.table)
        return self._install(state, tuple(enumerate(events, 1)))

    async def _load(self, table: str) -> TableActor | None:
        if table in self.damaged:
            return None
        await self._take(table)
        try:
            found = await load_table(self._deps.store, table)
        except CorruptRecordError as damage:
            log.error("a table stays shut", table=table, error=str(damage))  # noqa: TRY400 - it says all
            self._mark_corrupt(table)
            return None
        except UnreadableStreamError as error:  # one table must not keep the others shut
            log.error(  # noqa: TRY400 - an exception's text may hold cards
                "table cannot be read", table=table, error=error.where
            )
            self._mark_corrupt(table)
            return None
        except RecordExpiredError:
            self.expired.add(table)
            await self._deps.store.leases.release([table])
            return None
        if found is None:
            # It may be a tournament's name, which makes up its own.
            self._pending_downtime.pop(table, None)
            self._deps.store.leases.mark_compensated(table)
            return None
        if not self._deps.store.leases.holds(table):
            return await self._load(table)  # it was opened elsewhere after it was asked for
        state, history, whole = found
        (self._verifier.mark_verified if whole else self._verifier.enqueue)(table)
        return self._install(state, history)

    async def _take(self, table: str, *, new: bool = False) -> None:
        """Own a table from now on. Raises Elsewhere when somebody else does."""
        leases = self._deps.store.leases
        if leases.is_standalone:
            return
        owner = await leases.acquire(table, new=new)
        if owner is not None:
            self._abroad.set_owner(owner.number, table)
            self._pending_downtime.pop(table, None)
            raise RemoteOwnerError(owner)
        self._is_here(table)
        unheard = leases.pop_takeover_downtime(table)
        if unheard:
            lost = Downtime(self._deps.now() - unheard, None, "restart")
            self._pending_downtime[table] = merge(self._pending_downtime.get(table), lost)
        if self._deps.results is not None and not new:
            # Whoever owned it meanwhile may have recorded more of it, or not all.
            self._deps.results.reload(table)

    def _install(self, state: TableState, history: Sequence[tuple[int, TableEvent]]) -> TableActor:
        table = state.config.table
        live = self.live[table] = TableActor(state, self._deps, self._notify_changed)
        self._abroad.remove(table)
        if not state.closed:
            self._glances[table] = None
        self._rest.touch(live)
        live.start(history, self._pending_downtime.pop(table, None))
        return live

    def _mark_corrupt(self, table: str) -> None:
        """Open a table no more: its record is damaged."""
        self.damaged.add(table)
        self._glances.pop(table, None)
        self._pending_downtime.pop(table, None)

    def stop_damaged(self, damage: CorruptRecordError) -> None:
        """Stop the table whose stored record was found damaged; one that sleeps is not woken any more."""
        live = self.live.get(damage.table)
        if live is not None:
            live.stop_damaged(damage)
        elif damage.table in self._glances:
            self._mark_corrupt(damage.table)

    def _found_damaged(self, damage: CorruptRecordError) -> None:
        """Stop a table for good that was read through."""
        self._mark_corrupt(damage.table)
        live = self.live.pop(damage.table, None)
        if live is not None:
            live.stop_damaged(damage)

    def is_open(self, table: str) -> bool:
        """Return whether a table can be played at."""
        live = self.live.get(table)
        if live is None:
            return (self._abroad.glance(table) or self._glances.get(table)) is not None
        return _is_open(live)

    def summaries(self) -> list[TableSummary]:
        """Return the tables that are open, oldest first."""
        return list(self._summaries())

    def _summaries(self) -> Iterator[TableSummary]:
        for table, glance in self._glances.items():
            live = self.live.get(table)
            if live is not None:
                if _is_open(live):
                    yield self._glance(live)
            elif (seen := self._abroad.glance(table) or glance) is not None:
                yield seen

    def _glance(self, live: TableActor) -> TableSummary:
        made = self._made.get(live.id)
        if made is None or made.version != live.state.version:
            made = self._made[live.id] = summarize(live.state)
        return made

    def _asleep(self) -> Iterator[TableSummary]:
        away = self._abroad
        return (
            g for g in self._glances.values() if g is not None and g.table not in self.live and g.table not in away
        )

    def count_damaged(self) -> int:
        """Return how many tables have stopped because their record is damaged."""
        return len(self.damaged) + sum(live.is_stopped for live in self.live.values())

    def busy(self) -> bool:
        """Return whether time counts at any table."""
        awake = any(live.state.clocks or live.state.next_at for live in self.live.values())
        return awake or any(glance.runs for glance in self._asleep())

    def makes_up(self) -> bool:
        """Return whether time was lost by which a table's clocks are not moved yet."""
        return bool(self._pending_downtime) or any(live.has_pending_downtime for live in self.live.values())

    def stood_still(self, lost: Downtime) -> None:
        """Move the clocks by a time in which nobody could do anything; who sleeps is told when it is up."""
        for live in self.live.values():
            if live.state.clocks or live.state.next_at is not None:
                live.add_downtime(lost)
        for glance in self._asleep():
            if glance.runs:
                self._pending_downtime[glance.table] = merge(self._pending_downtime.get(glance.table), lost)
                self._enqueue_load(glance.table)

    def _enqueue_load(self, table: str) -> None:
        self._waking[table] = None
        self._come.set()

    async def _load_loop(self) -> None:
        """Load tables, some at a time; one that cannot be loaded now is tried again after the others."""
        failures = 0
        while True:
            if not self._waking:
                self.recovered.set()
                self._come.clear()
                await self._come.wait()
            tables = list(islice(self._waking, LOAD_CONCURRENCY))
            for table in tables:
                del self._waking[table]
            found = await asyncio.gather(*map(self.get, tables), return_exceptions=True)
            failed = {
                table: error
                for table, error in zip(tables, found, strict=True)
                if isinstance(error, Exception) and not isinstance(error, RemoteOwnerError)
            }
            for table, error in failed.items():
                log.error("table cannot be loaded", table=table, error=error_location(error))  # it may hold cards
                self._enqueue_load(table)
            failures = failures + 1 if failed else 0
            await asyncio.sleep(backoff_seconds(failures))

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(EVICTION_INTERVAL_SECONDS, self._rest.after / 4))
            self.evict_idle()

    def evict_idle(self) -> None:
        """Put to sleep what is of no use now, and wake what will have something to do soon."""
        self._deps.stall_detector.check()  # while the process stood still nobody could use a table
        now = self._deps.now()
        for live in tuple(self.live.values()):
            if self._rest.is_unused(live) and self._rest.can_evict(live, self._glance(live), live.clock):
                self._evict(live)
        for glance in self._asleep():
            if is_due_soon(glance, now):
                self._enqueue_load(glance.table)

    def _evict(self, live: TableActor) -> None:
        del self.live[live.id]
        if live.state.closed:
            self._glances.pop(live.id, None)
        else:
            self._glances[live.id] = self._glance(live)
        self._made.pop(live.id, None)
        self._rest.forget(live.id)
        self._enqueue_snapshot(live)
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
        return table not in self.live and table not in self._loading and table not in again

    def _enqueue_snapshot(self, live: TableActor) -> None:
        """Let the store keep what the table has come to, unless it does."""
        if self._deps.snapshots is not None and self._noted.get(live.id) != live.state.version:
            self._deps.snapshots.enqueue(live.state)
            self._noted[live.id] = live.state.version

    def local_tables(self) -> list[str]:
        """Return the open tables in memory."""
        return [table for table, live in self.live.items() if _is_open(live)]

    def local_table(self, table: str) -> tuple[TableSummary, list[str]] | None:
        """Return an open table in memory at a glance, and who follows it; None for any other."""
        live = self.live.get(table)
        return (self._glance(live), live.audience.watchers()) if live is not None and _is_open(live) else None

    def watchers(self, table: str) -> list[str]:
        """Return the guests who follow a table, wherever it is."""
        live = self.live.get(table)
        if live is not None:
            return live.audience.watchers()
        return self._abroad.watchers(table)

    def on_remote_update(self, server: int, table: str, told: Raw, followers: list[str]) -> None:
        """Called when a table of another server has changed."""
        if table not in self.live:
            self._glances.setdefault(table, None)
            self._abroad.update(server, table, told, followers)

    def on_remote_unloaded(self, server: int, table: str) -> None:
        """Called when another server has a table in memory no longer: it is nobody's, or closed."""
        if table not in self.live and self._abroad.owner(table) == server:
            self._is_here(table)
            glance = self._glances.get(table)
            if glance is not None and glance.phase == "closed":
                del self._glances[table]

    def on_server_left(self, server: int) -> None:
        """Called when a server is over: what it owned is nobody's."""
        for table in self._abroad.tables_of(server):
            self._is_here(table)

    def _is_here(self, table: str) -> None:
        """Note that no other server owns a table; how it was told of last is how it is."""
        glance = self._abroad.glance(table)
        if glance is not None and table in self._glances:
            self._glances[table] = glance
        self._abroad.remove(table)

    def adopt(self, tables: Iterable[str]) -> None:
        """Load what has lost its owner, unless somebody else does."""
        for table in tables:
            self._is_here(table)
            if table not in self.live:
                self._enqueue_load(table)

    def drop_all(self) -> None:
        """Drop what is in memory as it is: it is another server's, and nothing more may be written of it."""
        for task in tuple(self._loading.values()):
            task.cancel()
        dropped, self.live = self.live, {}
        for live in dropped.values():
            live.cancel()
            if not live.state.closed:
                self._glances[live.id] = summarize(live.state)
            self._notify_unloaded(live)
            self._rest.forget(live.id)
        for kept in (self._made, self._noted, self._pending_downtime):
            kept.clear()


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
