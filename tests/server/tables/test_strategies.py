"""A table with custom closed rules: bots play, and a strategy is made for them (issue 13, part 7)."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
import pytest
from msgspec import Raw

from tests.memory_store.store import MemoryStore
from tests.server.in_process import PATIENCE, run_server
from triptych.rulesets.load import resolve
from triptych.server.bots.strategies import COMMAND, MAX_WAITING, StrategyTrainer, strategy_info
from triptych.server.jobs.pool import WorkerPool
from triptych.server.jobs.protocol import JobRequest

if TYPE_CHECKING:
    from triptych.rulesets.model import Ruleset
    from triptych.server.tables.actor import TableActor

pytestmark = pytest.mark.anyio

PLAIN = {"preset": "closed_2_4", "royalties.table": "none"}
# A process that writes what it is asked into a file; `then` is what it does instead of an answer.
NOTES = """
import sys, time
import msgspec
from triptych.server.jobs.protocol import JobRequest, JobResult, encode_frame

def answer(result):
    sys.stdout.buffer.write(encode_frame(result)); sys.stdout.buffer.flush()

answer(JobResult())
size = int.from_bytes(sys.stdin.buffer.read(4), "big")
request = msgspec.msgpack.decode(sys.stdin.buffer.read(size), type=JobRequest)
open(sys.argv[1], "ab").write(request.body + b"\\n")
{then}
answer(JobResult())
sys.stdin.read()
"""


def trainer(file: Path, then: str = "") -> StrategyTrainer:
    command = (sys.executable, "-c", NOTES.replace("{then}", then), str(file))
    return StrategyTrainer(WorkerPool(1, command=command, single_use=True))


class StubTable:
    """A table as far as its rules."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = Raw(msgspec.json.encode(rules))
        self.state = self
        self.config = self


class StubConfig:
    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules


def table_of(rules: Ruleset) -> TableActor:
    playing = StubTable(rules)
    playing.config = cast("StubTable", StubConfig(rules))
    return cast("TableActor", playing)


async def written(file: Path, lines: int) -> list[bytes]:
    async with asyncio.timeout(PATIENCE):
        while len(_lines(file)) < lines:  # noqa: ASYNC110 - another process writes
            await asyncio.sleep(0.01)
    return _lines(file)


def _lines(file: Path) -> list[bytes]:
    return file.read_bytes().split(b"\n")[:-1] if file.exists() else []


async def test_each_closed_game_is_asked_for_once(tmp_path: Path) -> None:
    file = tmp_path / "asked"
    strategies = trainer(file)
    plain, other = resolve(PLAIN), resolve({**PLAIN, "foul.points": 9})
    for rules in (plain, resolve("pineapple"), other, plain):
        strategies.request(table_of(rules))
    lines = await written(file, 2)
    await strategies.close()
    assert [msgspec.json.decode(line, type=type(plain)) for line in lines] == [plain, other]


async def test_a_process_that_fails_stops_nothing(tmp_path: Path) -> None:
    file = tmp_path / "asked"
    strategies = trainer(file, "sys.exit(3)")
    strategies.request(table_of(resolve(PLAIN)))
    await written(file, 1)
    strategies.request(table_of(resolve({**PLAIN, "foul.points": 9})))
    assert len(await written(file, 2)) == 2
    await strategies.close()
    missing = StrategyTrainer(WorkerPool(1, command=("/nowhere/at/all",)))
    missing.request(table_of(resolve(PLAIN)))
    await asyncio.sleep(0.05)
    await missing.close()


async def test_a_closed_server_leaves_no_process(tmp_path: Path) -> None:
    file = tmp_path / "asked"
    strategies = trainer(file, "time.sleep(600)")
    strategies.request(table_of(resolve(PLAIN)))
    await written(file, 1)
    async with asyncio.timeout(PATIENCE):
        await strategies.close()


async def test_a_flood_of_rules_waits_in_no_line_without_end(tmp_path: Path) -> None:
    strategies = trainer(tmp_path / "asked", "time.sleep(600)")
    for points in range(3 * MAX_WAITING):
        strategies.request(table_of(resolve({**PLAIN, "foul.points": points})))
    await asyncio.sleep(0)
    assert len(strategies._pool._queue) == MAX_WAITING
    await strategies.close()


async def test_the_real_process_makes_what_rules_lack() -> None:
    """Here it finds that nothing is lacking, so that it is done at once."""
    pool = WorkerPool(1, command=COMMAND, single_use=True)
    result = await pool.work(JobRequest("strategy", msgspec.json.encode(resolve("closed_2_4"))), PATIENCE)
    await pool.close()
    assert (result.body, result.error) == (b"null", None)


async def test_the_table_says_whose_strategy_it_is() -> None:
    nearest = await strategy_info(resolve(PLAIN))
    assert not nearest.own
    assert nearest.like
    for preset in ("closed_2_4", "pineapple"):
        assert (await strategy_info(resolve(preset))).own
    async with run_server(MemoryStore()) as server, server.person("Ann") as ann:
        table = await ann.open_table({"preset": "closed_2_4"})
        assert (await ann.http.get(f"/api/tables/{table}/strategy")).json() == {"own": True, "like": ""}
        assert (await ann.http.get("/api/tables/none/strategy")).status_code == 404
