"""Projects tables' events into players' results asynchronously, after commit: no move waits for it.

At a table's first events in this process, the store is read for results that were missing after a crash; from then
on events are projected as they arrive. The backlog of an earlier process waits until there are no new events. The
results can be rebuilt from events.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from triptych.async_tasks import cancel_tasks, wait_at_most
from triptych.errors import error_location
from triptych.server.backoff import backoff_seconds
from triptych.server.log import RateLimitedLogger
from triptych.server.tables.deleted_names import deleted_names
from triptych.server.tables.event_log import decode_events, is_table_stream
from triptych.server.tables.snapshots import load_snapshot
from triptych.store.errors import CorruptRecordError, RecordExpiredError
from triptych.store.interface import EventStore
from triptych.store.types import ResultsUpdate, StoredDealResult, StoredEvent, StoredSessionResult, merge_results
from triptych.table.codec import decode
from triptych.table.events import TableEvent
from triptych.table.results import DealResult, Results, SessionResult, collect_results, is_result
from triptych.table.state import TableState

# Events that arrive during this pause are recorded together.
PAUSE_SECONDS: Final = 2.0
CATCH_UP_PAUSE_SECONDS: Final = 0.002  # the tables come first
BATCH_SIZE: Final = 64
MAX_TABLES: Final = 5_000
MAX_TRIES: Final = 5
CLOSE_SECONDS: Final = 5.0
MAX_CACHED: Final = 1_000
_WRITE: Final = msgspec.msgpack.Encoder()
_DEAL: Final = msgspec.msgpack.Decoder(DealResult)
_SESSION: Final = msgspec.msgpack.Decoder(SessionResult)


class _PendingTable(NamedTuple):
    """Events of a table that are not projected yet; without a state, the table is read from the store."""

    table: str
    state: TableState | None = None
    events: tuple[TableEvent, ...] = ()


class DecodedSession(NamedTuple):
    """The decoded result of a player's session at a table."""

    table: str
    at: int
    result: SessionResult


def read_deal(line: StoredDealResult) -> DealResult:
    """Return the decoded result of a deal."""
    return _DEAL.decode(line.payload)


def read_session(session: StoredSessionResult) -> DecodedSession:
    """Return the decoded result of a session."""
    return DecodedSession(session.table, session.at, _SESSION.decode(session.payload))


