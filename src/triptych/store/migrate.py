"""Migrate a database to the newest schema; alembic is imported only when there is something to do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from triptych.store.errors import StoreError
from triptych.store.leases.interface import LEASE_SECONDS
from triptych.store.schema import HEAD

SCRIPTS = Path(__file__).parent / "migrations"


class SchemaTooNewError(StoreError):
    """The database was written by a newer Triptych."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"this database was written by a newer Triptych (schema {revision}, known up to {HEAD}); update Triptych"
        )


class ForeignDatabaseError(StoreError):
    """The file is another program's database."""

    def __init__(self) -> None:
        super().__init__("this file is another program's database; nothing was written")


class DatabaseBusyError(StoreError):
    """Servers of an older version use the database."""

    def __init__(self, revision: str, addresses: Sequence[str]) -> None:
        address_list = " ".join(("", *addresses))
        super().__init__(
            f"servers of an older Triptych serve this database{address_list}, "
            f"and its schema changes ({revision} to {HEAD}); stop all of them, then start this one"
        )


def migrate(connection: Connection) -> None:
    """Run the missing migrations in the connection's transaction.

    Raises SchemaTooNewError, ForeignDatabaseError, DatabaseBusyError.
    """
    if connection.dialect.name == "postgresql":
        # Two processes that start together migrate one after the other.
        connection.execute(text("SELECT pg_advisory_xact_lock(83137)"))
    revision = current_revision(connection)
    if revision == HEAD:
        return
    if revision is not None and revision > HEAD:
        raise SchemaTooNewError(revision)
    # A PostgreSQL database may be shared with other programs; a SQLite file is one program's.
    if revision is None and connection.dialect.name == "sqlite" and inspect(connection).get_table_names():
        raise ForeignDatabaseError
    if revision is not None and (addresses := _server_addresses(connection)):
        raise DatabaseBusyError(revision, addresses)
    if connection.dialect.name == "postgresql":
        # No server runs now, so nothing waits for these locks: a slow machine may take longer than between moves.
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = '60s'"))
    upgrade(connection, "head")


def _server_addresses(connection: Connection) -> Sequence[str]:
    """Return the addresses of the live servers that share a database."""
    if connection.dialect.name != "postgresql" or not inspect(connection).has_table("servers"):
        return ()
    query = text(
        "SELECT address FROM servers WHERE NOT over"
        " AND renewed > extract(epoch FROM clock_timestamp()) * 1000 - :patience ORDER BY lane"
    )
    return connection.execute(query, {"patience": LEASE_SECONDS * 1000}).scalars().all()


def upgrade(connection: Connection, until: str) -> None:
    """Run the migrations up to a later revision, in the connection's transaction."""
    from alembic import command  # noqa: PLC0415 - the import takes half a second, which most starts save
    from alembic.config import Config  # noqa: PLC0415 - as above

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, until)


def current_revision(connection: Connection) -> str | None:
    """Return a database's schema revision, or None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
