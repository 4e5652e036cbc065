"""Makes from the journal what is read: events by table, answers by command, the ledger, summaries; behind the commit.

It is a function of the journal alone. How far a table has come stands with the table and moves in the transaction
that writes its rows, so whoever comes first may do it, and after a crash it goes on where it was. Many rows of the
journal are taken together, table by table: a page of the database is written once for many appends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, delete, select, text, update

from triptych.store.bulk_insert import IGNORE_CONFLICTS, bulk_insert, upsert_clause
from triptych.store.checksums import FIRST, deal_checksum, posting_checksum, row_checksum
from triptych.store.journal.backlog import DAMAGED_ROW, Appends, gap_message
from triptych.store.journal.batch import command_id_of
from triptych.store.journal.rows import PARTITION_SHIFT
from triptych.store.projections.event_rows import encode_events, events_checksum
from triptych.store.schema import commands, counters, deals, events, postings, streams
from triptych.store.types import Append

EPOCH: Final = "epoch"
PROJECTED: Final = "projected"  # of lane 0
DOWNTIME_MARK: Final = "lost "  # and a lease's name (postgres/leases.py)
COMPENSATED_MARK: Final = "counted "  # and a lane (postgres/leases.py)


def counted_mark(lane: int) -> str:
    """Return the mark that says until when a server has made up all time that was lost to its tables."""
    return f"{COMPENSATED_MARK}{lane}"


def projected_mark(lane: int) -> str:
    """Return the mark that says how far a lane of the journal is projected."""
    return f"{PROJECTED} {lane}" if lane else PROJECTED


# Appends in one transaction.
_LOT: Final = 64


_BEGIN: Final = text("INSERT INTO marks (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING")


def chunks(tables: Mapping[str, Appends]) -> Iterator[Mapping[str, Appends]]:
    """Divide tables into transactions: what is to be committed waits for no more than one of them.

    New tables come first, in their order, which is kept. Then all others by name, as their rows lie: those that share
    a page of the database are mostly in the same transaction.
    """
    lot: dict[str, Appends] = {}
    size = 0
    for table, appends in sorted(tables.items(), key=_order):
        if size >= _LOT:
            yield lot
            lot, size = {}, 0
        lot[table] = appends
        size += len(appends)
    yield lot


def _order(table: tuple[str, Appends]) -> str:
    name, (first, *_) = table
    return "" if first is not None and not first.expected_version else name


def project(lane: int, lot: Mapping[str, Appends], last: int | None, connection: Connection) -> None:
    """Project what is not projected yet of some tables in a lane, in the connection's transaction.

    `last`: the row of the journal up to which all of the lane is projected then; None when more is to come.
    """
    # Locked, so that of two processes the second one sees what the first has done.
    of_lane = counters.c.name == projected_mark(lane)
    wanted = select(counters.c.value).where(of_lane).with_for_update()
    reached: int | None = connection.execute(wanted).scalar()
    if reached is None:  # a lane that was looked after no more, read again from its beginning
        connection.execute(_BEGIN, {"name": projected_mark(lane), "value": lane << PARTITION_SHIFT})
        reached = connection.execute(wanted).scalar_one()
    _write(connection, lot)
    if last is not None and last > reached:
        connection.execute(update(counters).where(of_lane).values(value=last))


def delete_projections(connection: Connection) -> None:
    """Throw away what was made from the journal, in the connection's transaction; `project` makes it anew."""
    for table in (streams, events, commands, postings, deals):
        connection.execute(delete(table))
    for name in (
        connection.execute(select(counters.c.name).where(counters.c.name.startswith(PROJECTED))).scalars().all()
    ):
        lane = int(name.removeprefix(PROJECTED) or 0)
        connection.execute(update(counters).where(counters.c.name == name).values(value=lane << PARTITION_SHIFT))


class _Head(NamedTuple):
    """Where a table's record ends: its row's id (None for a new one), version, state, and the last checksums."""

    id: int | None = None
    version: int = 0
    ended: bool = False
    checksum: bytes = FIRST
    ledger: bytes = FIRST
    damage: str | None = None


_NEW: Final = _Head()


