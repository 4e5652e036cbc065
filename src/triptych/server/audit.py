"""Plays every table of a database again: do its hashes hold, do its events fold, does the ledger agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from triptych.room.ledger import transfers
from triptych.server.tables.record import fold, is_table
from triptych.store.protocol import Damaged, Posting

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triptych.room.events import TableEvent
    from triptych.store.protocol import EventStore, Stored


class Audit(Struct, frozen=True):
    """What was found: how many tables and tournaments, events and postings; `faults` in words, none if all holds.

    `deleted`: of so many nothing is kept but what the accounts hold.
    """

    tables: int = 0
    beside: int = 0
    events: int = 0
    postings: int = 0
    faults: tuple[str, ...] = ()
    deleted: int = 0


async def audit(store: EventStore) -> Audit:
    """Return what an open store holds, played again table by table, those that have ended too."""
    tables = beside = events = postings = 0
    faults: list[str] = []
    for stream in await store.tables(ended=True):
        try:
            stored = await store.load(stream)
            made = await store.postings(stream)
        except Damaged as damage:
            faults.append(str(damage))
            continue
        events += len(stored)
        postings += len(made)
        tables += is_table(stream)
        beside += not is_table(stream)
        if is_table(stream) and (fault := _fault(stored, made)):
            faults.append(f"table {stream}: {fault}")
    deleted = await store.archive.expired()
    for stream in deleted:
        try:
            postings += len(await store.postings(stream))
        except Damaged as damage:
            faults.append(str(damage))
    return Audit(tables, beside, events, postings, tuple(faults), len(deleted))


def _fault(stored: Sequence[Stored], made: Sequence[Posting]) -> str:
    """Return what is wrong with a table whose hashes hold; empty when nothing is."""
    try:
        state, history = fold(stored)
    except Exception as error:  # noqa: BLE001 - its text may hold cards; the other tables are waiting
        return f"its events cannot be played again ({type(error).__name__})"
    if state.version != len(stored):
        return f"it is at version {state.version} after {len(stored)} events"
    return ledger_fault((event for _, event in history), made)


def ledger_fault(events: Iterable[TableEvent], made: Sequence[Posting]) -> str:
    """Return what is wrong with the postings of a table's events; empty when nothing is."""
    wanted = [Posting(one.debit, one.credit, one.points, one.reason) for one in transfers(events)]
    if wanted != list(made):
        return (
            f"its events move points in {len(wanted)} postings, the ledger has {len(made)}, and they are not the same"
        )
    return ""
