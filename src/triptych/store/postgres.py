"""PostgreSQL as the store, for houses that have one. Needs the extra `triptych[postgres]`."""

from __future__ import annotations

from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from triptych.store.sql import SqlStore

READERS = 8


def postgres_store(url: str) -> SqlStore:
    """Return a store in a database that exists: `postgresql://user:password@host/name`.

    Raises ModuleNotFoundError without the driver, sqlalchemy's ArgumentError when the URL cannot be read.
    """
    place = make_url(url).set(drivername="postgresql+asyncpg")
    writing = create_async_engine(place, pool_size=1, max_overflow=0, pool_pre_ping=True)
    return SqlStore(writing, create_async_engine(place, pool_size=READERS, max_overflow=0, pool_pre_ping=True))
