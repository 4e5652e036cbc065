"""Updates of a server in PostgreSQL while people play, and backups of it meanwhile (issue 12, Shown by 6)."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from uuid import uuid4

import msgspec
import pytest

from tests.faults.campaigns import now_ms, record_of
from tests.faults.clocks import Outage
from tests.faults.judge import judge
from tests.faults.players import session
from tests.server.in_process import PATIENCE
from tests.server.server_process import PROGRAM, ServerProcess, free_port
from triptych.store.postgres.store import postgres_store

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM")]
TABLES = 3
UPDATES = 3


async def ran(*words: object) -> str:
    """Return the program's output. Raises AssertionError when it failed."""
    process = await asyncio.create_subprocess_exec(
        PROGRAM, *map(str, words), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output = (await process.communicate())[0].decode()
    assert process.returncode == 0, output
    return output


async def test_an_update_costs_nobody_a_deal(postgres: Callable[[str], str], tmp_path: Path) -> None:
    """The old server drains, the new one takes over; nothing that was answered is lost or done twice.

    Every backup, made by the program while they play, is sound and holds what was answered before it began.
    """
    rng = Random(UPDATES)
    server = ServerProcess(tmp_path, free_port(), database=postgres(f"t{uuid4().hex}"))
    outages = []
    try:
        await server.start()
        async with contextlib.AsyncExitStack() as stack:
            sessions = [await stack.enter_async_context(session(server.url)) for _ in range(TABLES)]
            for update in range(UPDATES):
                await asyncio.gather(*(each.everybody_played_on() for each in sessions))
                acknowledged = sum(player.acknowledged for each in sessions for player in each.players)
                copy = tmp_path / f"copy{update}.db"
                await ran("backup", copy, "--database", server.database)
                await asyncio.sleep(rng.random() * 0.3)
                assert server.process is not None
                server.process.terminate()
                assert await asyncio.to_thread(server.process.wait, PATIENCE) == 0
                outages.append(Outage(now_ms()))
                await server.start()
                checked = await ran("restore", copy, "--check")
                assert f"{TABLES} tables" in checked
                assert "0 faults" in checked
                assert int(checked.split(" events")[0].split()[-1]) >= acknowledged
            for each in sessions:
                await each.stop()
    finally:
        server.kill()
    histories = [history for each in sessions for history in each.histories]
    verdict = judge(await record_of(server), histories, outages)
    assert verdict.found == []
    assert verdict.counts["acknowledged"] > 10 * TABLES
    for each in sessions:
        await nothing_was_cut_short(server.database, each.table)


async def nothing_was_cut_short(database: str, table: str) -> None:
    """No deal was given up, and no clock of anybody ran out while no server was there."""
    store = postgres_store(database)
    await store.open()
    counts = collections.Counter(msgspec.json.decode(event.payload)["e"] for event in await store.load(table))
    await store.close()
    assert not counts.keys() & {"match_cut_short", "next_deal_cancelled", "time_ran_out"}, counts
    assert counts["deal_started"] + counts["deal_started_again"] - counts["deal_settled"] in {0, 1}
