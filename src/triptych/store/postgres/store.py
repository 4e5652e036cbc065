"""The store on PostgreSQL. Needs the extra `triptych[postgres]`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from triptych.store.file_lock import DatabaseInUseError
from triptych.store.leases.interface import ServerInfo
from triptych.store.postgres.journal import PostgresJournal
from triptych.store.postgres.leases import PostgresLeases
from triptych.store.sql.store import SqlStore

if TYPE_CHECKING:
    from asyncpg import Connection as Driver

READERS = 8

# The lock on a database. The session of the one connection that writes holds it, so nothing is written without it.
# Once a new connection holds it, nothing that an older one began can be committed any more.
_LOCK: Final = (83137, 1)
_LOCK_EXCLUSIVE: Final = "SELECT pg_try_advisory_lock($1, $2)"
_LOCK_SHARED: Final = "SELECT pg_try_advisory_lock_shared($1, $2)"
_HOLDER: Final = """
    SELECT holder.pid, holder.application_name AS name, holder.backend_start AS since
    FROM pg_locks JOIN pg_stat_activity AS holder ON holder.pid = pg_locks.pid
    WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid = $2 AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
_NAME: Final = "triptych"
_MAX_NAME: Final = 63  # PostgreSQL cuts the rest off
# PostgreSQL needs a moment to notice that a server was killed.
_RELEASE_TIMEOUT_SECONDS: Final = 2.0
_LOCK_TIMEOUT_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.05
# A client whose machine has failed is noticed within half a minute, and its open transaction is rolled back.
_SESSION: Final = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "idle_in_transaction_session_timeout": "20s",
}
# A server that stalls within a transaction keeps its locks no longer than the others wait before they fence it.
_SHARED_SESSION: Final = {"idle_in_transaction_session_timeout": "3s"}

_Result = TypeVar("_Result")


def postgres_store(url: str, *, shared: bool = False) -> SqlStore:
    """Return a store in an existing database, `postgresql://user:password@host/name`; `shared` by several servers.

    Raises ModuleNotFoundError without the driver, sqlalchemy's ArgumentError when the URL cannot be read.
    """
    address = make_url(url).set(drivername="postgresql+asyncpg")
    writing = PostgresConnection(address, shared=shared)
    reading, projecting = (PostgresDatabase(address, connections, shared=shared) for connections in (READERS, 1))
    journal = PostgresJournal(writing.driver)
    if not shared:
        return SqlStore(journal, writing, reading, projecting)
    renewing = PostgresConnection(address, shared=True)
    leases = PostgresLeases(reading.driver, renewing.driver)
    return SqlStore(journal, writing, reading, projecting, leases, renewing)


class PostgresDatabase:
    """A database with connections that await each statement."""

    def __init__(self, address: URL, connections: int, *, shared: bool = False) -> None:
        """`shared`: the lock keeps only standalone servers away."""
        self._shared = shared
        settings = {"server_settings": _SHARED_SESSION} if shared else {}
        self.engine = create_async_engine(
            address, pool_size=connections, max_overflow=0, pool_pre_ping=True, connect_args=settings
        )

    async def run(self, work: Callable[[Connection], _Result]) -> _Result:
        """See Database."""
        async with self.engine.begin() as connection:
            return await connection.run_sync(work)

    @asynccontextmanager
    async def driver(self) -> AsyncIterator[Driver]:
        """Lend the driver's own connection, in no transaction."""
        async with self.engine.connect() as connection:
            driver: Driver = (await connection.get_raw_connection()).driver_connection
            yield driver

    async def lock(self, serving: ServerInfo) -> None:
        """See Database. Every new connection acquires the lock or fails, so that a lost one does no harm."""
        connector = _LockedConnector(serving, shared=self._shared)

        @event.listens_for(self.engine.sync_engine, "do_connect")
        def connecting(_dialect: object, _record: object, _args: object, options: dict[str, Any]) -> None:
            options["async_creator_fn"] = connector.connect

        async with self.engine.connect():
            pass

    def verify_space(self) -> None:
        """See Database; only PostgreSQL itself knows its free space."""

    async def close(self) -> None:
        """See Database."""
        await self.engine.dispose()


