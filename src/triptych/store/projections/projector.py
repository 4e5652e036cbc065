"""Keeps the projections behind the journal: soon, in lots, and at once when somebody asks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

# What comes meanwhile is projected together: the longer, the more of each table at once, and the more after a crash.
PAUSE_SECONDS: Final = 4.0
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

    def notify(self) -> None:
        """Called when the journal has grown."""
        self._come.set()

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
        with suppress(TimeoutError):
            async with asyncio.timeout(TRANSACTION_PAUSE_SECONDS):
                await self._hurry.wait()

    async def _run(self) -> None:
        while True:
            await self._come.wait()
            await asyncio.sleep(PAUSE_SECONDS)
            self._come.clear()
            try:
                await self._round()
            except Exception:  # noqa: BLE001 - who appends or reads is told why; here it is tried again
                self._come.set()
