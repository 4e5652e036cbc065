"""One server per database file: it holds a lock that the operating system releases when the process ends."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from triptych.store.errors import StoreError
from triptych.store.leases.interface import ServerInfo

# The byte that is locked on Windows, where locked bytes cannot be read: far behind the file's content.
_LOCK_OFFSET: Final = 1 << 30
_JSON: Final = msgspec.json.Encoder()
_READ: Final = msgspec.json.Decoder(ServerInfo)


class DatabaseInUseError(StoreError):
    """Another server serves this database."""

    def __init__(self, other: ServerInfo | None) -> None:
        name = "another Triptych" if other is None else f"another Triptych, {_describe(other)},"
        super().__init__(f"{name} serves this database already; stop it, use it, or name another one with --database")


def _describe(other: ServerInfo) -> str:
    since = datetime.fromtimestamp(other.since / 1000, UTC).astimezone()
    at = f" at {other.address}" if other.address else ""
    return f"process {other.pid} since {since:%Y-%m-%d %H:%M}{at}"


class FileLock:
    """The lock on a database file: a file next to it, locked until the server's process ends, in whatever way.

    The lock belongs to the process, so a child process cannot keep it. The file's content says which server it is.
    """

    _held: Final[dict[Path, ServerInfo]] = {}

    def __init__(self, database: Path) -> None:
        # Resolved, so that all paths and links to a database share one lock.
        real = database.resolve()
        self._file = real.with_name(real.name + "-server")
        self._open: int | None = None

    def acquire(self, serving: ServerInfo) -> None:
        """Acquire the lock. Raises DatabaseInUseError when another server has it, OSError without lock support."""
        if self._file in self._held:
            # Opening and closing the file again in this process would release the lock.
            raise DatabaseInUseError(self._held[self._file])
        opened = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(opened)
        except (BlockingIOError, PermissionError):
            other = _read(opened)
            os.close(opened)
            raise DatabaseInUseError(other) from None
        except OSError:
            os.close(opened)
            raise
        os.ftruncate(opened, 0)
        os.write(opened, _JSON.encode(serving))
        self._open = opened
        self._held[self._file] = serving

    def release(self) -> None:
        """Release the lock, if it was acquired."""
        if self._open is not None:
            del self._held[self._file]
            os.close(self._open)
            self._open = None


def _read(opened: int) -> ServerInfo | None:
    try:
        return _READ.decode(os.pread(opened, 4096, 0) if hasattr(os, "pread") else os.read(opened, 4096))
    except (OSError, msgspec.MsgspecError):
        return None


if sys.platform == "win32":
    import msvcrt

    def _lock(opened: int) -> None:
        os.lseek(opened, _LOCK_OFFSET, os.SEEK_SET)
        msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        os.lseek(opened, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(opened: int) -> None:
        # Not flock: a forked child would keep that lock after its parent's end.
        fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
