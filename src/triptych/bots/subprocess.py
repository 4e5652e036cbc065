"""How a bot's process is started: JSON lines on its standard input and output."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import NamedTuple


class PipedProcess(NamedTuple):
    """A process, and the pipes of its lines."""

    process: asyncio.subprocess.Process
    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader


async def spawn(command: Sequence[str], longest_line: int, errors: int) -> PipedProcess:
    """Start a program; `errors`: where its standard error goes, as for asyncio. Raises OSError.

    It leads a session of its own: Ctrl-C in the terminal is for this process alone.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=errors,
        limit=longest_line,
        start_new_session=os.name == "posix",
    )
    assert process.stdin is not None  # noqa: S101 - started with pipes; this is for the type checker
    assert process.stdout is not None  # noqa: S101 - as above
    return PipedProcess(process, process.stdin, process.stdout)
