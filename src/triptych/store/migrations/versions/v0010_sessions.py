"""Browsers that are signed in as guests, and their invalid cookies."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the tables: existing cookies stay valid until their guests sign out."""
    op.create_table(
        "sessions",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("session", sa.String(32), primary_key=True),
        sa.Column("browser", sa.String(32), nullable=False),
        sa.Column("system", sa.String(32), nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("sessions_by_ended", "sessions", ["ended"])
    op.create_table(
        "epochs",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("epoch", sa.Integer, nullable=False),
    )
