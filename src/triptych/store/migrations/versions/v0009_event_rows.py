"""Store events in one row per append, as in the journal, instead of one row per event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import op

from triptych.store.archive.rows import ArchiveRow, decode_row
from triptych.store.checksums import FIRST, checksum_or_empty, event_checksum
from triptych.store.errors import CorruptRecordError
from triptych.store.journal.rows import decode_frame
from triptych.store.projections.event_rows import encode_events, events_checksum
from triptych.store.types import NewEvent

revision = "0009"
down_revision = "0008"

_DAMAGE = "it was damaged before its events lay in a row an append"
_BATCH = 500
_INSERT = (
    "INSERT INTO new_events (table_id, version, payload, checksum) VALUES (:table, :version, :payload, :checksum)"
)


class _Head(NamedTuple):
    """A table's version and checksum; `archived`: those up to which it is archived."""

    table: str
    version: int
    checksum: bytes
    archived: tuple[int, bytes]


def upgrade() -> None:
    """Read every table's events, and write them grouped as they were appended."""
    op.create_table(
        "new_events",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("checksum", sa.LargeBinary, nullable=False),
    )
    connection = op.get_bind()
    ends = _ends(connection)
    for head in list(_heads(connection)):
        rows = _rows(connection, head, ends[head.table])
        if rows is None:
            change = sa.text("UPDATE streams SET damage = coalesce(damage, :what) WHERE table_id = :table")
            connection.execute(change, {"what": _DAMAGE, "table": head.table})
        elif rows:
            for first in range(0, len(rows), _BATCH):
                connection.execute(sa.text(_INSERT), rows[first : first + _BATCH])
            change = sa.text("UPDATE streams SET checksum = :checksum WHERE table_id = :table")
            connection.execute(change, {"checksum": rows[-1]["checksum"], "table": head.table})
    op.drop_table("events")
    op.rename_table("new_events", "events")
    if connection.dialect.name == "postgresql":
        op.execute("ALTER INDEX new_events_pkey RENAME TO events_pkey")


def _ends(connection: sa.Connection) -> dict[str, set[int]]:
    """Return the last versions of each table's appends, as far as they can be read."""
    ends: dict[str, set[int]] = defaultdict(set)
    query = sa.text("SELECT number, frame FROM journal WHERE number > :after ORDER BY number LIMIT 500")
    after: int | None = -1
    while after is not None:
        rows = connection.execute(query, {"after": after}).all()
        for row in rows:
            for append in decode_frame(bytes(row.frame)) or ():
                ends[append.table].add(append.expected_version + len(append.events))
        after = rows[-1].number if rows else None
    return ends


def _heads(connection: sa.Connection) -> Iterator[_Head]:
    query = """
        SELECT streams.table_id, streams.version, streams.checksum, archive.version AS archived, archive.at,
        archive.kept, archive.payload, archive.checksum AS archive_checksum
        FROM streams LEFT JOIN archive ON archive.table_id = streams.table_id ORDER BY streams.id
    """
    for row in connection.execute(sa.text(query)):
        archived = (0, FIRST)
        if row.archived is not None:
            fields = (row.at, bool(row.kept), bytes(row.payload), bytes(row.archive_checksum))
            archived = (row.archived, _last_checksum(ArchiveRow(row.table_id, row.archived, *fields)))
        yield _Head(row.table_id, row.version, bytes(row.checksum or FIRST), archived)


def _last_checksum(row: ArchiveRow) -> bytes:
    try:
        return decode_row(row).head
    except CorruptRecordError:
        return FIRST


def _rows(connection: sa.Connection, head: _Head, ends: set[int]) -> list[dict[str, Any]] | None:
    """Return the rows of a table's events that are not archived; None when they are corrupt."""
    (version, checksum), rows = head.archived, []
    last, waiting = checksum, []
    query = """
        SELECT version, visibility, seat, payload, checksum FROM events
        WHERE table_id = :table AND version > :after ORDER BY version
    """
    for row in connection.execute(sa.text(query), {"table": head.table, "after": version}):
        version += 1
        waiting.append(NewEvent(row.visibility, row.seat, bytes(row.payload)))
        checksum = checksum_or_empty(event_checksum, checksum, head.table, version, waiting[-1])
        if row.version != version or row.checksum != checksum:
            return None
        if version in ends or version == head.version:
            payload = encode_events(waiting)
            last = events_checksum(last, head.table, version, payload)
            rows.append({"table": head.table, "version": version, "payload": payload, "checksum": last})
            waiting = []
    if (version, checksum) != (head.version, head.checksum):
        return None
    return rows
