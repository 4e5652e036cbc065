"""Servers that share a database: who they are, which tables are whose, and lanes of the journal."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables. A row's number has its lane in the upper bits; SQLite's are wide enough as they are."""
    if op.get_bind().dialect.name != "sqlite":
        op.alter_column("journal", "number", type_=sa.BigInteger)
    op.create_table(
        "servers",
        sa.Column("lane", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("pid", sa.Integer, nullable=False),
        sa.Column("address", sa.String(255), nullable=False),
        sa.Column("public", sa.String(255), nullable=False),
        sa.Column("renewed", sa.BigInteger, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("lane", sa.BigInteger, nullable=False),
    )
