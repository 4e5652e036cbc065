"""A database copied whole into a file while it is being written."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Final

from triptych.store.private import make_private
from triptych.store.protocol import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Between them a server that writes goes first.
PAGES: Final = 1000
# Pages that SQLite takes for a database's newest ones, or for its oldest.
_BESIDE: Final = ("-wal", "-journal")


class NoBackup(StoreError):  # noqa: N818 - named by what happened
    """A database that cannot be copied, or a place to which nothing can be copied."""


def copy_database(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, with all that was committed by then; only its owner may read the copy.

    The copy is there whole or not at all. Raises NoBackup.
    """
    if not source.is_file():
        raise NoBackup(f"there is no database {source}")
    with placed(target) as growing:
        try:
            _copy(source, growing)
        except sqlite3.Error as error:
            raise NoBackup(f"cannot copy {source} to {target}: {error}") from error


def verify_free(target: Path) -> None:
    """Raise NoBackup when a file is there, or what a server that was killed left beside a database of that name.

    SQLite would take that for pages of the new database.
    """
    if target.exists():
        raise NoBackup(f"{target} is there already; nothing was overwritten")
    for each in (target.with_name(target.name + ending) for ending in _BESIDE if target.name):
        if each.exists() and each.stat().st_size:
            raise NoBackup(
                f"{each} is there already, of the database that was {target}: move it to where that is; "
                "nothing was overwritten"
            )


@contextmanager
def placed(target: Path) -> Iterator[Path]:
    """Lend a file that becomes `target` when the block ends, whole and on the disk or not at all. Raises NoBackup."""
    growing = target.with_name(f"{target.name}.part") if target.name else target
    try:
        verify_free(target)
        make_private(growing)
        yield growing
        # Both the copy and its name are on the disk before anybody relies on them.
        _written(growing)
        growing.rename(target)
        _written(target.parent)
    except OSError as error:
        raise NoBackup(f"cannot write {target}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            growing.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    with (
        closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new, pages=PAGES)
        # One file, nothing beside it; a server that opens it writes ahead again.
        new.execute("PRAGMA journal_mode=DELETE")
        found = new.execute("PRAGMA integrity_check").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(found)


def _written(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
