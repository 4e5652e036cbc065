"""A server whose process stands still charges nobody for it (issue 10, part 3, 5)."""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import RunningServer
from tests.server.server_process import ServerProcess, free_port

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("seconds", [3, pytest.param(60, marks=pytest.mark.slow)])
async def test_a_stopped_process_charges_nobody(tmp_path: Path, seconds: int) -> None:
    """SIGSTOP for longer than anybody has time, then SIGCONT: the clock goes on where it was, and a line says why."""
    server = ServerProcess(tmp_path, free_port())
    await server.start()
    assert server.process is not None
    running = RunningServer(server.url, MemoryStore())
    rules = {"preset": "pineapple", "clock.seconds": 2, "clock.bank": 0}
    try:
        async with running.person("Ann") as ann, running.person("Bob") as bob:
            table = await ann.open_table(rules)
            for seat, person in enumerate((ann, bob)):
                await person.watch(table)
                await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
            await ann.until(lambda: bool(ann.views[table]["clocks"]))
            began = time.monotonic()
            server.process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(seconds)
            server.process.send_signal(signal.SIGCONT)
            stopped = time.monotonic() - began
            # Whoever gave the connection up meanwhile comes back, as a page does.
            async with running.socket(ann.http) as back:
                await back.watch(table)
                await back.until(lambda: any("paused for" in line["text"] for line in back.views[table]["talk"]))
                view = back.views[table]
                update = next(m for m in reversed(back.said) if m["t"] == "update")
                assert not any(seat["sitting_out"] for seat in view["seats"])
                left = view["clocks"][0]["street_ends"] - update["now"]
                assert 0 < left <= 2_000
                # The clock ran only while the process did: from the deal to the stop, and since.
                (line,) = [line["text"] for line in view["talk"] if "paused for" in line["text"]]
                assert abs(int(line.split(" for ")[1].split()[0]) - stopped) <= 1.5
                # Then it runs out as ever.
                await back.until(lambda: any(seat["sitting_out"] for seat in back.views[table]["seats"]))
    finally:
        server.kill()
