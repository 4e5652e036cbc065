"""The archive of ended tables, compacted rows of the journal, and guests without a result."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the tables; no row of the journal is compacted yet."""
    op.add_column("journal", sa.Column("cut", sa.LargeBinary))
    op.create_table(
        "archive",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kept", sa.Boolean, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("checksum", sa.LargeBinary, nullable=False),
    )
    op.create_index("archive_by_time", "archive", ["at"])
    op.create_table(
        "idle",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("since", sa.BigInteger, nullable=False),
    )
