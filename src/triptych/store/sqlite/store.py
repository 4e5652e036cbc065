"""SQLite as the store: write-ahead log, and every commit is on the disk before anyone hears of it."""

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
    # What a statement would need to be undone is kept in memory, not in a file that is written and thrown away.
    "PRAGMA temp_store=MEMORY",
)
# Who writes finds the pages that many tables share in its own memory: 32 MB, sixteen times the usual.
CACHE_SIZE = "PRAGMA cache_size=-32768"

# A write lock taken at the beginning cannot fail half-way through a transaction.
WRITING = "BEGIN IMMEDIATE"
READERS = 4
MIN_FREE = 1 << 20  # bytes
WAIT_SECONDS = 5.0  # as busy_timeout

_Answer = TypeVar("_Answer")


def sqlite_store(file: Path) -> SqlStore:
    """Return a store in a file, which is made when it is not there."""
    # One thread writes.
    writer = SingleThreadExecutor("sqlite-writer")
    connect = partial(_connected, file)
    log = WalCheckpointer(connect)
    writing = SqliteDatabase(file, WRITING, writer, log=log)
    # What is projected need not be on the disk before the journal's next row, which takes it along.
    projecting = SqliteDatabase(file, WRITING, writer, synchronous="NORMAL", log=log)
    reading = SqliteDatabase(file, "BEGIN", ReaderPool(), READERS)
    return SqlStore(SqliteJournal(connect, writer, log), writing, reading, projecting)


class Executor(Protocol):
    """Threads in which work is done."""

    async def run(self, work: Callable[[], _Answer]) -> _Answer:
        """Do a piece of work and return what it comes to."""

    async def close(self) -> None:
        """End when all that waits is done."""


class ReaderPool:
    """Several threads, of which each takes the next piece of work."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="sqlite")

    async def run(self, work: Callable[[], _Answer]) -> _Answer:
        """See Threads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def close(self) -> None:
        """See Threads."""
        await asyncio.to_thread(self._threads.shutdown)


class SqliteDatabase:
    """A file, and threads to work on it in.

    A whole transaction runs in its thread: one switch from the event loop to the thread and one back, where a driver
    that awaits each statement makes eight.
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
        """`begin`: how a transaction begins; `log` hears of each."""
        self.engine = _engine(file, begin, connections, synchronous)
        self._file = file
        self._lock = FileLock(file)
        self._threads = threads
        self._log = log

    async def run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """See Database."""
        return await self._threads.run(partial(self._transact, work))

    async def lock(self, serving: ServerInfo) -> None:
        """See Database."""
        self._lock.acquire(serving)

    def verify_space(self) -> None:
        """See Database. A small write may still find room in the log when the disk is full, and a move may not."""
        if disk_usage(self._file.parent).free < MIN_FREE:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async def close(self) -> None:
        """See Database; what was begun is finished first."""
        await self._threads.close()
        if self._log is not None:
            await asyncio.to_thread(self._log.close)
        self.engine.dispose()
        self._lock.release()

    def _transact(self, work: Callable[[Connection], _Answer]) -> _Answer:
        with self.engine.begin() as connection:
            answer = work(connection)
        if self._log is not None:
            self._log.after_commit()
        return answer


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


def _connected(file: Path) -> sqlite3.Connection:
    """Return a connection of the driver's own."""
    restrict_file(file)
    connection = sqlite3.connect(file, check_same_thread=False)
    _prepare(connection)
    connection.execute(CACHE_SIZE)
    return connection


def _prepare(connection: Any, synchronous: str = "FULL") -> None:  # noqa: ANN401 - the driver's, or one around it
    # What is no text any more is damage to be found, not an error of the driver.
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
    """Turn the write-ahead log on; SQLite itself does not wait when two processes do so at once."""
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
