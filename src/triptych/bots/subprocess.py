"""A process that is talked to through its standard input and output: how it is started, and how it is ended."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple


class PipedProcess(NamedTuple):
    """A process, and its pipes."""

    process: asyncio.subprocess.Process
    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader

    async def end(self) -> None:
        """End the process at once, and what it started in its session."""
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                if os.name == "posix":
                    os.killpg(self.process.pid, signal.SIGKILL)
                else:
                    self.process.kill()
        # asyncio's `wait` waits for the pipes too. One may never end: nobody reads it while too much of it is unread,
        # or a child of the program still holds it. So they are closed on this side.
        transport = self.process._transport  # type: ignore[attr-defined]  # noqa: SLF001 - asyncio has no public way
        for pipe in map(transport.get_pipe_transport, range(3)):
            if pipe is not None:
                pipe.close()
        await self.process.wait()


async def spawn(command: Sequence[str], errors: int, longest_line: int = 2**16) -> PipedProcess:
    """Start a program; `errors`: where its standard error goes, as for asyncio. Raises OSError.

    It leads a session of its own: Ctrl-C in the terminal is for this process alone.
    """
    starting = asyncio.ensure_future(_start(command, errors, longest_line))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        # A start that is cancelled leaves its process and its pipes open: it is waited for, and ended.
        with suppress(OSError):
            await (await starting).end()
        raise


async def _start(command: Sequence[str], errors: int, longest_line: int) -> PipedProcess:
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