def _write(connection: Connection, lot: Mapping[str, Appends]) -> None:
    """Write what tables have in the journal, in few statements however many appends that are."""
    heads = _heads_in_sqlite(connection, lot) if connection.dialect.name == "sqlite" else _heads(connection, lot)
    rows = _Made([], [], [], [])
    changed: dict[str, _Head] = {}
    for table, appends in lot.items():
        head = heads.get(table, _NEW)
        for append in appends:
            if append is None:
                head = head._replace(damage=DAMAGED_ROW)
            elif head.damage is None:
                head = _appended(append, head, rows)
        # What another server has projected meanwhile, and more, is left as it is.
        if head is not heads.get(table, _NEW):
            changed[table] = head
    bulk_insert(connection, events, rows.events)
    bulk_insert(connection, commands, rows.commands, tail=IGNORE_CONFLICTS)
    bulk_insert(connection, postings, rows.postings, leave=("id",))
    bulk_insert(connection, deals, rows.deals, tail=IGNORE_CONFLICTS)
    moved = [(head.id, table, *head[1:]) for table, head in changed.items() if head.id is not None]
    new = [(table, *head[1:]) for table, head in changed.items() if head.id is None]
    bulk_insert(connection, streams, new, leave=("id",))
    bulk_insert(connection, streams, moved, tail=upsert_clause(streams, leave=("table_id",)))


class _Made(NamedTuple):
    """Rows to be written."""

    events: list[tuple[Any, ...]]
    commands: list[tuple[Any, ...]]
    postings: list[tuple[Any, ...]]
    deals: list[tuple[Any, ...]]


def _appended(append: Append, head: _Head, rows: _Made) -> _Head:
    """Note what an append comes to; return where its table's record ends then."""
    table, version, checksum, ledger = append.table, head.version, head.checksum, head.ledger
    if append.expected_version < version:
        return head  # it was projected before
    if append.expected_version != version:
        return head._replace(damage=gap_message(version, append.expected_version))
    if append.events:
        payload = encode_events(append.events)
        version += len(append.events)
        checksum = events_checksum(checksum, table, version, payload)
        rows.events.append((table, version, payload, checksum))
    for posting in append.postings:
        ledger = posting_checksum(ledger, table, posting)
        rows.postings.append((table, posting.debit, posting.credit, posting.points, posting.reason, ledger))
    key = command_id_of(append)
    if key is not None:
        rows.commands.append((*key, append.reply, row_checksum(append.reply, *key)))
    for deal in append.summaries:
        rows.deals.append((table, deal.deal, deal.match, deal.payload, deal_checksum(table, deal)))
    return head._replace(version=version, ended=append.ends_stream, checksum=checksum, ledger=ledger)


def _heads(connection: Connection, tables: Iterable[str]) -> dict[str, _Head]:
    rows = connection.execute(_wanted_heads(), {"names": list(tables)})
    return {table: _Head(*head) for table, *head in rows}


@lru_cache(1)
def _wanted_heads() -> Any:  # noqa: ANN401 - SQLAlchemy's own
    columns = (streams.c.table_id, streams.c.id, streams.c.version, streams.c.ended)
    last = (streams.c.checksum, streams.c.ledger_checksum, streams.c.damage)
    wanted = select(*columns, *last).where(streams.c.table_id.in_(bindparam("names", expanding=True)))
    # Locked, for a table that is put away meanwhile has another checksum from then on (sql/archive.py).
    return wanted.order_by(streams.c.table_id).with_for_update()


# All in one row: the driver asks for Python's lock after each. Whatever may have been altered comes as its bytes.
_HEADS_IN_SQLITE: Final = """
    SELECT json_group_array(json_array(
        table_id, id, version, ended, hex(checksum), hex(ledger_checksum), iif(damage IS NULL, NULL, hex(damage))
    )) FROM streams WHERE table_id IN (SELECT value FROM json_each(?))
"""
_READ_HEADS: Final = msgspec.json.Decoder(list[tuple[str, int, int, bool, str, str, str | None]], strict=False)


def _heads_in_sqlite(connection: Connection, tables: Iterable[str]) -> dict[str, _Head]:
    names = msgspec.json.encode(list(tables)).decode()
    document: str = connection.exec_driver_sql(_HEADS_IN_SQLITE, (names,)).scalar_one()
    return {
        table: _Head(row, version, ended, bytes.fromhex(checksum), bytes.fromhex(ledger), _as_read(damage))
        for table, row, version, ended, checksum, ledger, damage in _READ_HEADS.decode(document)
    }


def _as_read(damage: str | None) -> str | None:
    return None if damage is None else bytes.fromhex(damage).decode("utf-8", "surrogateescape")
