"""Two servers of one cluster are updated one after the other while people play (issue 12, Shown by 6)."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.faults.campaigns import record_of
from tests.faults.cluster import AnyServer, Cluster
from tests.faults.judge import judge
from tests.faults.players import session
from tests.nats import Nats
from tests.server.in_process import PATIENCE
from tests.server.test_update import nothing_was_cut_short

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM")]


@pytest.mark.parametrize(("tables", "updated"), [(1, 1), pytest.param(3, 2, marks=pytest.mark.slow)])
async def test_no_deal_is_cut_short(
    migrated: Callable[[str], str], tmp_path: Path, tables: int, updated: int
) -> None:
    """Each room in turn: SIGTERM, its tables are played on at the other one, and it comes back as the new version."""
    nats = Nats(tmp_path / "nats.log")
    await nats.start()
    cluster = Cluster(tmp_path, migrated(f"t{uuid4().hex}"), nats)
    try:
        for _ in range(2):
            await cluster.open()
        async with contextlib.AsyncExitStack() as stack:
            opening = [cluster.servers[number % 2].url for number in range(tables)]
            sessions = [await stack.enter_async_context(session(url, AnyServer(cluster))) for url in opening]
            for old in cluster.servers[:updated]:
                await asyncio.gather(*(each.everybody_played_on() for each in sessions))
                process, old.process = old.process, None  # the proxy sends nobody there any more
                assert process is not None
                process.terminate()
                await asyncio.gather(*(each.everybody_played_on() for each in sessions))
                assert await asyncio.to_thread(process.wait, PATIENCE) == 0
                await old.start()
            await asyncio.gather(*(each.everybody_played_on() for each in sessions))
            for each in sessions:
                await each.stop()
    finally:
        cluster.end()
    verdict = judge(
        await record_of(cluster.servers[0]), [history for each in sessions for history in each.histories], []
    )
    assert verdict.found == []
    assert verdict.counts["acknowledged"] > tables
    for each in sessions:
        await nothing_was_cut_short(cluster.url, each.table)
