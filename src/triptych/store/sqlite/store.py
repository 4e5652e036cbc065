"""The store on SQLite: with a write-ahead log, and every commit is on the disk before its reply is sent."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from shutil import disk_usage
from time import monotonic, sleep
from typing import Any, Protocol, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event

from triptych.store.file_lock import FileLock
from triptych.store.file_permissions import restrict_file
from triptych.store.leases.interface import ServerInfo
from triptych.store.sql.store import SqlStore
from triptych.store.sqlite.checkpoint import WalCheckpointer
from triptych.store.sqlite.executor import SingleThreadExecutor
from triptych.store.sqlite.journal import SqliteJournal

WRITE_AHEAD = "PRAGMA journal_mode=WAL"
PRAGMAS = (
    "PRAGMA busy_timeout=5000",
    "PRAGMA foreign_keys=ON",
    # The log is moved into the file by sqlite/checkpoint.py.
    "PRAGMA wal_autocheckpoint=0",
    # Statement journals are kept in memory, not in temporary files.
    "PRAGMA temp_store=MEMORY",
)
# The writer caches the pages that many tables share: 32 MB, sixteen times the default.
CACHE_SIZE = "PRAGMA cache_size=-32768"

# Acquiring the write lock at the beginning cannot fail half-way through a transaction.
WRITING = "BEGIN IMMEDIATE"
READERS = 4
MIN_FREE = 1 << 20  # bytes
WAIT_SECONDS = 5.0  # as busy_timeout

_Result = TypeVar("_Result")


def sqlite_store(file: Path) -> SqlStore:
    """Return a store in a file, which is created if it is missing."""
    # One thread writes.
    writer = SingleThreadExecutor("sqlite-writer")
    connect = partial(_connect, file)
    log = WalCheckpointer(connect)
    writing = SqliteDatabase(file, WRITING, writer, log=log)
    # Projections need not be synced by themselves: the commit of the journal's next row syncs them too.
    projecting = SqliteDatabase(file, WRITING, writer, synchronous="NORMAL", log=log)
    reading = SqliteDatabase(file, "BEGIN", ReaderPool(), READERS)
    return SqlStore(SqliteJournal(connect, writer, log), writing, reading, projecting)


class Executor(Protocol):
    """One or more threads that run jobs."""

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """Run a job and return its result."""

    async def close(self) -> None:
        """Stop after the waiting jobs."""


class ReaderPool:
    """Several threads, each of which takes the next job."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="sqlite")

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """See Executor."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def close(self) -> None:
        """See Executor."""
        await asyncio.to_thread(self._threads.shutdown)


class SqliteDatabase:
    """A database file, and threads that run its transactions.

    A whole transaction runs in one thread: one switch from the event loop to the thread and one back. A driver that
    awaits each statement needs eight.
    """

    def __init__(
        self,
        file: Path,
        begin: str,
        threads: Executor,
        connections: int = 1,
        synchronous: str = "FULL",
        log: WalCheckpointer | None = None,
    ) -> None:
        """`begin`: the statement that begins a transaction; `log` is called after each."""
        self.engine = _engine(file, begin, connections, synchronous)
        self._file = file
        self._lock = FileLock(file)
        self._threads = threads
        self._log = log

    async def run(self, work: Callable[[Connection], _Result]) -> _Result:
        """See Database."""
        return await self._threads.run(partial(self._transact, work))

    async def lock(self, serving: ServerInfo) -> None:
        """See Database."""
        self._lock.acquire(serving)

    def verify_space(self) -> None:
        """See Database. On a full disk a small write may still fit into the log while a checkpoint fails."""
        if disk_usage(self._file.parent).free < MIN_FREE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async def close(self) -> None:
        """See Database; running jobs finish first."""
        await self._threads.close()
        if self._log is not None:
            await asyncio.to_thread(self._log.close)
        self.engine.dispose()
        self._lock.release()

    def _transact(self, work: Callable[[Connection], _Result]) -> _Result:
        with self.engine.begin() as connection:
            result = work(connection)
        if self._log is not None:
            self._log.after_commit()
        return result


def _engine(file: Path, begin: str, connections: int, synchronous: str) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(file)), pool_size=connections, max_overflow=0)

    @event.listens_for(engine, "do_connect")
    def connecting(_dialect: object, _record: object, _args: object, _options: object) -> None:
        restrict_file(file)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's own
        _prepare(connection, synchronous)
        if begin == WRITING:
            connection.execute(CACHE_SIZE).close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _connect(file: Path) -> sqlite3.Connection:
    """Return a connection of the driver, without SQLAlchemy."""
    restrict_file(file)
    connection = sqlite3.connect(file, check_same_thread=False)
    _prepare(connection)
    connection.execute(CACHE_SIZE)
    return connection


def _prepare(connection: Any, synchronous: str = "FULL") -> None:  # noqa: ANN401 - the driver's or SQLAlchemy's
    # Invalid text must be found by the checksums, not raise an error in the driver.
    connection.text_factory = _text
    connection.isolation_level = None  # the driver begins no transaction: `begun` does
    cursor = connection.cursor()
    _write_ahead(cursor)
    for pragma in (*PRAGMAS, f"PRAGMA synchronous={synchronous}"):
        cursor.execute(pragma)
    cursor.close()


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogateescape")


def _write_ahead(cursor: sqlite3.Cursor) -> None:
    """Turn the write-ahead log on, with retries: SQLite does not wait when two processes do so at once."""
    until = monotonic() + WAIT_SECONDS
    while True:
        try:
            cursor.execute(WRITE_AHEAD)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(0.01)
        else:
            return
