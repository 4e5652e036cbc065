"""Credentials of guests, and results of their deals."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables; the server fills in the results from the events."""
    op.create_table(
        "credentials",
        sa.Column("name", sa.String(160), primary_key=True),
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
    )
    op.create_index("credentials_by_player", "credentials", ["player"])
    op.create_table("gone", sa.Column("player", sa.String(64), primary_key=True))
    op.create_table(
        "evenings",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("evenings_by_time", "evenings", ["player", "at", "table_id"])
    op.create_index("evenings_by_table", "evenings", ["table_id"])
    op.create_table(
        "results",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("deal", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "recorded",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
    )
