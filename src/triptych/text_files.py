"""Read text files named by users; `-` is standard input."""

from __future__ import annotations

import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import Final

from triptych.errors import TriptychError

FILE_READ: Final = "file.read"


def read_text(file: Path, path: str = "$.file", code: str = FILE_READ) -> str:
    """Return the text of a file, or of standard input for `-`, without a byte-order mark.

    UTF-8, or UTF-16 with a byte-order mark, as PowerShell and Notepad write it.
    Raises TriptychError with this code and path when it cannot be read.
    """
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise TriptychError(code, f"cannot read {file}: {error.strerror}", path) from error
    except ValueError as error:  # a null character, or another that no file name can have
        raise TriptychError(code, f"{str(file)!r} cannot be the name of a file", path) from error
    try:
        text = content.decode("utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise TriptychError(code, f"{file} is not UTF-8 text", path) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
