"""Appends that wait share a transaction; of a caller who is gone by then nothing is written."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from triptych.store.journal.group_commit import GroupCommit
from triptych.store.types import Append, NewEvent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.store.journal.batch import Outcome

pytestmark = pytest.mark.anyio


def _append(table: str) -> Append:
    return Append(table=table, expected_version=0, events=(NewEvent("public", None, b"{}"),))


async def test_an_append_whose_caller_was_cancelled_is_not_written() -> None:
    """It was decided by a server that was found dead, and may own the table again. Simulation, seed 1001123."""
    goes_on = asyncio.Event()
    begun = asyncio.Event()
    written: list[list[str]] = []

    async def commit(batch: Sequence[Append]) -> Sequence[Outcome]:
        written.append([append.table for append in batch])
        begun.set()
        await goes_on.wait()
        return [append.expected_version + len(append.events) for append in batch]

    group = GroupCommit(commit)
    group.start()
    first = asyncio.create_task(group.append(_append("under way")))
    await begun.wait()
    gone, stays = (asyncio.create_task(group.append(_append(name))) for name in ("gone", "stays"))
    await asyncio.sleep(0)
    gone.cancel()
    first.cancel()  # what is being written is written, whoever hears of it
    goes_on.set()
    assert await stays == 1
    await group.close()
    assert written == [["under way"], ["stays"]]
    assert gone.cancelled()
