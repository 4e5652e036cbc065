"""Keeps everybody's results beside the tables, behind their commits: no move waits for it, and events can rebuild it.

With a table's first news in this process the store is asked for what a crash left out; then all are counted as they
come. What an earlier process left behind waits until there is no news.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from triptych.errors import error_location
from triptych.server.backoff import backoff_seconds
from triptych.server.log import RateLimitedLogger
from triptych.server.tables.deleted_names import deleted_names
from triptych.server.tables.event_log import decode_events, is_table_stream
from triptych.server.tables.snapshots import load_snapshot
from triptych.store.errors import CorruptRecordError, RecordExpiredError
from triptych.store.interface import EventStore
from triptych.store.results import ResultsUpdate, StoredDealResult, StoredSessionResult, merge
from triptych.store.types import StoredEvent
from triptych.table.codec import decode
from triptych.table.events import TableEvent
from triptych.table.results import DealResult, Results, SessionResult, collect_results, is_result
from triptych.table.state import TableState

# What comes meanwhile is recorded together.
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
    """Events of a table that its record is to be moved by; without a state, the table is read from the store."""

    table: str
    state: TableState | None = None
    events: tuple[TableEvent, ...] = ()


class DecodedSession(NamedTuple):
    """One of a player's sessions, as it is kept."""

    table: str
    at: int
    result: SessionResult


def read_deal(line: StoredDealResult) -> DealResult:
    """Return what is kept of a deal."""
    return _DEAL.decode(line.payload)


def read_session(session: StoredSessionResult) -> DecodedSession:
    """Return what is kept of a session."""
    return DecodedSession(session.table, session.at, _SESSION.decode(session.payload))


