"""Plays every table of a database again: do its hashes hold, do its events fold, does the ledger agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from triptych.server.tables.event_log import is_table_stream
from triptych.store.errors import CorruptRecordError
from triptych.store.interface import EventStore
from triptych.store.types import Posting, StoredEvent
from triptych.table.aggregate import evolve
from triptych.table.codec import EventReader
from triptych.table.ledger import Transfer, transfers
from triptych.table.state import TableState


class AuditReport(Struct, frozen=True):
    """What was found: how many tables and tournaments, events and postings; `faults` in words, none if all holds.

    `deleted`: of so many nothing is kept but what the accounts hold.
    """

    tables: int = 0
    beside: int = 0
    events: int = 0
    postings: int = 0
    faults: tuple[str, ...] = ()
    deleted: int = 0


async def audit(store: EventStore) -> AuditReport:
    """Return what an open store holds, played again table by table, those that have ended too."""
    tables = beside = events = postings = 0
    faults: list[str] = []
    for stream in await store.tables(ended=True):
        replay, stored = _Replay(), 0
        try:
            async for page in store.pages(stream):
                stored += len(page)
                if is_table_stream(stream):
                    replay.go_on(page)
            entries = await store.postings(stream)
        except CorruptRecordError as damage:
            faults.append(str(damage))
            continue
        events += stored
        postings += len(entries)
        tables += is_table_stream(stream)
        beside += not is_table_stream(stream)
        if is_table_stream(stream) and (fault := replay.fault(entries)):
            faults.append(f"table {stream}: {fault}")
    deleted = await store.archive.expired()
    for stream in deleted:
        try:
            postings += len(await store.postings(stream))
        except CorruptRecordError as damage:
            faults.append(str(damage))
    return AuditReport(tables, beside, events, postings, tuple(faults), len(deleted))


class _Replay:
    """A table whose hashes hold, played again page by page."""

    def __init__(self) -> None:
        self._reader = EventReader()
        self._state: TableState | None = None
        self._events = 0
        self._transfers: list[Transfer] = []
        self._error = ""

    def go_on(self, page: Sequence[StoredEvent]) -> None:
        """Play what comes next."""
        self._events += len(page)
        if self._error:
            return
        try:
            for event in self._reader.read(page):
                self._state = evolve(self._state, event)
                self._transfers += transfers((event,))
        except Exception as error:  # noqa: BLE001 - its text may hold cards; the other tables are waiting
            self._error = f"its events cannot be played again ({type(error).__name__})"

    def fault(self, postings: Sequence[Posting]) -> str:
        """Return what is wrong with the table and its postings; empty when nothing is."""
        if self._error:
            return self._error
        version = 0 if self._state is None else self._state.version
        if version != self._events:
            return f"it is at version {version} after {self._events} events"
        return ledger_mismatch(self._transfers, postings)


def ledger_mismatch(moved: Iterable[Transfer], postings: Sequence[Posting]) -> str:
    """Return what is wrong with the postings of what moved at a table; empty when nothing is."""
    wanted = [Posting(one.debit, one.credit, one.points, one.reason) for one in moved]
    if wanted != list(postings):
        return f"its events move points in {len(wanted)} postings, the ledger has {len(postings)}, and they differ"
    return ""
