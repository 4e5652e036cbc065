"""Project the journal after commit: events by table, replies by command, the ledger, summaries.

Projections depend on the journal alone. A table's projected version is stored with the table and changes in the
transaction that writes its rows, so any process may project, and after a crash it continues. Many rows of the journal
are projected together, table by table: a page of the database is written once for many appends.
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
PROJECTED: Final = "projected"  # of partition 0
DOWNTIME_MARK: Final = "lost "  # followed by a lease's name (postgres/leases.py)
COMPENSATED_MARK: Final = "counted "  # followed by a partition (postgres/leases.py)


def counted_mark(partition: int) -> str:
    """Return the name of the mark until when a server has compensated all downtime of its tables."""
    return f"{COMPENSATED_MARK}{partition}"


def projected_mark(partition: int) -> str:
    """Return the name of the mark up to which a partition of the journal is projected."""
    return f"{PROJECTED} {partition}" if partition else PROJECTED


# Appends in one transaction.
_CHUNK: Final = 64


_INSERT_MARK: Final = text("INSERT INTO marks (name, value) VALUES (:name, :value) ON CONFLICT DO NOTHING")


def chunks(tables: Mapping[str, Appends]) -> Iterator[Mapping[str, Appends]]:
    """Divide tables into transactions, so that a commit waits for no more than one of them.

    New tables come first, in their order, which is stored. Then the others by name, as their rows are stored: tables
    that share a page of the database are mostly in the same transaction.
    """
    chunk: dict[str, Appends] = {}
    size = 0
    for table, appends in sorted(tables.items(), key=_order):
        if size >= _CHUNK:
            yield chunk
            chunk, size = {}, 0
        chunk[table] = appends
        size += len(appends)
    yield chunk


def _order(table: tuple[str, Appends]) -> str:
    name, (first, *_) = table
    return "" if first is not None and not first.expected_version else name


def project(partition: int, chunk: Mapping[str, Appends], last: int | None, connection: Connection) -> None:
    """Project the backlog of some tables of a partition, in the connection's transaction.

    `last`: the journal's row up to which the whole partition is projected then; None when more chunks follow.
    """
    # Locked, so that a second process sees the changes of the first.
    of_partition = counters.c.name == projected_mark(partition)
    query = select(counters.c.value).where(of_partition).with_for_update()
    projected: int | None = connection.execute(query).scalar()
    if projected is None:  # the partition's mark was deleted, and it is read again from its beginning
        start = partition << PARTITION_SHIFT
        connection.execute(_INSERT_MARK, {"name": projected_mark(partition), "value": start})
        projected = connection.execute(query).scalar_one()
    _write(connection, chunk)
    if last is not None and last > projected:
        connection.execute(update(counters).where(of_partition).values(value=last))


def delete_projections(connection: Connection) -> None:
    """Delete all projections, in the connection's transaction; `project` rebuilds them."""
    for table in (streams, events, commands, postings, deals):
        connection.execute(delete(table))
    for name in (
        connection.execute(select(counters.c.name).where(counters.c.name.startswith(PROJECTED))).scalars().all()
    ):
        start = int(name.removeprefix(PROJECTED) or 0) << PARTITION_SHIFT
        connection.execute(update(counters).where(counters.c.name == name).values(value=start))


class _Head(NamedTuple):
    """The end of a table's record: its row's id (None for a new one), version, state, and the last checksums."""

    id: int | None = None
    version: int = 0
    ended: bool = False
    checksum: bytes = FIRST
    ledger: bytes = FIRST
    damage: str | None = None


_NEW: Final = _Head()


def _write(connection: Connection, chunk: Mapping[str, Appends]) -> None:
    """Write the appends of tables, in few statements however many appends there are."""
    heads = _heads_in_sqlite(connection, chunk) if connection.dialect.name == "sqlite" else _heads(connection, chunk)
    rows = _NewRows([], [], [], [])
    changed: dict[str, _Head] = {}
    for table, appends in chunk.items():
        head = heads.get(table, _NEW)
        for append in appends:
            if append is None:
                head = head._replace(damage=DAMAGED_ROW)
            elif head.damage is None:
                head = _appended(append, head, rows)
        # A table that another server has projected this far meanwhile is left as it is.
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


class _NewRows(NamedTuple):
    events: list[tuple[Any, ...]]
    commands: list[tuple[Any, ...]]
    postings: list[tuple[Any, ...]]
    deals: list[tuple[Any, ...]]


def _appended(append: Append, head: _Head, rows: _NewRows) -> _Head:
    """Add the rows of an append; return the new end of its table's record."""
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
    rows = connection.execute(_heads_query(), {"names": list(tables)})
    return {table: _Head(*head) for table, *head in rows}


@lru_cache(1)
def _heads_query() -> Any:  # noqa: ANN401 - SQLAlchemy's own
    columns = (streams.c.table_id, streams.c.id, streams.c.version, streams.c.ended)
    last = (streams.c.checksum, streams.c.ledger_checksum, streams.c.damage)
    query = select(*columns, *last).where(streams.c.table_id.in_(bindparam("names", expanding=True)))
    # Locked, because archiving changes a table's checksum (sql/archive.py).
    return query.order_by(streams.c.table_id).with_for_update()


# All in one row: the driver acquires Python's lock after each. Values that may be corrupt are read as bytes.
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
        table: _Head(row, version, ended, bytes.fromhex(checksum), bytes.fromhex(ledger), _decode(damage))
        for table, row, version, ended, checksum, ledger, damage in _READ_HEADS.decode(document)
    }


def _decode(damage: str | None) -> str | None:
    return None if damage is None else bytes.fromhex(damage).decode("utf-8", "surrogateescape")
