"""What the running task of a table and that of a tournament have in common: a queue, a clock, a timer and retries."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Generic, TypeVar

from triptych.server.backoff import backoff_seconds
from triptych.server.clock import MonotonicClock
from triptych.server.light_asyncio import LightEvent, LightQueue
from triptych.store.errors import CorruptRecordError
from triptych.store.interface import EventStore

Job = TypeVar("Job")
T = TypeVar("T")


class Actor(ABC, Generic[Job]):
    """Works through its queue, one job after the other. Its task is the only one that changes its state."""

    def __init__(self, store: EventStore, now: Callable[[], int], at: int) -> None:
        self._store = store
        self.clock = MonotonicClock(now)
        self.clock.advance_to(at)
        self._queue = LightQueue[Job | None]()
        self._task: asyncio.Task[None] | None = None
        self._timer: asyncio.Handle | None = None
        self._timer_at = 0.0  # of the loop's clock: not every loop's timer knows when it is due
        self._stopping = LightEvent()
        self._failures = 0  # in a row

    @abstractmethod
    async def _process(self, job: Job) -> None:
        """Do what has come to its turn; must not raise."""

    @abstractmethod
    def _on_timer(self) -> None:
        """Called when the time of the next tick has come."""

    @abstractmethod
    def _on_store_failed(self, error: Exception) -> None:
        """Called when the store did not answer; it is asked again."""

    def _start(self, name: str) -> None:
        self._task = asyncio.create_task(self._run(), name=name)

    async def _run(self) -> None:
        while (job := await self._queue.get()) is not None:
            await self._process(job)

    async def stop(self) -> None:
        """Stop when the queue is worked through."""
        self._stopping.set()
        self._disarm_timers()
        if self._task is not None:
            self._queue.put_nowait(None)
            await self._task

    def cancel(self) -> None:
        """Do nothing more, at once: another server has taken over, and whoever waits for an answer asks there."""
        self._stopping.set()
        self._disarm_timers()
        if self._task is not None:
            self._task.cancel()

    def _disarm_timers(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm_timer(self, seconds: float) -> None:
        """Set the time of the next tick. One that comes earlier stays: after it the time is set again.

        So it is with most moves, each of which lets a clock begin that runs out later than the one before.
        """
        if self._stopping.is_set():
            return
        loop = asyncio.get_running_loop()
        at = loop.time() + seconds
        if self._timer is not None:
            if self._timer_at <= at:
                return
            self._timer.cancel()
        self._timer, self._timer_at = loop.call_at(at, self._tick), at

    def _tick(self) -> None:
        self._timer = None
        self._on_timer()

    async def _read_after_failure(self, read: Callable[[], Awaitable[T]]) -> T | None:
        """Return what `read` finds in the store, asked until it answers; None when this actor stops before.

        Only the store knows whether what failed was written.
        """
        while not self._stopping.is_set():
            try:
                await self._store.barrier()
                return await read()
            except CorruptRecordError:
                raise
            except Exception as error:  # noqa: BLE001 - the store is away: it is asked again
                self._failures += 1
                self._on_store_failed(error)
                with suppress(TimeoutError):
                    async with asyncio.timeout(backoff_seconds(self._failures)):
                        await self._stopping.wait()
        return None
