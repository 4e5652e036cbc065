"""What strangers send is worked out beside the tables, within limits (issue 10, part 3, point 1)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from triptych.server.jobs.pool import MAX_PER_ADDRESS, MAX_PER_GUEST, Requester, WorkerPool
from triptych.server.wire.errors import ApiError

pytestmark = pytest.mark.anyio

ODD = (sys.executable, str(Path(__file__).with_name("misbehaving_worker.py")))
ANN, BOB = Requester("ann", "192.0.2.1"), Requester("bob", "192.0.2.2")
PATIENCE = 60.0
MEGABYTE = 2**20


@contextlib.asynccontextmanager
async def working(processes: int = 1, seconds: float = PATIENCE) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(processes, seconds, ODD)
    try:
        async with asyncio.timeout(PATIENCE):
            yield pool
    finally:
        await pool.close()


async def refused(pool: WorkerPool, job: str, body: bytes = b"", asker: Requester = ANN) -> tuple[str, int]:
    with pytest.raises(ApiError) as caught:
        await pool.run(job, body, asker)
    return caught.value.code, caught.value.status


async def until(pool: WorkerPool, waiting: int) -> None:
    while len(pool._queue) != waiting:  # noqa: ASYNC110 - the pool fills a plain list
        await asyncio.sleep(0.01)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits of memory")
async def test_a_job_over_its_limits_is_ended_and_the_next_one_is_answered() -> None:
    async with working(seconds=5) as pool:
        first = await pool.run("process", b"", ANN)
        assert await pool.run("process", b"", BOB) == first
        assert await refused(pool, "forever") == ("request.too_costly", 400)
        second = await pool.run("process", b"", ANN)
        assert await pool.run("greedy", b"%d" % (10 * MEGABYTE), ANN) == b"%d" % (10 * MEGABYTE)
        assert await refused(pool, "greedy", b"%d" % (400 * MEGABYTE)) == ("request.too_costly", 400)
        third = await pool.run("process", b"", ANN)
        assert await refused(pool, "gone") == ("request.too_costly", 400)
        fourth = await pool.run("process", b"", ANN)
        assert len({first, second, third, fourth}) == 4
    for process in (first, second, third, fourth):
        with pytest.raises(ProcessLookupError):
            os.kill(int(process), 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits of processor time")
async def test_a_job_over_its_processor_time_is_ended_by_the_system() -> None:
    async with working() as pool:
        assert await refused(pool, "busy") == ("request.too_costly", 400)
        assert await pool.run("echo", b"still here", ANN) == b"still here"


async def test_a_process_that_cannot_start_is_the_servers_own_fault() -> None:
    for command in (("no such program",), (sys.executable, "-c", "")):
        pool = WorkerPool(1, PATIENCE, command)
        assert await refused(pool, "echo") == ("server.failed", 500)
        await pool.close()


async def test_an_internal_error_of_a_job_is_reported_without_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    async with working() as pool:
        assert await refused(pool, "broken") == ("server.failed", 500)
        assert await pool.run("echo", b"still here", ANN) == b"still here"
    output = capsys.readouterr()
    assert "ZeroDivisionError at misbehaving_worker.py" in output.out + output.err
    assert "Ah" not in output.out + output.err


async def test_a_guest_has_only_so_much_under_way_and_an_address_too() -> None:
    async with working() as pool:
        mine = [asyncio.create_task(refused(pool, "forever")) for _ in range(MAX_PER_GUEST)]
        await until(pool, MAX_PER_GUEST - 1)
        assert await refused(pool, "echo") == ("server.busy", 429)
        # Other guests of the same address have room, but not forever.
        others = [
            asyncio.create_task(refused(pool, "forever", asker=Requester(f"guest {n}", ANN.address)))
            for n in range(MAX_PER_ADDRESS - MAX_PER_GUEST)
        ]
        await until(pool, MAX_PER_ADDRESS - 1)
        assert await refused(pool, "echo", asker=Requester("", ANN.address)) == ("server.busy", 429)
        for task in (*mine, *others):
            task.cancel()
        await asyncio.gather(*mine, *others, return_exceptions=True)


async def test_one_address_never_has_all_the_processes() -> None:
    async with working(2) as pool:
        stuck = [asyncio.create_task(refused(pool, "forever")) for _ in range(MAX_PER_GUEST)]
        await until(pool, MAX_PER_GUEST - 1)
        assert await pool.run("echo", b"quick", BOB) == b"quick"
        for task in stuck:
            task.cancel()
        await asyncio.gather(*stuck, return_exceptions=True)
        assert not pool._queue


async def test_a_job_that_waits_when_the_server_stops_gets_an_error() -> None:
    async with working() as pool:
        waiting = [asyncio.create_task(refused(pool, "forever")) for _ in range(2)]
        await until(pool, 1)
    assert await asyncio.gather(*waiting) == [("server.busy", 429)] * 2
