"""The database that a command names: check that it is one, and turn its errors into messages."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from triptych.store.errors import StoreError
from triptych.store.sqlite.backup import open_snapshot


@contextmanager
def database_errors(url: str) -> Iterator[None]:
    """Turn errors of a database or its driver in the block into a StoreError that names the database."""
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415 - imported by commands with a database alone

    try:
        yield
    except StoreError:
        raise
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(database_error_text(url, error)) from error
    except Exception as error:
        # By name, because PostgreSQL's driver may not be installed.
        if not type(error).__module__.startswith("asyncpg"):
            raise
        raise StoreError(database_error_text(url, error)) from error


def database_error_text(url: str, error: Exception) -> str:
    """Return a message with the driver's error, without the statement and without the URL's password."""
    safe_url = re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", url)
    return f"cannot use the database {safe_url}: {getattr(error, 'orig', None) or error}"


def verify_database(url: str) -> None:
    """Raise StoreError if a database file is missing, or is not a database of Triptych."""
    from triptych.server.bootstrap import sqlite_path  # noqa: PLC0415 - as above

    file = sqlite_path(url)
    if file is None:
        return
    if not file.is_file():
        raise StoreError(f"there is no database {file}")
    if not _is_triptych_database(file):
        raise StoreError(f"{file} is not a database of a Triptych server")


def _is_triptych_database(file: Path) -> bool:
    try:
        with open_snapshot(file) as connection:
            row = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    except (sqlite3.Error, OSError) as error:
        raise StoreError(database_error_text(str(file), error)) from error
    return row is not None
