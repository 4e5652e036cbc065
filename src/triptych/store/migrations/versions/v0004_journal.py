"""Create the journal with all existing tables in it, so that from now on everything can be projected from it."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from triptych.store.checksums import FIRST, event_checksum, posting_checksum
from triptych.store.journal.rows import corrupt_row, encode_row
from triptych.store.types import Append, IdempotencyKey, NewEvent, Posting, StoredSheet

revision = "0004"
down_revision = "0003"

_DAMAGE = "it was damaged before the journal was begun"


def upgrade() -> None:
    """Create the journal and fill it with one row per table."""
    op.create_table(
        "journal",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("tables", sa.Text, nullable=False),
        sa.Column("frame", sa.LargeBinary, nullable=False),
        sa.Column("checksum", sa.LargeBinary, nullable=False),
    )
    op.add_column("streams", sa.Column("damage", sa.Text))
    connection = op.get_bind()
    number, before = 0, FIRST
    for table, *head in connection.execute(
        sa.text("SELECT table_id, version, ended, checksum, ledger_checksum FROM streams ORDER BY id")
    ).all():
        appends = _appends(connection, table, *head)
        number += 1
        if appends is None:
            damaged = sa.text("UPDATE streams SET damage = :what WHERE table_id = :table")
            connection.execute(damaged, {"what": _DAMAGE, "table": table})
            row = corrupt_row(number, 0, before, table)
        else:
            row = encode_row(number, 0, before, appends)
        before = row.checksum
        connection.execute(
            sa.text("INSERT INTO journal VALUES (:number, 0, :tables, :frame, :checksum)"),
            {"number": number, "tables": row.tables, "frame": row.frame, "checksum": row.checksum},
        )
    marks = sa.text("INSERT INTO marks (name, value) VALUES (:name, :value)")
    connection.execute(marks, [{"name": "epoch", "value": 0}, {"name": "projected", "value": number}])


def _appends(
    connection: sa.Connection, table: str, version: int, ended: int, checksum: bytes, ledger: bytes
) -> list[Append] | None:
    """Return a table as appends: its whole record, then each command's reply; None when it is corrupt."""
    events, last = [], FIRST
    query = "version, visibility, seat, payload FROM events WHERE table_id = :table ORDER BY version"
    for number, visibility, seat, payload in _rows(connection, query, table):
        events.append(NewEvent(visibility, seat, bytes(payload)))
        last = event_checksum(last, table, number, events[-1])
    postings, posted = [], FIRST
    query = "debit, credit, points, reason FROM postings WHERE table_id = :table ORDER BY id"
    for posting in _rows(connection, query, table):
        postings.append(Posting(*posting))
        posted = posting_checksum(posted, table, postings[-1])
    if (len(events), last, posted) != (version, bytes(checksum or FIRST), bytes(ledger or FIRST)):
        return None
    query = 'deal, "match", payload FROM deals WHERE table_id = :table ORDER BY deal'
    sheets = [StoredSheet(deal, match, bytes(payload)) for deal, match, payload in _rows(connection, query, table)]
    query = "player, cmd_id, answer FROM commands WHERE table_id = :table ORDER BY player, cmd_id"
    replies = [
        Append(
            table=table,
            expected_version=version,
            events=(),
            idempotency_key=IdempotencyKey(player, cmd_id),
            reply=bytes(reply),
            ends_stream=bool(ended),
        )
        for player, cmd_id, reply in _rows(connection, query, table)
    ]
    record = Append(
        table=table,
        expected_version=0,
        events=tuple(events),
        postings=tuple(postings),
        summaries=tuple(sheets),
        ends_stream=bool(ended),
    )
    return [record, *replies]


def _rows(connection: sa.Connection, query: str, table: str) -> Iterator[Any]:
    return iter(connection.execute(sa.text(f"SELECT {query}"), {"table": table}))
