"""Keeps the projections behind the journal: soon, in lots, and at once when somebody asks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

# What comes meanwhile is projected together: the longer, the fewer pages are written again and again, and the more is
# in memory, and to be projected after a crash. So no more than a number of appends waits for so long.
PAUSE_SECONDS: Final = 10.0
ENOUGH_APPENDS: Final = 4_096
RETRY_SECONDS: Final = 4.0
# From one transaction to the next one, so that what is to be committed meets one of them at most, and seldom.
TRANSACTION_PAUSE_SECONDS: Final = 0.02


class Projector:
    """Calls `project`, which projects all that is known when it is called.

    It is given what it is to await between transactions: a moment, unless somebody waits for what comes of it.
    """

    def __init__(self, project: Callable[[Callable[[], Awaitable[None]]], Awaitable[None]]) -> None:
        self._project = project
        self._turn = asyncio.Lock()
        self._come = asyncio.Event()
        self._enough = asyncio.Event()
        self._asked = 0
        self._hurry = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to follow the journal."""
        self._task = asyncio.create_task(self._run(), name="projector")

    async def close(self) -> None:
        """Stop; what is not projected is when the store is opened again."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def notify(self, waiting: int) -> None:
        """Called when the journal has grown; `waiting`: appends in it that are not projected."""
        self._come.set()
        if waiting >= ENOUGH_APPENDS:
            self._enough.set()

    async def catch_up(self) -> None:
        """Project everything that is known to be in the journal, without a pause."""
        self._asked += 1
        self._hurry.set()
        try:
            await self._round()
        finally:
            self._asked -= 1
            if not self._asked:
                self._hurry.clear()

    async def _round(self) -> None:
        async with self._turn:
            await self._project(self._between)

    async def _between(self) -> None:
        await _set_within(self._hurry, TRANSACTION_PAUSE_SECONDS)

    async def _run(self) -> None:
        while True:
            await self._come.wait()
            await _set_within(self._enough, PAUSE_SECONDS)
            self._come.clear()
            try:
                await self._round()
            except Exception:  # noqa: BLE001 - who appends or reads is told why; here it is tried again
                self._come.set()
                await asyncio.sleep(RETRY_SECONDS)
            self._enough.clear()


async def _set_within(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
