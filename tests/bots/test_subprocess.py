"""A program is ended at once, whatever it has written and nobody has read."""

from __future__ import annotations

import asyncio
import sys

import pytest

from triptych.bots.subprocess import spawn

pytestmark = pytest.mark.anyio

# More than the pipe and the reader's buffer hold: asyncio stops reading, and so never comes to the end of the pipe.
TALKER = "import sys, time; sys.stdout.write('x' * 1_000_000); sys.stdout.flush(); time.sleep(600)"


async def test_a_program_whose_output_nobody_reads_is_ended() -> None:
    program = await spawn((sys.executable, "-c", TALKER), asyncio.subprocess.DEVNULL, max_line_bytes=1024)
    async with asyncio.timeout(60):
        while not program.stdout._paused:  # type: ignore[attr-defined]  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)
        await program.end()
    assert program.process.returncode != 0
