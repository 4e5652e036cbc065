"""A database of now, given the schema that it had before events lay in a row an append, and sessions were kept."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, text

from triptych.store.archive.rows import ArchiveRow, decode_row
from triptych.store.checksums import FIRST, event_checksum
from triptych.store.types import NewEvent

_CREATE = """
    CREATE TABLE old_events (table_id VARCHAR(64) NOT NULL, version INTEGER NOT NULL, visibility VARCHAR(8) NOT NULL,
    seat INTEGER, payload {blob} NOT NULL, checksum {blob}, PRIMARY KEY (table_id, version))
"""
_INSERT = "INSERT INTO old_events VALUES (:table, :version, :visibility, :seat, :payload, :checksum)"


def downgrade_to_0008(connection: Connection) -> None:
    """Write a row an event, as schema 0008 had it."""
    connection.execute(text(_CREATE.format(blob="BLOB" if connection.dialect.name == "sqlite" else "BYTEA")))
    archived = {row.table_id: ArchiveRow(*row) for row in connection.execute(text("SELECT * FROM archive"))}
    for (table,) in connection.execute(text("SELECT table_id FROM streams")).all():
        first = archived.get(table)
        version, checksum = (0, FIRST) if first is None else (first.version, decode_row(first).head)
        wanted = text("SELECT payload FROM events WHERE table_id = :table AND version > :after ORDER BY version")
        for (payload,) in connection.execute(wanted, {"table": table, "after": version}).all():
            for visibility, seat, body in msgspec.msgpack.decode(payload):
                version += 1
                checksum = event_checksum(checksum, table, version, NewEvent(visibility, seat, body))
                row = {"visibility": visibility, "seat": seat, "payload": body, "checksum": checksum}
                connection.execute(text(_INSERT), {"table": table, "version": version, **row})
        change = text("UPDATE streams SET checksum = :checksum WHERE table_id = :table")
        connection.execute(change, {"checksum": checksum, "table": table})
    for later in ("daily_results", "reviews", "sessions", "epochs"):
        connection.execute(text(f"DROP TABLE {later}"))
    connection.execute(text("DROP TABLE events"))
    connection.execute(text("ALTER TABLE old_events RENAME TO events"))
    connection.execute(text("UPDATE alembic_version SET version_num = '0008'"))