class ResultsProjector:
    """The only writer of results; those of players for whom `is_deleted` is true are not stored."""

    def __init__(self, store: EventStore, is_deleted: Callable[[str], bool], error_log: RateLimitedLogger) -> None:
        self._store = store
        self._is_deleted = is_deleted
        self._error_log = error_log
        self._queue: deque[_PendingTable] = deque()
        self._backlog: deque[_PendingTable] = deque()
        self._tries: Counter[str] = Counter()
        self._enqueued = asyncio.Event()
        self._up_to_date: set[str] = set()
        self._closed: dict[tuple[str, int], tuple[DecodedSession, ...]] = {}
        self._recorded = 0
        self._task: asyncio.Task[None] | None = None
        self._sessions: dict[str, tuple[int, dict[str, SessionResult]]] = {}
        self._written = asyncio.Event()
        self._skip_pause = asyncio.Event()
        self._busy = False

    async def open(self) -> None:
        """Start, with the tables that were not fully recorded when the server stopped."""
        leases = self._store.leases
        if leases.leader == leases.this_server:  # one server is enough
            self._backlog.extend(
                _PendingTable(table) for table in await self._store.results.stale_tables() if is_table_stream(table)
            )
        self._enqueued.set()
        self._task = asyncio.create_task(self._run(), name="results projector")

    async def close(self) -> None:
        """Record what is waiting, if that can be done soon; the next start records the remaining tables."""
        if self._task is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.drain()
        await cancel_tasks(self._task)

    async def drain(self) -> None:
        """Wait until everything enqueued so far is recorded."""
        while self._queue or self._busy:
            self._skip_pause.set()
            self._written.clear()
            await self._written.wait()

    def enqueue(self, table: str, before: TableState, events: Sequence[TableEvent]) -> None:
        """Enqueue events that a table has stored; never waits.

        `before`: the table's state before these events.
        """
        if any(is_result(event) for event in events):
            self._queue.append(_PendingTable(table, before, tuple(events)))
            self._enqueued.set()

    def reload(self, table: str) -> None:
        """Read a table from the store again."""
        self._invalidate(table)
        self._queue.append(_PendingTable(table))
        self._enqueued.set()

    async def rename_players(self, table: str, names: Mapping[str, str]) -> None:
        """Replace players' names in the stored sessions of everybody at a table."""
        await self.drain()
        changed = [
            StoredSessionResult(stored.player, table, stored.at, _WRITE.encode(renamed))
            for stored in await self._store.results.sessions_at(table)
            if (renamed := _with_names(result := read_session(stored).result, names)) != result
        ]
        if changed:
            version = await self._store.results.projected_version(table)
            await self._store.results.save([ResultsUpdate(table, version, sessions=changed)])
            self._invalidate(table)
            self._closed.clear()

    async def closed_sessions(self, player: str, limit: int) -> tuple[DecodedSession, ...]:
        """Return a player's last sessions at tables that are over, newest first."""
        sessions = self._closed.get((player, limit))
        if sessions is None:
            recorded = self._recorded
            # More than the limit: some of the tables may still be open.
            candidates = map(read_session, await self._store.results.sessions_of(player, 3 * limit))
            sessions = tuple(session for session in candidates if session.result.closed)[:limit]
            if len(self._closed) >= MAX_CACHED:
                self._closed.clear()
            if recorded == self._recorded:
                self._closed[player, limit] = sessions
        return sessions

    async def _run(self) -> None:
        while True:
            if not self._queue and not self._backlog:
                self._enqueued.clear()
                await self._enqueued.wait()
            self._busy = True
            pause = PAUSE_SECONDS if self._queue else CATCH_UP_PAUSE_SECONDS
            await self._record_all(self._next())
            self._busy = False
            self._written.set()
            if not self._queue:
                self._skip_pause.clear()
            await wait_at_most(self._skip_pause, pause)

    def _next(self) -> list[_PendingTable]:
        """Return the queued tables to record together; without any, the next table of the backlog."""
        if self._queue:
            return [self._queue.popleft() for _ in range(min(BATCH_SIZE, len(self._queue)))]
        pending = self._backlog.popleft()
        return [] if pending.table in self._up_to_date else [pending]

    async def _record_all(self, tables: Sequence[_PendingTable]) -> None:
        records: dict[str, ResultsUpdate] = {}
        for pending in tables:
            try:
                record = await self._project(pending)
            except (CorruptRecordError, RecordExpiredError):
                continue  # loading the table reports it
            except Exception as error:  # noqa: BLE001 - the store may be unavailable
                await self._retry_later(pending.table, error)
                continue
            if record is not None:
                records[pending.table] = merge_results(records.get(pending.table), record)
        try:
            await self._store.results.save(tuple(records.values()))
        except Exception as error:  # noqa: BLE001 - as above
            for table in records:
                await self._retry_later(table, error)
            return
        for record in records.values():
            self._tries.pop(record.table, None)
            self._recorded += 1
            for session in record.sessions:
                for key in [key for key in self._closed if key[0] == session.player]:
                    del self._closed[key]

    async def _retry_later(self, table: str, error: Exception) -> None:
        """Put a table at the end of the backlog; after MAX_TRIES it waits for new events or the next start."""
        self._error_log.error("results not recorded", table=table, error=error_location(error))
        self._invalidate(table)
        self._tries[table] += 1
        tries = self._tries[table]
        if tries < MAX_TRIES:
            self._backlog.append(_PendingTable(table))
            await asyncio.sleep(backoff_seconds(tries))
        else:
            del self._tries[table]

    def _invalidate(self, table: str) -> None:
        """Read a table from the store at its next events."""
        self._up_to_date.discard(table)
        self._sessions.pop(table, None)

    async def _project(self, pending: _PendingTable) -> ResultsUpdate | None:
        """Return the update for a table's pending events; None when they were recorded before."""
        table = pending.table
        first = pending.state is not None and table not in self._up_to_date and _is_first_deal(pending.state)
        reached, sessions = (0, {}) if first else self._sessions.get(table) or await self._stored_sessions(table)
        if pending.state is not None and (
            first or table in self._up_to_date or await self._is_contiguous(table, pending.state, reached)
        ):
            version = pending.state.version + len(pending.events)
            result = collect_results(pending.events, sessions, state=pending.state, after=reached)
        else:
            state, stored = await self._load(table, reached)
            version = (0 if state is None else state.version) + len(stored)
            result = await asyncio.to_thread(_read, state, stored, sessions, reached)
            names = deleted_names(stored, self._is_deleted)
            result.sessions = {player: _with_names(session, names) for player, session in result.sessions.items()}
        self._up_to_date.add(table)
        if version <= reached:
            return None
        if len(self._sessions) >= MAX_TABLES:
            self._sessions.clear()
        self._sessions[table] = version, {**sessions, **result.sessions}
        changed = [
            StoredSessionResult(player, table, session.ended, _WRITE.encode(session))
            for player, session in result.sessions.items()
            if sessions.get(player) != session and not self._is_deleted(player)
        ]
        lines = [
            StoredDealResult(player, table, deal.deal, deal.at, _WRITE.encode(deal))
            for player, deal in result.deals
            if not self._is_deleted(player)
        ]
        return ResultsUpdate(table, version, lines, changed)

    async def _is_contiguous(self, table: str, state: TableState, reached: int) -> bool:
        """Return whether no event with results lies between the last recorded version and a state."""
        if not reached:
            return False
        between = (await self._store.load(table, reached))[: max(0, state.version - reached)]
        # Whether an event has results does not depend on the rules with which it is decoded.
        rules = state.config.rules
        return not any(is_result(decode(event.visibility, event.seat, event.payload, rules)) for event in between)

    async def _load(self, table: str, reached: int) -> tuple[TableState | None, Sequence[StoredEvent]]:
        """Return a table's stored events, and the snapshot they follow if all before it is recorded."""
        state = await load_snapshot(self._store, table) if reached else None
        if state is not None and state.version > reached:
            state = None
        return state, await self._store.load(table, 0 if state is None else state.version)

    async def _stored_sessions(self, table: str) -> tuple[int, dict[str, SessionResult]]:
        records = self._store.results
        reached = await records.projected_version(table)
        sessions = await records.sessions_at(table) if reached else ()
        return reached, {session.player: read_session(session).result for session in sessions}


def _is_first_deal(state: TableState) -> bool:
    """Return whether a table's first deal is being played, so that it has no results yet."""
    return state.deals == state.matches == 1 and not state.settled


def _read(
    state: TableState | None, stored: Sequence[StoredEvent], sessions: dict[str, SessionResult], reached: int
) -> Results:
    return collect_results(decode_events(stored, state), sessions, state=state, after=reached)


def _with_names(session: SessionResult, names: Mapping[str, str]) -> SessionResult:
    return replace(session, company=tuple(names.get(name, name) for name in session.company))
