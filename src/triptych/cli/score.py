"""`triptych score`: JSON Lines in, JSON Lines out (RULEBOOK 8)."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Final

import msgspec
from cyclopts import Parameter

from triptych.score.answer import answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triptych.score.errors import Json

LONGEST_LINE: Final = 1 << 20
_TOO_LONG: Final = {"code": "line.size", "message": f"a line has at most {LONGEST_LINE} bytes", "path": "$"}


def score(file: Annotated[str, Parameter(help="JSON Lines file; - is standard input.")] = "-") -> int:
    """Score deals: one JSON object a line in, one a line out.

    A line that cannot be scored is answered with its error and stops no other; the exit status is then 1.
    """
    if file == "-":
        return run(sys.stdin.buffer, sys.stdout.buffer)
    try:
        with Path(file).open("rb") as lines:
            return run(lines, sys.stdout.buffer)
    except OSError as error:
        print(f"triptych score: cannot read {file}: {error.strerror}", file=sys.stderr)  # noqa: T201 - a command
        return 2


def run(lines: IO[bytes], out: IO[bytes], answer: Callable[[bytes], tuple[Json, bool]] = answer) -> int:
    """Answer every line of a stream, keeping one line in memory; return the exit status."""
    status = 0
    encoder = msgspec.json.Encoder()
    line_buffered = not _is_file(lines)
    for line in _lines(lines):
        body, good = answer(line) if line is not None else ({"id": None, "error": _TOO_LONG}, False)
        if not good:
            status = 1
        out.write(encoder.encode(body) + b"\n")
        if line_buffered:
            out.flush()
    out.flush()
    return status


def _lines(lines: IO[bytes]) -> Iterator[bytes | None]:
    """Yield each line that is not blank, None for one that is too long."""
    while line := lines.readline(LONGEST_LINE):
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            if not line.isspace():
                yield line
            continue
        while (rest := lines.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        yield None


def _is_file(stream: IO[bytes]) -> bool:
    """Tell a file from a pipe or terminal, whose other end may wait for each answer."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:
        return False
