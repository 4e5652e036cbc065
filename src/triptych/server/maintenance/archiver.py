"""Puts tables and tournaments away a while after they are over, and deletes what is kept for a time only.

Behind the tables, slowly, and by the server that has been here for longest. Before a table is put away it is played
again: one whose events and ledger do not agree stays where it is. The log says what is deleted: nothing while the
clock may be wrong (clock_check.py), and no more at a time than is usual.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import Final, NamedTuple

import structlog

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
# Between one thing and the next: those who play come first.
ITEM_PAUSE_SECONDS: Final = 0.05
REPLAY_CHUNK: Final = 20  # events played again at a time
# Deleted in one round: ten times what becomes due in one when it comes evenly, and so many where that is less.
USUAL_TIMES: Final = 10
MIN_A_ROUND: Final = 10


class RetentionPolicy(NamedTuple):
    """In seconds: so long after its end a table is put away, and kept (None: for ever)."""

    after: float
    keep: float | None = None


class _EndedStream(NamedTuple):
    """A stream that has ended: its version, and when (ms); None when it cannot be put away."""

    version: int
    at: int | None


class Archiver:
    """See above; `open_tables` returns those that are played at."""

    def __init__(
        self,
        store: EventStore,
        now: Callable[[], int],
        open_tables: Callable[[], Iterable[TableSummary]],
        times: RetentionPolicy,
        clock: ClockCheck,
    ) -> None:
        self._store = store
        self._now = now
        self._open_tables = open_tables
        self._times = times
        self._clock = clock
        self._over: dict[str, _EndedStream] = {}
        self._tidy = False
        self._task: asyncio.Task[None] | None = None
        self._pause = min(ARCHIVE_INTERVAL_SECONDS, times.after / 4)

    def open(self) -> None:
        """Begin."""
        self._task = asyncio.create_task(self._run(), name="archivist")

    async def close(self) -> None:
        """Stop; what is half done is finished by the next one."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._pause)
            leases = self._store.leases
            if not leases.is_standalone and leases.leader != leases.this_server:
                continue
            try:
                await self._run_once()
            except Exception as error:  # noqa: BLE001 - the store may be away; the next round tries again
                log.warning("nothing more was put away", error=error_location(error))

    async def _run_once(self) -> None:
        due = await self._store.archive.unarchived()
        self._over = {stream: over for stream, over in self._over.items() if stream in set(due)}
        done = await self._archive_due(due)
        if self._times.keep is not None and self._clock.is_believed():
            done |= await self._delete(round(self._times.keep * 1000))
        if done or not self._tidy:  # the first time, what a stop has left
            await self._store.archive.compact()
            self._tidy = True

    async def _archive_due(self, due: Sequence[str]) -> bool:
        done = False
        for stream in due:
            over = self._over.get(stream) or await self._inspect(stream)
            if over.at is None or self._now() - over.at < self._times.after * 1000:
                continue
            if await self._store.archive.archive(stream, over.version, over.at):
                done = True
            self._over.pop(stream, None)
            await asyncio.sleep(ITEM_PAUSE_SECONDS)
        return done

    async def _inspect(self, stream: str) -> _EndedStream:
        """Play a stream again and note when it was over. Raises what keeps the store from answering."""
        version = 0
        at: int | None = None
        try:
            stored = await self._store.load(stream)
            postings = await self._store.postings(stream)
            version = len(stored)
            at = await _table(stored, postings) if is_table_stream(stream) else _cup(stored)
        except (CorruptRecordError, _ReplayError) as fault:
            log.error("not put away", stream=stream, error=str(fault))  # noqa: TRY400 - it says all
        self._over[stream] = over = _EndedStream(version, at)
        await asyncio.sleep(ITEM_PAUSE_SECONDS)
        return over

    async def _delete(self, keep: int) -> bool:
        """Delete what was over for so long (ms), and forget guests who have had no result for as long."""
        now = self._now()
        there = await self._store.archive.counts()
        usual = self._usual(there.tables)
        due = await self._store.archive.ended_before(now - keep, usual + 1)
        gone = due[:usual]
        for table in gone:
            await self._store.archive.expire(table)
            await asyncio.sleep(ITEM_PAUSE_SECONDS)
        here = {seat.player for one in self._open_tables() for seat in one.seats if seat is not None}
        hosts = {player for one in self._open_tables() for player in (one.opener, one.host)}
        guests = await self._store.archive.delete_inactive_guests(
            now, now - keep, here | hosts, self._usual(there.guests)
        )
        if gone or guests:
            waits = {"waits": "more than usual is due; the rest is deleted later"} if len(due) > usual else {}
            log.warning("deleted, for their time was up", tables=gone, guests=guests, **waits)
        return bool(gone)

    def _usual(self, there: int) -> int:
        """Return how many of so many are deleted in one round at most."""
        rounds = (self._times.keep or 0) / self._pause
        return max(MIN_A_ROUND, ceil(USUAL_TIMES * there / max(1, rounds)))


class _ReplayError(Exception):
    """A stream that cannot be played again, or does not agree with the ledger."""


async def _table(stored: Sequence[StoredEvent], postings: Sequence[Posting]) -> int:
    """Return when a table was over (ms). Raises _Faulty."""
    state: TableState | None = None
    moved: list[Transfer] = []
    try:
        for number, event in enumerate(decode_events(stored), 1):
            state = evolve(state, event)
            moved += transfers((event,))
            if not number % REPLAY_CHUNK:
                await asyncio.sleep(0.001)
    except Exception as error:  # noqa: BLE001 - whatever it is, what was stored is at fault; its text may hold cards
        raise _ReplayError(error_location(error)) from None
    fault = ledger_mismatch(moved, postings)
    if fault or state is None or not state.closed:
        raise _ReplayError(fault or "it ended, and is not closed")
    return state.at


def _cup(stored: Sequence[StoredEvent]) -> int:
    """Return when a tournament was over (ms). Raises _Faulty."""
    try:
        state = replay(None, stored)
    except Exception as error:  # noqa: BLE001 - as above
        raise _ReplayError(error_location(error)) from None
    if state is None:
        raise _ReplayError("it has no events")
    return state.at
