"""Waiting for the tasks and events of asyncio."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any


async def cancel_tasks(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel tasks, None among them left out, and wait until they have ended; their errors are dropped."""
    running = [task for task in tasks if task is not None]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def wait_at_most(event: asyncio.Event, seconds: float) -> None:
    """Wait until an event is set, but no longer than some seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
