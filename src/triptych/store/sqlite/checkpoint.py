"""Moves what SQLite's write-ahead log holds into the file beside those who write, who would stand still for it.

What is moved every few seconds is moved by a thread of its own. The log begins anew only when nothing is left to be
moved, so once it is long the writer moves the rest itself: what came while the other thread was at it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import Final

CHECKPOINT_SECONDS: Final = 10.0
# Pages of 4 KB: one that is written again and again goes into the file once for many times.
BLOCKING_CHECKPOINT_PAGES: Final = 8_000
# Waits for nobody. Answers whether somebody was in the way, the log's pages, and how many of them are in the file.
_MOVE: Final = "PRAGMA wal_checkpoint(PASSIVE)"


class WalCheckpointer:
    """The log of one file, whose writer is one thread."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        """`connect` makes a connection that may be used in any thread, one at a time."""
        self._beside, self._writers = _CheckpointConnection(connect), _CheckpointConnection(connect)
        self._come = Event()
        self._closed = False
        self._rest = False
        self._next = monotonic()
        self._thread: Thread | None = None

    def after_commit(self) -> None:
        """Called in the writer's thread and behind its transaction, when the log has grown. Never raises."""
        if self._rest:
            self._rest = False
            self._writers.move()
        if monotonic() >= self._next:
            self._next = monotonic() + CHECKPOINT_SECONDS
            if self._thread is None:
                self._thread = Thread(target=self._run, name="sqlite-log", daemon=True)
                self._thread.start()
            self._come.set()

    def close(self) -> None:
        """End, when the writer has; the last connection that is closed moves what is left."""
        self._closed = True
        thread, self._thread = self._thread, None
        if thread is not None:
            self._come.set()
            thread.join()
        self._beside.close()
        self._writers.close()

    def _run(self) -> None:
        while self._come.wait() and not self._closed:
            self._come.clear()
            self._rest = self._beside.move() > BLOCKING_CHECKPOINT_PAGES


class _CheckpointConnection:
    """A connection of its own, made when it is first needed."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._connection: sqlite3.Connection | None = None

    def move(self) -> int:
        """Move what can be; return the pages of the log. Where that fails, as on a full disk, it is tried later."""
        with suppress(sqlite3.Error, OSError):
            if self._connection is None:
                self._connection = self._connect()
            _, pages, _ = self._connection.execute(_MOVE).fetchone()
            return int(pages)
        return 0

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
