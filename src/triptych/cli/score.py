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
_PROGRESS_LINES: Final = 100  # lines between two updates of the bar
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


def run(lines: IO[bytes], out: IO[bytes], process: Callable[[bytes], tuple[Json, bool]] = process_line) -> int:
    """Process every line of a stream, with one line in memory; return the exit status.

    Ctrl-C ends it after the last complete response, with status 130. On a terminal a bar shows a file's progress.
    """
    status = 0
    encoder = msgspec.json.Encoder(enc_hook=plain_text)
    line_buffered = not _is_file(lines)
    try:
        with _with_progress(lines, out) as input_lines:
            for line in input_lines:
                body, is_success = process(line) if line is not None else (_TOO_LONG, False)
                if not is_success:
                    status = 1
                out.write(encoder.encode(body) + b"\n")
                if line_buffered:
                    out.flush()
    except KeyboardInterrupt:
        status = _EXIT_INTERRUPTED
    out.flush()
    return status


@contextmanager
def _with_progress(lines: IO[bytes], out: IO[bytes]) -> Iterator[Iterator[bytes | None]]:
    """Lend an iterator over the lines, with a progress bar when a file is processed into another file."""
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
    """Yield each line that is not blank, or None for a line that is too long."""
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
    """Return whether a stream is a file; the other end of a pipe or terminal may wait for each response."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:
        return False
