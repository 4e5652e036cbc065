"""Copy a PostgreSQL database into a SQLite file, row by row, and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, create_engine, delete, insert, make_url, select, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from triptych.store.migrate import SchemaTooNewError, current_revision, migrate
from triptych.store.schema import HEAD, archive, journal, metadata, snapshots
from triptych.store.sqlite.backup import BackupError, atomic_file

# Rows that are in memory at a time; fewer of those that hold a whole table or its state.
ROWS: Final = 1000
_LARGE: Final = {archive.name: 10, snapshots.name: 10, journal.name: 100}
# Tables whose ids the database numbers: their sequences have to continue after the copied rows.
_SEQUENCE_TABLES: Final = ("streams", "postings")


async def export_to_file(url: str, target: Path) -> None:
    """Copy a database as of one moment into a file while servers write; only the file's owner can read it.

    The copy is complete or does not exist. Raises BackupError, SchemaTooNewError.
    """
    with atomic_file(target) as growing:
        async with _connected(url) as connection:
            # A snapshot: later commits are not read, and no other transaction has to wait.
            await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            await connection.run_sync(_write_file, growing)


async def import_from_file(source: Path, url: str) -> None:
    """Copy a file of `export_to_file` or of a server into an empty database, all or nothing. Raises BackupError."""
    async with _connected(url) as connection, connection.begin():
        await connection.run_sync(_read_file, source)


@asynccontextmanager
async def _connected(url: str) -> AsyncIterator[AsyncConnection]:
    try:
        address = make_url(url).set(drivername="postgresql+asyncpg")
    except (ArgumentError, ValueError) as error:  # such as a port that is not a number
        raise BackupError(f"this is not a database URL: {error}") from error
    safe_url = address.set(drivername="postgresql").render_as_string(hide_password=True)
    try:
        from asyncpg import InterfaceError, PostgresError  # noqa: PLC0415 - in an extra
    except ModuleNotFoundError as error:
        raise BackupError("PostgreSQL needs one more package: pip install 'triptych[postgres]'") from error
    engine = create_async_engine(address, poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            yield connection
    except (SQLAlchemyError, PostgresError, InterfaceError, OSError) as error:
        raise BackupError(f"{safe_url}: {error}") from error
    finally:
        await engine.dispose()


def _file(file: Path) -> Engine:
    return create_engine(f"sqlite:///{file}", poolclass=NullPool)


def _write_file(connection: Connection, file: Path) -> None:
    revision = current_revision(connection)
    if revision is None:
        raise BackupError("this is not a database of a Triptych server")
    if revision > HEAD:
        raise SchemaTooNewError(revision)
    if revision < HEAD:
        raise BackupError(
            f"this database is of an older Triptych (schema {revision}); start this version's server once with it"
        )
    with _file(file).begin() as copy:
        migrate(copy)
        _copy(connection, copy)


def _read_file(connection: Connection, file: Path) -> None:
    if current_revision(connection) is not None:
        raise BackupError("this database holds the tables of a Triptych server already; nothing was overwritten")
    migrate(connection)
    with _file(file).connect() as copy:
        _copy(copy, connection)
    for table in _SEQUENCE_TABLES:
        sequence = f"pg_get_serial_sequence('{table}', 'id')"
        connection.execute(text(f"SELECT setval({sequence}, (SELECT coalesce(max(id), 0) + 1 FROM {table}), false)"))  # noqa: S608 - the names are ours


def _copy(source: Connection, target: Connection) -> None:
    """Copy the rows of every table into a database that was just created."""
    for table in metadata.sorted_tables:
        target.execute(delete(table))  # the rows of a new database
        page = _LARGE.get(table.name, ROWS)
        rows = source.execute(select(table).order_by(*table.primary_key), execution_options={"yield_per": page})
        for partition in rows.mappings().partitions():
            target.execute(insert(table), [dict(row) for row in partition])
