"""A database copied whole into a file while it is being written."""

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

# Copied between two looks at whether Ctrl-C was pressed, and the steps of SQLite's machine that are as many.
PAGES: Final = 1000
STEPS: Final = 100_000
# Pages that SQLite takes for a database's newest ones, or for its oldest.
_BESIDE: Final = ("-wal", "-journal")


class BackupError(StoreError):
    """A database that cannot be copied, or a place to which nothing can be copied."""


def copy_database(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, with all that was committed by then; only its owner may read the copy.

    It takes no longer when others commit meanwhile. The copy is there whole or not at all, also after Ctrl-C.
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
    """Raise BackupError when a file is there, or what a server that was killed left beside a database of that name.

    SQLite would take that for pages of the new database.
    """
    if target.exists():
        raise BackupError(f"{target} is there already; nothing was overwritten")
    for each in (target.with_name(target.name + ending) for ending in _BESIDE if target.name):
        if each.exists() and each.stat().st_size:
            raise BackupError(
                f"{each} is there already, of the database that was {target}: move it to where that is; "
                "nothing was overwritten"
            )


@contextmanager
def atomic_file(target: Path) -> Iterator[Path]:
    """Lend a file that becomes `target` when the block ends, whole and on disk or not at all. Raises BackupError."""
    growing = target.with_name(f"{target.name}.part") if target.name else target
    try:
        verify_target(target)
        restrict_file(growing)
        yield growing
        # Both the copy and its name are on the disk before anybody relies on them.
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

    A database on read-only media is read, too; `spare` is a folder for a copy of it where its newest pages still lie
    beside it (default: the system's for temporary files). Raises sqlite3.Error, OSError.
    """
    place = file.resolve()
    with ExitStack() as stack:
        try:
            connection = stack.enter_context(_snapshot(f"{place.as_uri()}?mode=ro"))
        except sqlite3.OperationalError as error:
            # SQLite wants to write beside a database, even to read it, unless it is told that nobody can.
            if error.sqlite_errorcode != sqlite3.SQLITE_CANTOPEN or os.access(place.parent, os.W_OK):
                raise
            log = place.with_name(f"{place.name}-wal")
            if log.exists() and log.stat().st_size:
                folder = Path(stack.enter_context(TemporaryDirectory(dir=spare)))
                for each in (place, log):
                    shutil.copyfile(each, folder / each.name)
                uri = f"{(folder / place.name).as_uri()}?mode=rw"
            else:
                uri = f"{place.as_uri()}?immutable=1"
            connection = stack.enter_context(_snapshot(uri))
        yield connection


@contextmanager
def _snapshot(uri: str) -> Iterator[sqlite3.Connection]:
    with _connection(uri) as connection:
        # Without a transaction of its own a copy begins again at every commit of another connection.
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        yield connection


@contextmanager
def _connection(uri: str) -> Iterator[sqlite3.Connection]:
    """Lend a connection whose statements Ctrl-C ends."""
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
        # Python raises KeyboardInterrupt where it runs, and SQLite ends its statement then.
        connection.set_progress_handler(_go_on, STEPS)
        try:
            yield connection
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                raise KeyboardInterrupt from error
            raise


def _go_on(*_progress: int) -> int:
    return 0


def _copy(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    old.backup(new, pages=PAGES, progress=_go_on)
    # One file, nothing beside it; a server that opens it writes ahead again.
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
