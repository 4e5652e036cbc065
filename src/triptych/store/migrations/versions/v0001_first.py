"""Tables for events, answered commands, the ledger, finished deals, guests and secrets."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first schema."""
    op.create_table(
        "streams",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.String(64), nullable=False, unique=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("visibility", sa.String(8), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "commands",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("cmd_id", sa.String(64), primary_key=True),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "postings",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("debit", sa.String(160), nullable=False),
        sa.Column("credit", sa.String(160), nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("reason", sa.String(160), nullable=False),
        sa.CheckConstraint("points > 0", name="postings_positive"),
        sa.CheckConstraint("debit <> credit", name="postings_two_sides"),
    )
    op.create_index("postings_by_table", "postings", ["table_id"])
    op.create_index("postings_by_debit", "postings", ["debit"])
    op.create_index("postings_by_credit", "postings", ["credit"])
    op.create_table(
        "deals",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("deal", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("match", sa.Integer, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "players",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "marks",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.BigInteger, nullable=False),
    )
