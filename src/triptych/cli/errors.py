"""Errors of commands: one line on standard error, or JSON on standard output, and an exit status."""

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
    """Print an error, with the file's name if there is one (in JSON the `id`); return the exit status.

    It is 2 for a file that cannot be read, as for an invalid command line, else 1.
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
    """Print an error message without a code; return the exit status."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"[red]error[/]: {escape(message)}")
    return status


def announce_input() -> None:
    """Print on standard error that deals are read from the terminal, if standard input is one."""
    if sys.stdin.isatty():
        Console(stderr=True, highlight=False).print("Reading one deal a line from the terminal; Ctrl-D ends it.")
