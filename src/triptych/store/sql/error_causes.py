"""The cause of a database error as a text for logs: never the statement or its values."""

from __future__ import annotations

import errno
import sqlite3
from typing import Final

FULL: Final = "the disk is full"
LOCKED: Final = "the database is locked by another program"
UNREACHABLE: Final = "the database cannot be reached"
UNWRITABLE: Final = "the database may not be written"
DAMAGED: Final = "the database's file cannot be read"

# https://www.sqlite.org/rescode.html, the primary codes
_SQLITE: Final = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_READONLY: UNWRITABLE,
    sqlite3.SQLITE_PERM: UNWRITABLE,
    sqlite3.SQLITE_CANTOPEN: UNREACHABLE,
    sqlite3.SQLITE_IOERR: DAMAGED,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
}
# https://www.postgresql.org/docs/current/errcodes-appendix.html, codes and classes of them
_POSTGRES: Final = {
    "53100": FULL,
    "53": UNREACHABLE,
    "08": UNREACHABLE,
    "57": UNREACHABLE,
    "55": LOCKED,
    "40": LOCKED,
    "25006": UNWRITABLE,
    "42501": UNWRITABLE,
    "58": DAMAGED,
    "XX": DAMAGED,
}


def error_cause(error: BaseException) -> str:
    """Return the cause of a database error, empty for an error that is not the database's."""
    driver_error = getattr(error, "orig", None) or error
    if isinstance(driver_error, sqlite3.Error):
        return _SQLITE.get((getattr(driver_error, "sqlite_errorcode", None) or 0) & 0xFF, "")
    state = getattr(driver_error, "sqlstate", None)
    if isinstance(state, str):
        return _POSTGRES.get(state) or _POSTGRES.get(state[:2], "")
    if isinstance(driver_error, OSError):
        return FULL if driver_error.errno in (errno.ENOSPC, errno.EDQUOT) else UNREACHABLE
    return UNREACHABLE if getattr(error, "connection_invalidated", False) else ""
