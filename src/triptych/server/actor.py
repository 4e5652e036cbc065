"""The base class of the tasks of tables and tournaments: a queue, a clock, a timer and retries."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from triptych.async_tasks import wait_at_most
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
        """Do the next job; must not raise."""

    @abstractmethod
    def _on_timer(self) -> None:
        """Called when the time of the next tick has come."""

    @abstractmethod
    def _on_store_failed(self, error: Exception) -> None:
        """Called when the store did not answer; the read is repeated."""

    def _start(self, name: str) -> None:
        self._task = asyncio.create_task(self._run(), name=name)

    async def _run(self) -> None:
        while (job := await self._queue.get()) is not None:
            await self._process(job)

    async def stop(self) -> None:
        """Stop after the jobs in the queue are done."""
        self._stopping.set()
        self._disarm_timers()
        if self._task is not None:
            self._queue.put_nowait(None)
            await self._task

    def cancel(self) -> None:
        """Stop at once: another server has taken over, and clients repeat their unanswered commands there."""
        self._stopping.set()
        self._disarm_timers()
        if self._task is not None:
            self._task.cancel()

    def _disarm_timers(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm_timer(self, seconds: float) -> None:
        """Set the time of the next tick. An earlier timer stays, and at its tick the timer is armed again.

        This saves work with most moves: each starts a clock that ends later than the one before.
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
        """Return what `read` reads from the store, after retries; None when this actor stops before.

        Only the store knows whether the failed write was done.
        """
        while not self._stopping.is_set():
            try:
                await self._store.barrier()
                return await read()
            except CorruptRecordError:
                raise
            except Exception as error:  # noqa: BLE001 - the store is unavailable: retried
                self._failures += 1
                self._on_store_failed(error)
                await wait_at_most(self._stopping, backoff_seconds(self._failures))
        return None
