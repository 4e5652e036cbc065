"""Project the journal in the background, in batches, and at once when a reader waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from triptych.async_tasks import cancel_tasks, wait_at_most

# The appends of this time are projected together. A longer pause writes fewer pages again and again, but needs more
# memory, and more is to be projected after a crash. ENOUGH_APPENDS end the pause early.
PAUSE_SECONDS: Final = 10.0
ENOUGH_APPENDS: Final = 4_096
RETRY_SECONDS: Final = 4.0
# The pause between two transactions, so that a commit waits for at most one of them, and seldom.
TRANSACTION_PAUSE_SECONDS: Final = 0.02


class Projector:
    """Calls `project`, which projects the backlog of that moment.

    `project` gets a function to await between transactions: a short pause, unless a reader waits.
    """

    def __init__(self, project: Callable[[Callable[[], Awaitable[None]]], Awaitable[None]]) -> None:
        self._project = project
        self._lock = asyncio.Lock()
        self._pending = asyncio.Event()
        self._enough = asyncio.Event()
        self._callers = 0
        self._hurry = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the task that projects."""
        self._task = asyncio.create_task(self._run(), name="projector")

    async def close(self) -> None:
        """Stop; the backlog is projected when the store is opened again."""
        task, self._task = self._task, None
        await cancel_tasks(task)

    def notify(self, waiting: int) -> None:
        """Called when the journal has grown; `waiting`: the number of appends that are not projected."""
        self._pending.set()
        if waiting >= ENOUGH_APPENDS:
            self._enough.set()

    async def catch_up(self) -> None:
        """Project the whole backlog without pauses."""
        self._callers += 1
        self._hurry.set()
        try:
            await self._project_backlog()
        finally:
            self._callers -= 1
            if not self._callers:
                self._hurry.clear()

    async def _project_backlog(self) -> None:
        async with self._lock:
            await self._project(self._pause)

    async def _pause(self) -> None:
        await wait_at_most(self._hurry, TRANSACTION_PAUSE_SECONDS)

    async def _run(self) -> None:
        while True:
            await self._pending.wait()
            await wait_at_most(self._enough, PAUSE_SECONDS)
            self._pending.clear()
            try:
                await self._project_backlog()
            except Exception:  # noqa: BLE001 - appends and reads raise it; here it is retried
                self._pending.set()
                await asyncio.sleep(RETRY_SECONDS)
            self._enough.clear()
