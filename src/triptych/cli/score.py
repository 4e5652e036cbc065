"""`triptych score`: JSON Lines in, JSON Lines out (Rules §8)."""

from __future__ import annotations

import os
import stat
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Final

import msgspec
from rich.console import Console
from rich.progress import Progress

from triptych.cli.errors import announce_input, report_message
from triptych.cli.options import STDIN, File
from triptych.errors import TriptychError
from triptych.i18n.messages import plain_text
from triptych.json_input import Json, error_reply
from triptych.scoring.jsonl.answer import process_line

MAX_LINE: Final = 1 << 20
_EXIT_INTERRUPTED: Final = 130
_PROGRESS_LINES: Final = 100  # lines between two looks at the bar
_TOO_LONG: Final = error_reply(None, TriptychError("line.size", f"a line has at most {MAX_LINE} bytes"))


def score(file: File = STDIN) -> int:
    """Score deals from JSON Lines.

    A line that cannot be scored is answered with its error and stops no other; the exit status is then 1.

    Parameters
    ----------
    file
        JSON Lines file; - is standard input.
    """
    if str(file) == "-":
        announce_input()
        return run(sys.stdin.buffer, sys.stdout.buffer)
    try:
        with file.open("rb") as lines:
            return run(lines, sys.stdout.buffer)
    except OSError as error:
        return report_message(f"cannot read {file}: {error.strerror}", 2)


def run(lines: IO[bytes], out: IO[bytes], answer: Callable[[bytes], tuple[Json, bool]] = process_line) -> int:
    """Answer every line of a stream, keeping one line in memory; return the exit status.

    Ctrl-C ends it after the last whole answer, with status 130. A bar on a terminal shows how far a file is.
    """
    status = 0
    encoder = msgspec.json.Encoder(enc_hook=plain_text)
    line_buffered = not _is_file(lines)
    try:
        with _watched(lines, out) as watched:
            for line in watched:
                body, good = answer(line) if line is not None else (_TOO_LONG, False)
                if not good:
                    status = 1
                out.write(encoder.encode(body) + b"\n")
                if line_buffered:
                    out.flush()
    except KeyboardInterrupt:
        status = _EXIT_INTERRUPTED
    out.flush()
    return status


@contextmanager
def _watched(lines: IO[bytes], out: IO[bytes]) -> Iterator[Iterator[bytes | None]]:
    """Yield the lines; while a file is answered into another one, a terminal sees how much of it is done."""
    console = Console(stderr=True)
    if not (console.is_terminal and _is_file(lines) and not out.isatty()):
        yield _lines(lines)
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("answering", total=os.fstat(lines.fileno()).st_size)

        def lines_with_progress() -> Iterator[bytes | None]:
            for number, line in enumerate(_lines(lines)):
                yield line
                if number % _PROGRESS_LINES == 0:
                    bar.update(task, completed=lines.tell())

        yield lines_with_progress()


def _lines(lines: IO[bytes]) -> Iterator[bytes | None]:
    """Yield each line that is not blank, None for one that is too long."""
    while line := lines.readline(MAX_LINE):
        line = line.removeprefix(BOM_UTF8)
        if len(line) < MAX_LINE or line.endswith(b"\n"):
            if not line.isspace():
                yield line
            continue
        while (rest := lines.readline(MAX_LINE)) and not rest.endswith(b"\n"):
            pass
        yield None


def _is_file(stream: IO[bytes]) -> bool:
    """Tell a file from a pipe or terminal, whose other end may wait for each answer."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:
        return False
