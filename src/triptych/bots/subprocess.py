"""Start and end a process with which one communicates through its standard input and output."""

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
        """Kill the process and all others in its session."""
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                if os.name == "posix":
                    os.killpg(self.process.pid, signal.SIGKILL)
                else:
                    self.process.kill()
        # asyncio's `wait` waits for the pipes too, which may never end: reading stops while the buffer is full, or a
        # child of the program still has a pipe open. So they are closed on this side.
        transport = self.process._transport  # type: ignore[attr-defined]  # noqa: SLF001 - asyncio has no public way
        for pipe in map(transport.get_pipe_transport, range(3)):
            if pipe is not None:
                pipe.close()
        await self.process.wait()


async def spawn(command: Sequence[str], errors: int, max_line_bytes: int = 2**16) -> PipedProcess:
    """Start a program; `errors`: the target of its standard error, as in asyncio. Raises OSError.

    It gets its own session, so that Ctrl-C in the terminal reaches this process alone.
    """
    starting = asyncio.ensure_future(_start(command, errors, max_line_bytes))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        # A cancelled start would leave the process and its pipes open: wait for it and end the process.
        with suppress(OSError):
            await (await starting).end()
        raise


async def _start(command: Sequence[str], errors: int, max_line_bytes: int) -> PipedProcess:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=errors,
        limit=max_line_bytes,
        start_new_session=os.name == "posix",
    )
    assert process.stdin is not None  # noqa: S101 - started with pipes; this is for the type checker
    assert process.stdout is not None  # noqa: S101 - as above
    return PipedProcess(process, process.stdin, process.stdout)
