"""PostgreSQL as the store, for houses that have one. Needs the extra `triptych[postgres]`."""

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

# The lock of who serves a database. The session of the one connection that writes holds it, so nobody writes without
# it, and once a new connection has it, nothing that an older one began can still happen.
_LOCK: Final = (83137, 1)
_TAKE: Final = "SELECT pg_try_advisory_lock($1, $2)"
_TAKE_SHARED: Final = "SELECT pg_try_advisory_lock_shared($1, $2)"
_HOLDER: Final = """
    SELECT holder.pid, holder.application_name AS name, holder.backend_start AS since
    FROM pg_locks JOIN pg_stat_activity AS holder ON holder.pid = pg_locks.pid
    WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid = $2 AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
_NAME: Final = "triptych"
_MAX_NAME: Final = 63  # PostgreSQL cuts the rest off
# A server that was killed a moment ago is still being noticed.
_GRACE_SECONDS: Final = 2.0
_PATIENCE_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.05
# A client whose machine is gone is noticed within half a minute, and a transaction that it left is undone.
_SESSION: Final = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "idle_in_transaction_session_timeout": "20s",
}
# A server that stands still within a transaction keeps its locks for no longer than others wait for a dead one.
_SHARED_SESSION: Final = {"idle_in_transaction_session_timeout": "3s"}

_Answer = TypeVar("_Answer")


def postgres_store(url: str, *, shared: bool = False) -> SqlStore:
    """Return a store in a database that exists: `postgresql://user:password@host/name`; `shared` by several servers.

    Raises ModuleNotFoundError without the driver, sqlalchemy's ArgumentError when the URL cannot be read.
    """
    place = make_url(url).set(drivername="postgresql+asyncpg")
    writing = PostgresConnection(place, shared=shared)
    reading, projecting = (PostgresDatabase(place, most, shared=shared) for most in (READERS, 1))
    journal = PostgresJournal(writing.driver)
    if not shared:
        return SqlStore(journal, writing, reading, projecting)
    renewing = PostgresConnection(place, shared=True)
    leases = PostgresLeases(reading.driver, renewing.driver)
    return SqlStore(journal, writing, reading, projecting, leases, renewing)


class PostgresDatabase:
    """A database reached by connections that await each statement."""

    def __init__(self, place: URL, connections: int, *, shared: bool = False) -> None:
        """`shared`: its claim keeps only those away who would be alone."""
        self._shared = shared
        settings = {"server_settings": _SHARED_SESSION} if shared else {}
        self.engine = create_async_engine(
            place, pool_size=connections, max_overflow=0, pool_pre_ping=True, connect_args=settings
        )

    async def run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """See Database."""
        async with self.engine.begin() as connection:
            return await connection.run_sync(work)

    @asynccontextmanager
    async def driver(self) -> AsyncIterator[Driver]:
        """Lend the driver's own connection, in no transaction."""
        async with self.engine.connect() as connection:
            raw = await connection.get_raw_connection()
            lent: Driver = raw.driver_connection
            yield lent

    async def lock(self, serving: ServerInfo) -> None:
        """See Database. Every connection from now on takes the lock, or is none: one that was lost is no danger."""
        claim = _LockedConnector(serving, shared=self._shared)

        @event.listens_for(self.engine.sync_engine, "do_connect")
        def connecting(_dialect: object, _record: object, _args: object, options: dict[str, Any]) -> None:
            options["async_creator_fn"] = claim.connect

        async with self.engine.connect():
            pass

    def verify_space(self) -> None:
        """See Database; only the database's server knows."""

    async def close(self) -> None:
        """See Database."""
        await self.engine.dispose()


class PostgresConnection(PostgresDatabase):
    """The one connection that writes. It is kept: to borrow it from the pool for each commit costs more than that.

    So is the one over which a server of several says that it lives.
    """

    def __init__(self, place: URL, *, shared: bool = False) -> None:
        """As a database with one connection."""
        super().__init__(place, 1, shared=shared)
        self._turn = asyncio.Lock()
        self._kept: tuple[AsyncConnection, Driver] | None = None

    async def run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """See Database."""
        async with self._lent() as (connection, _), connection.begin():
            return await connection.run_sync(work)

    @asynccontextmanager
    async def driver(self) -> AsyncIterator[Driver]:
        """Lend the driver's own connection, in no transaction."""
        async with self._lent() as (_, driver):
            yield driver

    @asynccontextmanager
    async def _lent(self) -> AsyncIterator[tuple[AsyncConnection, Driver]]:
        async with self._turn:
            if self._kept is not None and self._kept[1].is_closed():
                await self._give_back()
            if self._kept is None:
                self._kept = await self._borrowed()
            try:
                yield self._kept
            except BaseException:
                # Whether it still works is the pool's to find out, before it lends it again.
                await self._give_back()
                raise

    async def _borrowed(self) -> tuple[AsyncConnection, Driver]:
        connection = await self.engine.connect()
        driver: Driver = (await connection.get_raw_connection()).driver_connection
        return connection, driver

    async def _give_back(self) -> None:
        idle, self._kept = self._kept, None
        if idle is not None:
            await asyncio.shield(idle[0].close())

    async def close(self) -> None:
        """See Database."""
        async with self._turn:
            await self._give_back()
        await super().close()


class _LockedConnector:
    """Makes connections that hold the lock. The session's name says whose it is."""

    def __init__(self, serving: ServerInfo, *, shared: bool) -> None:
        self._try = _TAKE_SHARED if shared else _TAKE
        self._mark = token_hex(4)
        self._name = f"{_NAME} {self._mark} {serving.pid} {serving.address}".strip()[:_MAX_NAME]

    async def connect(self, *args: Any, **options: Any) -> Driver:
        """Return a connection with the lock. Raises Taken."""
        from asyncpg import connect  # noqa: PLC0415 - there when SQLAlchemy asks for it

        settings = {**_SESSION, **options.pop("server_settings", {}), "application_name": self._name}
        connection: Driver = await connect(*args, server_settings=settings, **options)
        try:
            await self._take(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _take(self, connection: Driver) -> None:
        now = asyncio.get_running_loop().time
        began = now()
        while not await connection.fetchval(self._try, *_LOCK):
            holder = await connection.fetchrow(_HOLDER, *_LOCK)
            waited = now() - began
            if holder is not None and waited > _GRACE_SECONDS:
                other = _read(holder["name"], int(holder["since"].timestamp() * 1000))
                if f" {self._mark} " not in holder["name"]:
                    raise DatabaseInUseError(other)
                # Our own, cut off before it had ended: it has had its time.
                await connection.execute("SELECT pg_terminate_backend($1)", holder["pid"])
            if waited > _PATIENCE_SECONDS:
                raise TimeoutError
            await asyncio.sleep(_POLL_SECONDS)


def _read(name: str, since: int) -> ServerInfo | None:
    """Return who a session's name says it is, None when it is not one of ours."""
    program, _, rest = name.partition(" ")
    _mark, _, rest = rest.partition(" ")
    pid, _, address = rest.partition(" ")
    return ServerInfo(int(pid), since, address) if program == _NAME and pid.isdigit() else None
