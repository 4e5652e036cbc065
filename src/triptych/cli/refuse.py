"""How a command says that it cannot: one line on standard error, or the answer's JSON form, and exit status 1."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.markup import escape

from triptych.jsonlines import failure

if TYPE_CHECKING:
    from pathlib import Path

    from triptych.errors import TriptychError


def refuse(error: TriptychError, *, as_json: bool = False, file: Path | None = None) -> int:
    """Say what is wrong, and in which file where there may be several; return the exit status."""
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(failure(None, error)) + b"\n")
        return 1
    return complain(f"{file}: {error} ({error.code})" if file else f"{error} ({error.code})")


def complain(message: str) -> int:
    """Print a line that has no code; return the exit status."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"[red]error[/]: {escape(message)}")
    return 1
