"""Text files that people name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.errors import TriptychError

if TYPE_CHECKING:
    from pathlib import Path


def read_text(file: Path, path: str = "$.file", code: str = "file.read") -> str:
    """Return what stands in a text file. Raises TriptychError with this code and path when it cannot be read."""
    try:
        return file.read_text("utf-8")
    except OSError as error:
        raise TriptychError(code, f"cannot read {file}: {error.strerror}", path) from error
    except UnicodeDecodeError as error:
        raise TriptychError(code, f"{file} is not UTF-8 text", path) from error
