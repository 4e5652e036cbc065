"""Archives tables and tournaments a while after their end, and deletes archives after their retention time.

It runs slowly in the background, in the leader of a cluster. Before a table is archived it is replayed: one whose
events and ledger do not agree is not archived. Deletions are logged; nothing is deleted while the clock may be wrong
(clock_check.py), and no more at a time than is usual.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import Final, NamedTuple

import structlog

from triptych.async_tasks import cancel_tasks
from triptych.errors import error_location
from triptych.server.clock_check import ClockCheck
from triptych.server.maintenance.audit import ledger_mismatch
from triptych.server.tables.event_log import decode_events, is_table_stream
from triptych.server.tables.summary import TableSummary
from triptych.server.tournaments.event_log import replay
from triptych.store.errors import CorruptRecordError
from triptych.store.interface import EventStore
from triptych.store.types import Posting, StoredEvent
from triptych.table.aggregate import evolve
from triptych.table.ledger import Transfer, transfers
from triptych.table.state import TableState

log = structlog.get_logger()
ARCHIVE_INTERVAL_SECONDS: Final = 600.0
# Between two streams, so that running tables come first.
ITEM_PAUSE_SECONDS: Final = 0.05
REPLAY_CHUNK: Final = 20  # events replayed at a time
# Limits of one round's deletions: a multiple of the average round's, and at least MIN_PER_ROUND.
USUAL_TIMES: Final = 10
MIN_PER_ROUND: Final = 10


class RetentionPolicy(NamedTuple):
    """In seconds: a table is archived `after` its end, and its archive deleted after `keep` (None: never)."""

    after: float
    keep: float | None = None


class _EndedStream(NamedTuple):
    """A stream that has ended: its version and time (ms); None when it cannot be archived."""

    version: int
    at: int | None


class Archiver:
    """See above; `open_tables` returns the summaries of the tables that are open."""

    def __init__(
        self,
        store: EventStore,
        now: Callable[[], int],
        open_tables: Callable[[], Iterable[TableSummary]],
        retention: RetentionPolicy,
        clock: ClockCheck,
    ) -> None:
        self._store = store
        self._now = now
        self._open_tables = open_tables
        self._retention = retention
        self._clock = clock
        self._ended: dict[str, _EndedStream] = {}
        self._is_compacted = False
        self._task: asyncio.Task[None] | None = None
        self._pause = min(ARCHIVE_INTERVAL_SECONDS, retention.after / 4)

    def open(self) -> None:
        """Start the rounds."""
        self._task = asyncio.create_task(self._run(), name="archiver")

    async def close(self) -> None:
        """Stop; the next server finishes an interrupted round."""
        await cancel_tasks(self._task)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._pause)
            leases = self._store.leases
            if not leases.is_standalone and leases.leader != leases.this_server:
                continue
            try:
                await self._run_once()
            except Exception as error:  # noqa: BLE001 - the store may be unavailable; the next round tries again
                log.warning("archiving stopped; the next round goes on", error=error_location(error))

    async def _run_once(self) -> None:
        due = await self._store.archive.unarchived()
        self._ended = {stream: ended for stream, ended in self._ended.items() if stream in set(due)}
        is_changed = await self._archive_due(due)
        if self._retention.keep is not None and self._clock.is_believed():
            is_changed |= await self._delete(round(self._retention.keep * 1000))
        if is_changed or not self._is_compacted:  # in the first round too, for what an interrupted one left
            await self._store.archive.compact()
            self._is_compacted = True

    async def _archive_due(self, due: Sequence[str]) -> bool:
        is_changed = False
        for stream in due:
            ended = self._ended.get(stream) or await self._inspect(stream)
            if ended.at is None or self._now() - ended.at < self._retention.after * 1000:
                continue
            if await self._store.archive.archive(stream, ended.version, ended.at):
                is_changed = True
            self._ended.pop(stream, None)
            await asyncio.sleep(ITEM_PAUSE_SECONDS)
        return is_changed

    async def _inspect(self, stream: str) -> _EndedStream:
        """Replay a stream and note when it ended. Raises the store's errors."""
        version = 0
        at: int | None = None
        try:
            stored = await self._store.load(stream)
            postings = await self._store.postings(stream)
            version = len(stored)
            at = await _replay_table(stored, postings) if is_table_stream(stream) else _replay_tournament(stored)
        except (CorruptRecordError, _ReplayError) as error:
            log.error("not archived", stream=stream, error=str(error))  # noqa: TRY400 - it says all
        self._ended[stream] = ended = _EndedStream(version, at)
        await asyncio.sleep(ITEM_PAUSE_SECONDS)
        return ended

    async def _delete(self, keep: int) -> bool:
        """Delete the tables that ended so long ago (ms), and the guests without a result for as long."""
        now = self._now()
        counts = await self._store.archive.counts()
        limit = self._deletion_limit(counts.tables)
        due = await self._store.archive.ended_before(now - keep, limit + 1)
        expired = due[:limit]
        for table in expired:
            await self._store.archive.expire(table)
            await asyncio.sleep(ITEM_PAUSE_SECONDS)
        seated = {seat.player for summary in self._open_tables() for seat in summary.seats if seat is not None}
        hosts = {player for summary in self._open_tables() for player in (summary.opener, summary.host)}
        guests = await self._store.archive.delete_inactive_guests(
            now, now - keep, seated | hosts, self._deletion_limit(counts.guests)
        )
        if expired or guests:
            hints = {"waits": "more than usual is due; the rest is deleted later"} if len(due) > limit else {}
            log.warning("deleted after their retention time", tables=expired, guests=guests, **hints)
        return bool(expired)

    def _deletion_limit(self, total: int) -> int:
        """Return how many of a total are deleted in one round, at most."""
        rounds = (self._retention.keep or 0) / self._pause
        return max(MIN_PER_ROUND, ceil(USUAL_TIMES * total / max(1, rounds)))


class _ReplayError(Exception):
    """A stream cannot be replayed, or does not agree with the ledger."""


async def _replay_table(stored: Sequence[StoredEvent], postings: Sequence[Posting]) -> int:
    """Return when a table ended (ms). Raises _ReplayError."""
    state: TableState | None = None
    transferred: list[Transfer] = []
    try:
        for number, event in enumerate(decode_events(stored), 1):
            state = evolve(state, event)
            transferred += transfers((event,))
            if not number % REPLAY_CHUNK:
                await asyncio.sleep(0.001)
    except Exception as error:  # noqa: BLE001 - any error means faulty events; its text may contain cards
        raise _ReplayError(error_location(error)) from None
    mismatch = ledger_mismatch(transferred, postings)
    if mismatch or state is None or not state.closed:
        raise _ReplayError(mismatch or "it ended, and is not closed")
    return state.at


def _replay_tournament(stored: Sequence[StoredEvent]) -> int:
    """Return when a tournament ended (ms). Raises _ReplayError."""
    try:
        state = replay(None, stored)
    except Exception as error:  # noqa: BLE001 - as above
        raise _ReplayError(error_location(error)) from None
    if state is None:
        raise _ReplayError("it has no events")
    return state.at
