"""Text files that people name; `-` is standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from triptych.errors import TriptychError

if TYPE_CHECKING:
    from pathlib import Path


UNREADABLE: Final = "file.read"


def read_text(file: Path, path: str = "$.file", code: str = UNREADABLE) -> str:
    """Return what stands in a text file, or is typed or piped for `-`.

    Raises TriptychError with this code and path when it cannot be read.
    """
    try:
        if str(file) == "-":
            return sys.stdin.buffer.read().decode()
        return file.read_text("utf-8")
    except OSError as error:
        raise TriptychError(code, f"cannot read {file}: {error.strerror}", path) from error
    except UnicodeDecodeError as error:
        raise TriptychError(code, f"{file} is not UTF-8 text", path) from error
