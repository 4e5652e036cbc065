"""When what was appended is projected; the source is store/projections/projector.py itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from triptych.store.journal.backlog import ProjectionBacklog
from triptych.store.projections import projector
from triptych.store.projections.projector import Projector
from triptych.store.types import Append, NewEvent

pytestmark = pytest.mark.anyio
EVENT = NewEvent("public", None, b"x")


async def test_enough_appends_are_projected_without_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector, "ENOUGH_APPENDS", 3)
    monkeypatch.setattr(projector, "PAUSE_SECONDS", 1_000.0)
    called = asyncio.Semaphore(0)

    async def project(_between: Callable[[], Awaitable[None]]) -> None:
        called.release()

    following = Projector(project)
    following.start()
    try:
        following.notify(2)
        await asyncio.sleep(0.05)
        assert called.locked()
        following.notify(3)
        async with asyncio.timeout(10):
            await called.acquire()
    finally:
        await following.close()


async def test_a_failed_projection_is_not_retried_at_every_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector, "ENOUGH_APPENDS", 1)
    tries = 0

    async def project(_between: Callable[[], Awaitable[None]]) -> None:
        nonlocal tries
        tries += 1
        raise OSError("no space left on device")

    following = Projector(project)
    following.start()
    try:
        for _ in range(20):
            following.notify(5)
            await asyncio.sleep(0.005)
    finally:
        await following.close()
    assert tries == 1


def test_a_backlog_has_as_many_appends_as_are_not_projected() -> None:
    """What is damaged is no append."""
    backlog = ProjectionBacklog()
    appends = [Append(table=table, expected_version=0, events=(EVENT,)) for table in "aba"]
    backlog.add(1, appends)
    backlog.add(2, (), ("c",))
    assert len(backlog) == 3
    pending = backlog.peek()
    assert pending is not None
    backlog.add(3, appends[:1])
    backlog.discard(pending.tables)
    assert len(backlog) == 1
