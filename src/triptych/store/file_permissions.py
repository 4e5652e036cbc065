"""Files that only their owner can read: a server's database holds sealed decks and the secret that signs cookies."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

# Endings of the files that SQLite writes next to a database, with the database's own mode.
FILE_ENDINGS: Final = ("", "-wal", "-shm", "-journal")
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def restrict_folder(folder: Path) -> None:
    """Create the missing folders, for their owner alone; existing ones stay as they are. Raises OSError."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        path.mkdir(mode=stat.S_IRWXU, exist_ok=True)


def restrict_file(file: Path) -> None:
    """Create a database's file if it is missing, and remove other users' access to it and the files next to it.

    A file of another owner stays as it is: only its owner can change its mode. Raises OSError.
    """
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, stat.S_IRUSR | stat.S_IWUSR))
    for ending in FILE_ENDINGS:
        path = file.with_name(file.name + ending)
        try:
            status = path.stat()
        except FileNotFoundError:
            continue
        if status.st_mode & _OTHERS and _is_ours(status):
            path.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)


def _is_ours(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
