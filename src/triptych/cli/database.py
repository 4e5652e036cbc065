"""A room's database as a command is told of it: which it is, whether it is one, and what to say where it fails."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from triptych.store.errors import StoreError
from triptych.store.sqlite.backup import open_snapshot


@contextmanager
def database_errors(place: str) -> Iterator[None]:
    """Let whatever a database or its driver raises in the block be one StoreError that names the database."""
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415 - whoever names no database does not pay

    try:
        yield
    except StoreError:
        raise
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(database_error_text(place, error)) from error
    except Exception as error:
        # PostgreSQL's driver is asked for its errors only where it is there.
        if not type(error).__module__.startswith("asyncpg"):
            raise
        raise StoreError(database_error_text(place, error)) from error


def database_error_text(place: str, error: Exception) -> str:
    """Return what went wrong with a database as its driver said it, without the statement and without a password."""
    shown = re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", place)
    return f"cannot use the database {shown}: {getattr(error, 'orig', None) or error}"


def verify_database(place: str) -> None:
    """Raise StoreError where a database in a file is not there, or no room has ever written it."""
    from triptych.server.bootstrap import sqlite_path  # noqa: PLC0415 - as above

    file = sqlite_path(place)
    if file is None:
        return
    if not file.is_file():
        raise StoreError(f"there is no database {file}")
    if not _is_room(file):
        raise StoreError(f"{file} is no database of a room")


def _is_room(file: Path) -> bool:
    try:
        with open_snapshot(file) as connection:
            row = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    except (sqlite3.Error, OSError) as error:
        raise StoreError(database_error_text(str(file), error)) from error
    return row is not None
