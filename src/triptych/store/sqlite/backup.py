"""Copy a whole database into a file while it is being written."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from triptych.store.errors import StoreError
from triptych.store.file_permissions import restrict_file

# Pages that are copied, and steps of SQLite's virtual machine that are run, between two checks for Ctrl-C.
PAGES: Final = 1000
STEPS: Final = 100_000
# Files next to a database that SQLite would apply to it.
_JOURNAL_ENDINGS: Final = ("-wal", "-journal")


class BackupError(StoreError):
    """The database cannot be copied, or the target cannot be written."""


def copy_database(source: Path, target: Path) -> None:
    """Copy a database as of one moment, with everything committed by then; only its owner can read the copy.

    Commits of others meanwhile do not slow it down. The copy is complete or does not exist, also after Ctrl-C.
    Raises BackupError.
    """
    if not source.is_file():
        raise BackupError(f"there is no database {source}")
    with atomic_file(target) as growing:
        try:
            with (
                open_snapshot(source, target.parent) as old,
                _connection(f"{growing.resolve().as_uri()}?mode=rw") as new,
            ):
                _copy(old, new)
        except sqlite3.Error as error:
            raise BackupError(f"cannot copy {source} to {target}: {error}") from error


def verify_target(target: Path) -> None:
    """Raise BackupError when the target or one of its journals exists, as after a server was killed.

    SQLite would apply such a journal to the new database.
    """
    if target.exists():
        raise BackupError(f"{target} is there already; nothing was overwritten")
    for path in (target.with_name(target.name + ending) for ending in _JOURNAL_ENDINGS if target.name):
        if path.exists() and path.stat().st_size:
            raise BackupError(
                f"{path} is there already, of the database that was {target}: move it to where that is; "
                "nothing was overwritten"
            )


@contextmanager
def atomic_file(target: Path) -> Iterator[Path]:
    """Lend a file that becomes `target` when the block ends, complete and on disk, or is deleted.

    Raises BackupError.
    """
    growing = target.with_name(f"{target.name}.part") if target.name else target
    try:
        verify_target(target)
        restrict_file(growing)
        yield growing
        # Both the copy and its name must be on the disk when this returns.
        _fsync(growing)
        growing.rename(target)
        _fsync(target.parent)
    except OSError as error:
        raise BackupError(f"cannot write {target}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            growing.unlink(missing_ok=True)


@contextmanager
def open_snapshot(file: Path, spare: Path | None = None) -> Iterator[sqlite3.Connection]:
    """Lend a connection that reads a database as it is at this moment, whatever others write meanwhile.

    The database may be on read-only media. If a write-ahead log lies next to it there, both are copied into the
    folder `spare` (default: the system's for temporary files). Raises sqlite3.Error, OSError.
    """
    path = file.resolve()
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(_snapshot(f"{path.as_uri()}?mode=ro"))
        except sqlite3.OperationalError as error:
            # SQLite needs to write next to a database even to read it, unless it is opened as immutable.
            if error.sqlite_errorcode != sqlite3.SQLITE_CANTOPEN or os.access(path.parent, os.W_OK):
                raise
            log = path.with_name(f"{path.name}-wal")
            if log.exists() and log.stat().st_size:
                folder = Path(stack.enter_context(TemporaryDirectory(dir=spare)))
                for original in (path, log):
                    shutil.copyfile(original, folder / original.name)
                uri = f"{(folder / path.name).as_uri()}?mode=rw"
            else:
                uri = f"{path.as_uri()}?immutable=1"
            connection = stack.enter_context(_snapshot(uri))
        yield connection


@contextmanager
def _snapshot(uri: str) -> Iterator[sqlite3.Connection]:
    with _connection(uri) as connection:
        # Without a transaction a copy begins again at every commit of another connection.
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        yield connection


@contextmanager
def _connection(uri: str) -> Iterator[sqlite3.Connection]:
    """Lend a connection whose statements can be interrupted with Ctrl-C."""
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
        # Python raises KeyboardInterrupt in the handler, and SQLite then ends its statement.
        connection.set_progress_handler(_on_progress, STEPS)
        try:
            yield connection
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                raise KeyboardInterrupt from error
            raise


def _on_progress(*_progress: int) -> int:
    return 0


def _copy(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    old.backup(new, pages=PAGES, progress=_on_progress)
    # A single file without a log; a server that opens it turns the write-ahead log on again.
    new.execute("PRAGMA journal_mode=DELETE")
    verdict = new.execute("PRAGMA integrity_check").fetchone()[0]
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)


def _fsync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
