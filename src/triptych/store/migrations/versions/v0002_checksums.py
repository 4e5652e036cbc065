"""Add chained checksums; existing rows get theirs."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

from triptych.store.checksums import FIRST, deal_checksum, event_checksum, posting_checksum, row_checksum
from triptych.store.types import NewEvent, Posting, StoredSheet

revision = "0002"
down_revision = "0001"

_AT_ONCE = 1000


def upgrade() -> None:
    """Add the columns and fill them."""
    for table, column in (
        ("streams", "checksum"),
        ("streams", "ledger_checksum"),
        ("events", "checksum"),
        ("commands", "checksum"),
        ("postings", "checksum"),
        ("deals", "checksum"),
    ):
        op.add_column(table, sa.Column(column, sa.LargeBinary))
    connection = op.get_bind()
    for (table,) in connection.execute(sa.text("SELECT table_id FROM streams")).all():
        _fill(connection, table)


def _fill(connection: sa.Connection, table: str) -> None:
    last, changes = FIRST, []
    query = "SELECT version, visibility, seat, payload FROM events WHERE table_id = :table ORDER BY version"
    for version, visibility, seat, payload in connection.execute(sa.text(query), {"table": table}):
        last = event_checksum(last, table, version, NewEvent(visibility, seat, bytes(payload)))
        changes.append({"table": table, "version": version, "checksum": last})
    _change(connection, "events SET checksum = :checksum WHERE table_id = :table AND version = :version", changes)

    posted, changes = FIRST, []
    query = "SELECT id, debit, credit, points, reason FROM postings WHERE table_id = :table ORDER BY id"
    for number, *posting in connection.execute(sa.text(query), {"table": table}):
        posted = posting_checksum(posted, table, Posting(*posting))
        changes.append({"id": number, "checksum": posted})
    _change(connection, "postings SET checksum = :checksum WHERE id = :id", changes)

    query = "SELECT player, cmd_id, answer FROM commands WHERE table_id = :table"
    changes = [
        {"table": table, "player": player, "cmd": cmd, "checksum": row_checksum(bytes(answer), table, player, cmd)}
        for player, cmd, answer in connection.execute(sa.text(query), {"table": table})
    ]
    condition = "table_id = :table AND player = :player AND cmd_id = :cmd"
    _change(connection, f"commands SET checksum = :checksum WHERE {condition}", changes)

    query = 'SELECT deal, "match", payload FROM deals WHERE table_id = :table'
    changes = [
        {"table": table, "deal": deal, "checksum": deal_checksum(table, StoredSheet(deal, match, bytes(payload)))}
        for deal, match, payload in connection.execute(sa.text(query), {"table": table})
    ]
    _change(connection, "deals SET checksum = :checksum WHERE table_id = :table AND deal = :deal", changes)

    heads = [{"table": table, "last": last, "posted": posted}]
    _change(connection, "streams SET checksum = :last, ledger_checksum = :posted WHERE table_id = :table", heads)


def _change(connection: sa.Connection, what: str, changes: Sequence[dict[str, Any]]) -> None:
    for first in range(0, len(changes), _AT_ONCE):
        connection.execute(sa.text(f"UPDATE {what}"), changes[first : first + _AT_ONCE])
