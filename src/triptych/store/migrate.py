"""Bring a database to the newest schema; alembic is imported only when there is something to do."""

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
    """The database in the file is another program's."""

    def __init__(self) -> None:
        super().__init__("this file is another program's database; nothing was written")


class DatabaseBusyError(StoreError):
    """Rooms of an older version have the database."""

    def __init__(self, revision: str, addresses: Sequence[str]) -> None:
        where = " ".join(("", *addresses))
        super().__init__(
            f"rooms of an older Triptych serve this database{where}, and its schema changes ({revision} to {HEAD}); "
            "stop all of them, then start this one"
        )


def migrate(connection: Connection) -> None:
    """Run the missing migrations in the connection's transaction. Raises SchemaTooNewError, Foreign, Served."""
    if connection.dialect.name == "postgresql":
        # Two processes that start together migrate one after the other.
        connection.execute(text("SELECT pg_advisory_xact_lock(83137)"))
    revision = current_revision(connection)
    if revision == HEAD:
        return
    if revision is not None and revision > HEAD:
        raise SchemaTooNewError(revision)
    # A server has one database for many programs, and each of its schemas may hold several; a file is one program's.
    if revision is None and connection.dialect.name == "sqlite" and inspect(connection).get_table_names():
        raise ForeignDatabaseError
    if revision is not None and (served := _served(connection)):
        raise DatabaseBusyError(revision, served)
    if connection.dialect.name == "postgresql":
        # Nobody serves it now, so nobody waits for these locks: a busy machine has more time than between moves.
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = '60s'"))
    upgrade(connection, "head")


def _served(connection: Connection) -> Sequence[str]:
    """Return the addresses of the servers that share a database and live."""
    if connection.dialect.name != "postgresql" or not inspect(connection).has_table("servers"):
        return ()
    since = text(
        "SELECT address FROM servers WHERE NOT over"
        " AND renewed > extract(epoch FROM clock_timestamp()) * 1000 - :patience ORDER BY lane"
    )
    return connection.execute(since, {"patience": LEASE_SECONDS * 1000}).scalars().all()


def upgrade(connection: Connection, until: str) -> None:
    """Run the migrations up to a revision that is still to come, in the connection's transaction."""
    from alembic import command  # noqa: PLC0415 - half a second that a warm start does not pay
    from alembic.config import Config  # noqa: PLC0415 - as above

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, until)


def current_revision(connection: Connection) -> str | None:
    """Return the schema of a database, None of an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
