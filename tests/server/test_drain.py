"""SIGTERM: players are told, the process ends in good order, and no clock is charged for it (issue 12, part 4)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import PATIENCE, RunningServer, http_client
from tests.server.server_process import ServerProcess, free_port
from triptych.server.edge.connection import GOING_AWAY

pytestmark = pytest.mark.anyio
AWAY_SECONDS = 1.0


async def test_a_stopping_server_notifies_everybody_and_charges_nobody(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, free_port())
    await server.start()
    try:
        running = RunningServer(server.url, MemoryStore())
        async with running.person("Ann") as ann, running.person("Bob") as bob:
            table = await ann.open_table({"preset": "pineapple"})
            for seat, person in enumerate((ann, bob)):
                await person.watch(table)
                await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
            await ann.until(lambda: bool(ann.views[table]["clocks"]))
            before = ann.views[table]
            process = server.process
            assert process is not None
            process.terminate()
            for person in (ann, bob):
                with pytest.raises(ConnectionError, match=f"{GOING_AWAY}, 'The server is shutting down.'"):
                    await person.until(lambda: False)
            assert await asyncio.to_thread(process.wait, PATIENCE) == 0
            cookies = ann.http.cookies
        await asyncio.sleep(AWAY_SECONDS)  # the time that nobody is to be charged for
        await server.start()
        async with http_client(base_url=server.url, cookies=cookies) as http, running.socket(http) as again:
            await again.watch(table)
            after = again.views[table]
            assert after["you"] == 0
            assert after["deal"]["tasks"] == before["deal"]["tasks"]
            moved = after["clocks"][0]["street_ends"] - before["clocks"][0]["street_ends"]
            assert moved >= AWAY_SECONDS * 1000
    finally:
        server.kill()
