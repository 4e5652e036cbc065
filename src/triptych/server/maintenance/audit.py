"""Replays every table of a database, and checks its hashes, its events and its ledger."""

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
    """Numbers of tables, tournaments, events and postings; `faults`: texts, none if all is well.

    `deleted`: the number of tables of which only the postings are left.
    """

    tables: int = 0
    tournaments: int = 0
    events: int = 0
    postings: int = 0
    faults: tuple[str, ...] = ()
    deleted: int = 0


async def audit(store: EventStore) -> AuditReport:
    """Return the report of an open store, after a replay of every table, ended ones too."""
    tables = tournaments = events = postings = 0
    faults: list[str] = []
    for stream in await store.tables(ended=True):
        replay, stored = _Replay(), 0
        try:
            async for page in store.pages(stream):
                stored += len(page)
                if is_table_stream(stream):
                    replay.play(page)
            entries = await store.postings(stream)
        except CorruptRecordError as error:
            faults.append(str(error))
            continue
        events += stored
        postings += len(entries)
        tables += is_table_stream(stream)
        tournaments += not is_table_stream(stream)
        if is_table_stream(stream) and (fault := replay.fault(entries)):
            faults.append(f"table {stream}: {fault}")
    deleted = await store.archive.expired()
    for stream in deleted:
        try:
            postings += len(await store.postings(stream))
        except CorruptRecordError as error:
            faults.append(str(error))
    return AuditReport(tables, tournaments, events, postings, tuple(faults), len(deleted))


class _Replay:
    """The replay of a table, page by page; the store has verified its hashes."""

    def __init__(self) -> None:
        self._reader = EventReader()
        self._state: TableState | None = None
        self._events = 0
        self._transfers: list[Transfer] = []
        self._error = ""

    def play(self, page: Sequence[StoredEvent]) -> None:
        """Replay the next page of events."""
        self._events += len(page)
        if self._error:
            return
        try:
            for event in self._reader.read(page):
                self._state = evolve(self._state, event)
                self._transfers += transfers((event,))
        except Exception as error:  # noqa: BLE001 - its text may contain cards; the other tables go on
            self._error = f"its events cannot be played again ({type(error).__name__})"

    def fault(self, postings: Sequence[Posting]) -> str:
        """Return what is wrong with the table and its postings; empty when nothing is."""
        if self._error:
            return self._error
        version = 0 if self._state is None else self._state.version
        if version != self._events:
            return f"it is at version {version} after {self._events} events"
        return ledger_mismatch(self._transfers, postings)


def ledger_mismatch(table_transfers: Iterable[Transfer], postings: Sequence[Posting]) -> str:
    """Return what is wrong with the postings of a table's transfers; empty when nothing is."""
    expected = [
        Posting(transfer.debit, transfer.credit, transfer.points, transfer.reason) for transfer in table_transfers
    ]
    if expected != list(postings):
        return f"its events move points in {len(expected)} postings, the ledger has {len(postings)}, and they differ"
    return ""