class ResultsProjector:
    """The one writer of results; `is_deleted` tells whose are not kept."""

    def __init__(self, store: EventStore, is_deleted: Callable[[str], bool], trouble: RateLimitedLogger) -> None:
        self._store = store
        self._is_deleted = is_deleted
        self._trouble = trouble
        self._news: deque[_PendingTable] = deque()
        self._behind: deque[_PendingTable] = deque()
        self._tries: Counter[str] = Counter()
        self._come = asyncio.Event()
        self._sure: set[str] = set()
        self._closed: dict[tuple[str, int], tuple[DecodedSession, ...]] = {}
        self._recorded = 0
        self._task: asyncio.Task[None] | None = None
        self._sessions: dict[str, tuple[int, dict[str, SessionResult]]] = {}
        self._written = asyncio.Event()
        self._hurry = asyncio.Event()
        self._busy = False

    async def open(self) -> None:
        """Begin, with what was not recorded when the server stopped."""
        leases = self._store.leases
        if leases.leader == leases.this_server:  # others record what is theirs
            self._behind.extend(
                _PendingTable(table) for table in await self._store.results.stale_tables() if is_table_stream(table)
            )
        self._come.set()
        self._task = asyncio.create_task(self._run(), name="recorder")

    async def close(self) -> None:
        """Record what is waiting, if that can be done soon; the rest is found again."""
        if self._task is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.drain()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def drain(self) -> None:
        """Wait until everything heard so far is recorded."""
        while self._news or self._busy:
            self._hurry.set()
            self._written.clear()
            await self._written.wait()

    def enqueue(self, table: str, before: TableState, events: Sequence[TableEvent]) -> None:
        """Note what a table has stored; never waits. `before`: the table before these events."""
        if any(is_result(event) for event in events):
            self._news.append(_PendingTable(table, before, tuple(events)))
            self._come.set()

    def reload(self, table: str) -> None:
        """Read a table from the store again."""
        self._invalidate(table)
        self._news.append(_PendingTable(table))
        self._come.set()

    async def rename_players(self, table: str, names: Mapping[str, str]) -> None:
        """Give players other names in what everybody keeps of their session at a table."""
        await self.drain()
        changed = [
            StoredSessionResult(one.player, table, one.at, _WRITE.encode(session))
            for one in await self._store.results.sessions_at(table)
            if (session := _with_names(stored := read_session(one).result, names)) != stored
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
            # More than asked for: some of the tables may still be open.
            result = map(read_session, await self._store.results.sessions_of(player, 3 * limit))
            sessions = tuple(one for one in result if one.result.closed)[:limit]
            if len(self._closed) >= MAX_CACHED:
                self._closed.clear()
            if recorded == self._recorded:
                self._closed[player, limit] = sessions
        return sessions

    async def _run(self) -> None:
        while True:
            if not self._news and not self._behind:
                self._come.clear()
                await self._come.wait()
            self._busy = True
            pause = PAUSE_SECONDS if self._news else CATCH_UP_PAUSE_SECONDS
            await self._record_all(self._next())
            self._busy = False
            self._written.set()
            if not self._news:
                self._hurry.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._hurry.wait()

    def _next(self) -> list[_PendingTable]:
        """Return the news that are recorded together; without any, a table that was left behind."""
        if self._news:
            return [self._news.popleft() for _ in range(min(BATCH_SIZE, len(self._news)))]
        news = self._behind.popleft()
        return [] if news.table in self._sure else [news]

    async def _record_all(self, those: Sequence[_PendingTable]) -> None:
        records: dict[str, ResultsUpdate] = {}
        for news in those:
            try:
                record = await self._project(news)
            except (CorruptRecordError, RecordExpiredError):
                continue  # whoever opens the table is told
            except Exception as error:  # noqa: BLE001 - the store may be away
                await self._failed(news.table, error)
                continue
            if record is not None:
                records[news.table] = merge(records.get(news.table), record)
        try:
            await self._store.results.save(tuple(records.values()))
        except Exception as error:  # noqa: BLE001 - as above
            for table in records:
                await self._failed(table, error)
            return
        for record in records.values():
            self._tries.pop(record.table, None)
            self._recorded += 1
            for session in record.sessions:
                for key in [key for key in self._closed if key[0] == session.player]:
                    del self._closed[key]

    async def _failed(self, table: str, error: Exception) -> None:
        """Try again after the others; what fails often waits until the table has news, or the server starts again."""
        self._trouble.error("results not recorded", table=table, error=error_location(error))
        self._invalidate(table)
        self._tries[table] += 1
        tries = self._tries[table]
        if tries < MAX_TRIES:
            self._behind.append(_PendingTable(table))
            await asyncio.sleep(backoff_seconds(tries))
        else:
            del self._tries[table]

    def _invalidate(self, table: str) -> None:
        """Be sure of a table no more: what comes next of it is read from the store."""
        self._sure.discard(table)
        self._sessions.pop(table, None)

    async def _project(self, news: _PendingTable) -> ResultsUpdate | None:
        """Return what news come to; None when they were recorded before."""
        table = news.table
        first = news.state is not None and table not in self._sure and _nothing_came_before(news.state)
        reached, sessions = (0, {}) if first else self._sessions.get(table) or await self._recorded_of(table)
        if news.state is not None and (
            first or table in self._sure or await self._is_contiguous(table, news.state, reached)
        ):
            version = news.state.version + len(news.events)
            result = collect_results(news.events, sessions, state=news.state, after=reached)
        else:
            state, stored = await self._stored(table, reached)
            version = (0 if state is None else state.version) + len(stored)
            result = await asyncio.to_thread(_read, state, stored, sessions, reached)
            names = deleted_names(stored, self._is_deleted)
            result.sessions = {player: _with_names(one, names) for player, one in result.sessions.items()}
        self._sure.add(table)
        if version <= reached:
            return None
        if len(self._sessions) >= MAX_TABLES:
            self._sessions.clear()
        self._sessions[table] = version, {**sessions, **result.sessions}
        changed = [
            StoredSessionResult(player, table, one.ended, _WRITE.encode(one))
            for player, one in result.sessions.items()
            if sessions.get(player) != one and not self._is_deleted(player)
        ]
        return ResultsUpdate(table, version, tuple(_lines(table, result, self._is_deleted)), tuple(changed))

    async def _is_contiguous(self, table: str, state: TableState, reached: int) -> bool:
        """Return whether nothing brought results between where the record ended and a state."""
        if not reached:
            return False
        between = (await self._store.load(table, reached))[: max(0, state.version - reached)]
        # By whatever rules they are read, events that bring results are known.
        rules = state.config.rules
        return not any(is_result(decode(one.visibility, one.seat, one.payload, rules)) for one in between)

    async def _stored(self, table: str, reached: int) -> tuple[TableState | None, Sequence[StoredEvent]]:
        """Return a table's events in the store, from its snapshot on where all before that is recorded."""
        state = await load_snapshot(self._store, table) if reached else None
        if state is not None and state.version > reached:
            state = None
        return state, await self._store.load(table, 0 if state is None else state.version)

    async def _recorded_of(self, table: str) -> tuple[int, dict[str, SessionResult]]:
        records = self._store.results
        reached = await records.projected_version(table)
        result = await records.sessions_at(table) if reached else ()
        return reached, {one.player: read_session(one).result for one in result}


def _nothing_came_before(state: TableState) -> bool:
    """Return whether a table's first deal is being played: it has no results yet that could have been recorded."""
    return state.deals == state.matches == 1 and not state.settled


def _read(
    state: TableState | None, stored: Sequence[StoredEvent], sessions: dict[str, SessionResult], reached: int
) -> Results:
    return collect_results(decode_events(stored, state), sessions, state=state, after=reached)


def _with_names(session: SessionResult, names: Mapping[str, str]) -> SessionResult:
    return replace(session, company=tuple(names.get(name, name) for name in session.company))


def _lines(table: str, results: Results, is_deleted: Callable[[str], bool]) -> Iterator[StoredDealResult]:
    for player, deal in results.deals:
        if not is_deleted(player):
            yield StoredDealResult(player, table, deal.deal, deal.at, _WRITE.encode(deal))
