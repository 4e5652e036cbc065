"""Checkpoints: move SQLite's write-ahead log into the database file in a background thread.

A checkpoint in the writer's thread would block all writes. But the log restarts only when all of it is moved, so once
it is long, the writer moves the rest itself: the pages that were added during the last background checkpoint.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import Final

CHECKPOINT_SECONDS: Final = 10.0
# Pages of 4 KB. A longer log means fewer writes: a page that changes often is moved once.
BLOCKING_CHECKPOINT_PAGES: Final = 8_000
# Waits for no reader. Returns whether it was blocked, the log's pages, and how many of them are in the file.
_CHECKPOINT: Final = "PRAGMA wal_checkpoint(PASSIVE)"


class WalCheckpointer:
    """Checkpoints the log of one file, which is written by one thread."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        """`connect` opens a connection that may be used in any thread, one at a time."""
        self._background, self._writers = _CheckpointConnection(connect), _CheckpointConnection(connect)
        self._due = Event()
        self._closed = False
        self._is_long = False
        self._next = monotonic()
        self._thread: Thread | None = None

    def after_commit(self) -> None:
        """Called in the writer's thread after each transaction. Never raises."""
        if self._is_long:
            self._is_long = False
            self._writers.checkpoint()
        if monotonic() >= self._next:
            self._next = monotonic() + CHECKPOINT_SECONDS
            if self._thread is None:
                self._thread = Thread(target=self._run, name="sqlite-log", daemon=True)
                self._thread.start()
            self._due.set()

    def close(self) -> None:
        """Stop after the writer has stopped; closing the last connection moves the rest of the log."""
        self._closed = True
        thread, self._thread = self._thread, None
        if thread is not None:
            self._due.set()
            thread.join()
        self._background.close()
        self._writers.close()

    def _run(self) -> None:
        while self._due.wait() and not self._closed:
            self._due.clear()
            self._is_long = self._background.checkpoint() > BLOCKING_CHECKPOINT_PAGES


class _CheckpointConnection:
    """A connection for checkpoints, opened when it is first needed."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._connection: sqlite3.Connection | None = None

    def checkpoint(self) -> int:
        """Move as much as possible; return the pages of the log, or 0 after an error such as a full disk."""
        with suppress(sqlite3.Error, OSError):
            if self._connection is None:
                self._connection = self._connect()
            _, pages, _ = self._connection.execute(_CHECKPOINT).fetchone()
            return int(pages)
        return 0

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
