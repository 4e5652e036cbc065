"""Files that only their owner reads: in a room's database lie sealed decks and the secret that signs the cookies."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

# What SQLite writes beside a database, with the database's own mode.
FILE_ENDINGS: Final = ("", "-wal", "-shm", "-journal")
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def restrict_folder(folder: Path) -> None:
    """Make the folders that are not there yet, for their owner alone; those that are there stay as they are.

    Raises OSError.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=stat.S_IRWXU, exist_ok=True)


def restrict_file(file: Path) -> None:
    """Make a database's file when it is not there, and take it and what lies beside it away from everybody else.

    A file of another owner stays as it is: only its owner can change its mode. Raises OSError.
    """
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, stat.S_IRUSR | stat.S_IWUSR))
    for ending in FILE_ENDINGS:
        each = file.with_name(file.name + ending)
        try:
            status = each.stat()
        except FileNotFoundError:
            continue
        if status.st_mode & _OTHERS and _is_ours(status):
            each.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)


def _is_ours(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
