"""PostgreSQL as the store, for houses that have one. Needs the extra `triptych[postgres]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from triptych.store.sql import SqlStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import URL, Connection

READERS = 8

_Answer = TypeVar("_Answer")


def postgres_store(url: str) -> SqlStore:
    """Return a store in a database that exists: `postgresql://user:password@host/name`.

    Raises ModuleNotFoundError without the driver, sqlalchemy's ArgumentError when the URL cannot be read.
    """
    place = make_url(url).set(drivername="postgresql+asyncpg")
    return SqlStore(PostgresDatabase(place, 1), PostgresDatabase(place, READERS))


class PostgresDatabase:
    """A database reached by connections that await each statement."""

    def __init__(self, place: URL, connections: int) -> None:
        self.engine = create_async_engine(place, pool_size=connections, max_overflow=0, pool_pre_ping=True)

    async def run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """See Database."""
        async with self.engine.begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        """See Database."""
        await self.engine.dispose()
