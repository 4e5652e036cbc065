"""One server a database: who serves it holds a lock that the operating system gives back when the process ends."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from triptych.store.errors import StoreError
from triptych.store.leases.interface import ServerInfo

# Locked on Windows, where what is locked cannot be read: far behind what is written.
_FAR: Final = 1 << 30
_JSON: Final = msgspec.json.Encoder()
_READ: Final = msgspec.json.Decoder(ServerInfo)


class DatabaseInUseError(StoreError):
    """Another server serves this database."""

    def __init__(self, other: ServerInfo | None) -> None:
        who = "another Triptych" if other is None else f"another Triptych, {_words(other)},"
        super().__init__(f"{who} serves this database already; stop it, use it, or name another one with --database")


def _words(other: ServerInfo) -> str:
    since = datetime.fromtimestamp(other.since / 1000, UTC).astimezone()
    at = f" at {other.address}" if other.address else ""
    return f"process {other.pid} since {since:%Y-%m-%d %H:%M}{at}"


class FileLock:
    """The lock on a database in a file: a file beside it, locked as long as its server lives, however that ends.

    The lock belongs to the process, so a process that it starts cannot keep it. What lies in the file is for reading.
    """

    _held: Final[dict[Path, ServerInfo]] = {}

    def __init__(self, database: Path) -> None:
        # Whichever way the database is named, and through whatever link, it is the same one.
        real = database.resolve()
        self._file = real.with_name(real.name + "-server")
        self._open: int | None = None

    def acquire(self, serving: ServerInfo) -> None:
        """Raise Taken when another server has it, OSError when nothing can be locked there."""
        if self._file in self._held:
            # Opened and closed once more in this process, the file would not be locked any more.
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
        """Let others have it; nothing happens when it was not taken."""
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
        os.lseek(opened, _FAR, os.SEEK_SET)
        msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        os.lseek(opened, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(opened: int) -> None:
        # Not flock: a forked child would hold that one after its parent's death.
        fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
