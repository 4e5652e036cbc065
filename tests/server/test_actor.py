"""What tables and tournaments share while they run: one queue, one timer, patience with the store."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from triptych.server.actor import Actor
from triptych.store.errors import CorruptRecordError
from triptych.store.interface import EventStore

pytestmark = pytest.mark.anyio


class FailingStore:
    """A store that does not answer as often as a test says."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    async def barrier(self) -> None:
        if self.failures:
            self.failures -= 1
            raise OSError


class SummingActor(Actor[int]):
    """Adds up what it is given."""

    def __init__(self, failures: int = 0) -> None:
        self.store = FailingStore(failures)
        super().__init__(cast("EventStore", self.store), lambda: 1_000, 5_000)
        self.total = 0
        self.ticks = 0
        self.failed: list[Exception] = []

    async def _process(self, job: int) -> None:
        self.total += job

    def _on_timer(self) -> None:
        self.ticks += 1

    def _on_store_failed(self, error: Exception) -> None:
        self.failed.append(error)

    def begin(self, *jobs: int) -> None:
        self._start("counter")
        for job in jobs:
            self._queue.put_nowait(job)

    def arm(self, seconds: float) -> None:
        self._arm_timer(seconds)

    async def read(self, error: Exception | None = None) -> str | None:
        async def stored() -> str:
            if error is not None:
                raise error
            return "stored"

        return await self._read_after_failure(stored)


async def test_a_stop_works_through_the_queue_and_a_cancel_does_not() -> None:
    stopped, cancelled = SummingActor(), SummingActor()
    assert stopped.clock.now() == 5_000  # no earlier than what has happened there
    for actor in (stopped, cancelled):
        actor.begin(1, 2, 3)
        actor.arm(0.0)
    cancelled.cancel()
    await stopped.stop()
    for actor in (stopped, cancelled):
        actor.arm(0.0)  # too late
    await asyncio.sleep(0.002)
    assert (stopped.total, cancelled.total) == (6, 0)
    assert (stopped.ticks, cancelled.ticks) == (0, 0)


async def test_of_two_times_the_earlier_one_stays() -> None:
    actor = SummingActor()
    for seconds in (0.002, 60.0, 0.001, 0.001):
        actor.arm(seconds)
    await asyncio.sleep(0.01)
    assert actor.ticks == 1
    actor.arm(60.0)
    await asyncio.sleep(0.002)
    assert actor.ticks == 1
    await actor.stop()


async def test_the_store_is_asked_until_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[int] = []

    def backoff(failures: int) -> float:
        waits.append(failures)
        return 0.0

    monkeypatch.setattr("triptych.server.actor.backoff_seconds", backoff)
    actor = SummingActor(failures=3)
    assert await actor.read() == "stored"
    assert waits == [1, 2, 3]
    assert [type(error) for error in actor.failed] == [OSError] * 3
    damage = CorruptRecordError("t", "wrong")
    with pytest.raises(CorruptRecordError):
        await actor.read(damage)


async def test_a_cancelled_actor_does_not_wait_for_the_store() -> None:
    actor = SummingActor(failures=1_000)
    reading = asyncio.create_task(actor.read())
    await asyncio.sleep(0)
    actor.cancel()
    async with asyncio.timeout(10):
        assert await reading is None
    assert len(actor.failed) == 1
    assert await actor.read() is None
    assert len(actor.failed) == 1