class PostgresConnection(PostgresDatabase):
    """A single connection that stays open: borrowing one from the pool for each commit is slower.

    A store has one for writing and, when servers share the database, one for renewing.
    """

    def __init__(self, address: URL, *, shared: bool = False) -> None:
        """See PostgresDatabase."""
        super().__init__(address, 1, shared=shared)
        self._lock = asyncio.Lock()
        self._open: tuple[AsyncConnection, Driver] | None = None

    async def run(self, work: Callable[[Connection], _Result]) -> _Result:
        """See Database."""
        async with self._lend() as (connection, _), connection.begin():
            return await connection.run_sync(work)

    @asynccontextmanager
    async def driver(self) -> AsyncIterator[Driver]:
        """Lend the driver's own connection, in no transaction."""
        async with self._lend() as (_, driver):
            yield driver

    @asynccontextmanager
    async def _lend(self) -> AsyncIterator[tuple[AsyncConnection, Driver]]:
        async with self._lock:
            if self._open is not None and self._open[1].is_closed():
                await self._disconnect()
            if self._open is None:
                self._open = await self._connect()
            try:
                yield self._open
            except BaseException:
                # The pool checks whether it still works before it lends it again.
                await self._disconnect()
                raise

    async def _connect(self) -> tuple[AsyncConnection, Driver]:
        connection = await self.engine.connect()
        driver: Driver = (await connection.get_raw_connection()).driver_connection
        return connection, driver

    async def _disconnect(self) -> None:
        connection, self._open = self._open, None
        if connection is not None:
            await asyncio.shield(connection[0].close())

    async def close(self) -> None:
        """See Database."""
        async with self._lock:
            await self._disconnect()
        await super().close()


class _LockedConnector:
    """Opens connections that hold the lock. The session's name identifies their server."""

    def __init__(self, serving: ServerInfo, *, shared: bool) -> None:
        self._lock_statement = _LOCK_SHARED if shared else _LOCK_EXCLUSIVE
        self._mark = token_hex(4)
        self._name = f"{_NAME} {self._mark} {serving.pid} {serving.address}".strip()[:_MAX_NAME]

    async def connect(self, *args: Any, **options: Any) -> Driver:
        """Return a connection with the lock. Raises DatabaseInUseError."""
        from asyncpg import connect  # noqa: PLC0415 - installed when SQLAlchemy calls this

        settings = {**_SESSION, **options.pop("server_settings", {}), "application_name": self._name}
        connection: Driver = await connect(*args, server_settings=settings, **options)
        try:
            await self._acquire(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _acquire(self, connection: Driver) -> None:
        now = asyncio.get_running_loop().time
        started_at = now()
        while not await connection.fetchval(self._lock_statement, *_LOCK):
            holder = await connection.fetchrow(_HOLDER, *_LOCK)
            waited = now() - started_at
            if holder is not None and waited > _RELEASE_TIMEOUT_SECONDS:
                other = _read(holder["name"], int(holder["since"].timestamp() * 1000))
                if f" {self._mark} " not in holder["name"]:
                    raise DatabaseInUseError(other)
                # This server's own session, whose connection was cut: it has had its time to end.
                await connection.execute("SELECT pg_terminate_backend($1)", holder["pid"])
            if waited > _LOCK_TIMEOUT_SECONDS:
                raise TimeoutError
            await asyncio.sleep(_POLL_SECONDS)


def _read(name: str, since: int) -> ServerInfo | None:
    """Return the server that a session's name identifies, None when it is not a Triptych server."""
    program, _, rest = name.partition(" ")
    _mark, _, rest = rest.partition(" ")
    pid, _, address = rest.partition(" ")
    return ServerInfo(int(pid), since, address) if program == _NAME and pid.isdigit() else None
