"""Servers that share a database, their leases, and partitions of the journal."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables. The upper bits of a row's number are its partition; SQLite's integers are wide enough."""
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
