"""SQLite as the store: write-ahead log, and every commit is on the disk before anyone hears of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import URL, Connection, event
from sqlalchemy.ext.asyncio import create_async_engine

from triptych.store.sql import SqlStore

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.ext.asyncio import AsyncEngine

PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA busy_timeout=5000",
    "PRAGMA foreign_keys=ON",
)


def sqlite_store(file: Path) -> SqlStore:
    """Return a store in a file, which is made when it is not there."""
    # One connection writes; a write lock taken at BEGIN cannot fail half-way through a transaction.
    return SqlStore(_engine(file, "BEGIN IMMEDIATE", 1), _engine(file, "BEGIN", 4))


def _engine(file: Path, begin: str, connections: int) -> AsyncEngine:
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(file)), pool_size=connections, max_overflow=0
    )

    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own adapter
        connection.isolation_level = None  # the driver begins no transaction: `begun` does
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine
