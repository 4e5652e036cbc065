"""How a command says that it cannot: one line on standard error, or the answer's JSON form, and exit status 1."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.markup import escape

from triptych.errors import TriptychError
from triptych.json_input import error_reply
from triptych.text_files import FILE_READ


def report_error(error: TriptychError, *, as_json: bool = False, file: Path | None = None) -> int:
    """Say what is wrong, and in which file where there may be several (as JSON its `id`); return the exit status.

    2 for a file that cannot be read, as for a command that was not understood, else 1.
    """
    status = 2 if error.code == FILE_READ else 1
    if as_json:
        name = None if file is None else str(file)
        sys.stdout.buffer.write(msgspec.json.encode(error_reply(name, error)) + b"\n")
        return status
    if error.code == FILE_READ:
        return report_message(error.message, status)
    return report_message(f"{file}: {error} ({error.code})" if file else f"{error} ({error.code})")


def report_message(message: str, status: int = 1) -> int:
    """Print a line that has no code; return the exit status."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"[red]error[/]: {escape(message)}")
    return status


def announce_input() -> None:
    """Say on standard error that deals are read, where somebody has to type them."""
    if sys.stdin.isatty():
        Console(stderr=True, highlight=False).print("Reading one deal a line from the terminal; Ctrl-D ends it.")
