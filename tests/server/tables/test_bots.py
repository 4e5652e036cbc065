"""The bots' process: it answers, it may die or hang, and the table goes on (issue 2, part 7)."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
import pytest
from msgspec import Raw

from tests.case_sample import sample_cases
from tests.memory_store.store import MemoryStore
from tests.server.in_process import InProcessEngine, play, run_server
from tests.table.session import Session
from triptych.board import Layout
from triptych.deal.actions import Place
from triptych.deal.view_types import BoardView, DealView, FreeSlots, RowView, Task
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.server.bootstrap import ServerSettings
from triptych.server.bots.driver import BotDriver
from triptych.server.bots.engine import COMMAND, BotEngineError, PooledBotEngine
from triptych.server.jobs.pool import WorkerPool
from triptych.server.wire.messages import Rejected, WireError
from triptych.table.clock import acting_seats
from triptych.table.commands import Pause, SeatBot

if TYPE_CHECKING:
    from triptych.deal.actions import Action
    from triptych.server.tables.actor import QueuedCommand, TableActor
    from triptych.table.state import TableState

pytestmark = pytest.mark.anyio

EMPTY = RowView(())
CARDS = ("Ah", "Kd", "9c", "9s", "2h")
TASK = Task(0, "place", 1, CARDS, 5, 0, FreeSlots(3, 5, 5), Layout())
BOARD = BoardView(0, 0, EMPTY, EMPTY, EMPTY, 1, True, False, False, 0, 0, CARDS, (), ())
OTHER = BoardView(1, 1, EMPTY, EMPTY, EMPTY, 1, False, False, False, 0, 0, (), (), ())
VIEW = DealView(1, "pineapple", "placing", 1, 5, (BOARD, OTHER), (TASK,))
RULES = Raw(msgspec.json.encode(resolve("pineapple")))

# A process that misbehaves the first times and then answers; a file counts how often it was started.
FAKE = """
import json, pathlib, sys, time
import msgspec
from triptych.server.jobs.protocol import JobRequest, JobResult, encode_frame
from triptych.server.wire.messages import WireError
count = pathlib.Path(sys.argv[1]); n = int(count.read_text() or 0) + 1; count.write_text(str(n))
mode, bad = sys.argv[2], int(sys.argv[3])
asked = 0

def answer(result):
    sys.stdout.buffer.write(encode_frame(result)); sys.stdout.buffer.flush()

answer(JobResult())
while size := sys.stdin.buffer.read(4):
    request = msgspec.msgpack.decode(sys.stdin.buffer.read(int.from_bytes(size, "big")), type=JobRequest)
    task = json.loads(request.body)["task"]
    asked += 1
    if n <= bad:
        if mode == "crash": sys.exit(3)
        if mode == "hang": time.sleep(60)
        if mode == "babble": sys.stdout.buffer.write(encode_frame("no result")); sys.stdout.buffer.flush(); continue
    if mode == "error" and asked <= bad:
        answer(JobResult(error=WireError("x", "y")))
        continue
    layout = {"back": task["cards"], "middle": [], "front": []}
    answer(JobResult(msgspec.json.encode({"do": "place", "hand": 0, "layout": layout})))
"""


def fake(folder: Path, mode: str, bad: int, processes: int = 1) -> PooledBotEngine:
    count = folder / "count"
    count.write_text("0")
    command = [sys.executable, "-c", FAKE, str(count), mode, str(bad)]
    return PooledBotEngine(WorkerPool(processes, command=command), slack=1.5)


async def test_the_real_process_answers() -> None:
    engine = PooledBotEngine(WorkerPool(1, command=COMMAND))
    try:
        await engine.prepare(RULES)
        answers = await asyncio.gather(*(engine.choose("random", RULES, VIEW, TASK, 100) for _ in range(5)))
        with pytest.raises(BotEngineError):
            await engine.choose("nobody", RULES, VIEW, TASK, 100)
        answers.append(await engine.choose("random", RULES, VIEW, TASK, 100))
    finally:
        await engine.close()
    for action in answers:
        assert isinstance(action, Place)
        laid = action.layout.front + action.layout.middle + action.layout.back
        assert sorted(laid) == sorted(CARDS)


@pytest.mark.parametrize("mode", sample_cases(["crash", "hang", "babble", "error"], ["crash", "babble", "error"]))
async def test_a_process_that_fails_is_asked_again_and_started_again_unless_it_answers(
    tmp_path: Path, mode: str
) -> None:
    engine = fake(tmp_path, mode, 2)
    try:
        action = await engine.choose("steady", RULES, VIEW, TASK, 50)
    finally:
        await engine.close()
    assert isinstance(action, Place)
    assert action.layout.back == CARDS
    assert (tmp_path / "count").read_text() == ("1" if mode == "error" else "3")


async def test_a_process_that_never_answers_is_given_up(tmp_path: Path) -> None:
    engine = fake(tmp_path, "crash", 1000)
    try:
        with pytest.raises(BotEngineError):
            await engine.choose("steady", RULES, VIEW, TASK, 50)
    finally:
        await engine.close()
    assert (tmp_path / "count").read_text() == "3"


async def test_waiting_for_a_process_is_not_charged_to_a_question(tmp_path: Path) -> None:
    """Ten questions on two processes: the last ones wait for longer than each may take, and none of them fails."""
    slow = FAKE.replace("    layout", "    time.sleep(0.5)\n    layout", 1)
    count = tmp_path / "count"
    count.write_text("0")
    engine = PooledBotEngine(WorkerPool(2, command=[sys.executable, "-c", slow, str(count), "", "0"]), slack=2.0)
    try:
        answers = await asyncio.gather(*(engine.choose("steady", RULES, VIEW, TASK, 50) for _ in range(10)))
    finally:
        await engine.close()
    assert len(answers) == 10
    assert count.read_text() in {"1", "2"}  # the two count at one time


class PreparationRecorder(InProcessEngine):
    """Bots that keep what they were to get ready for."""

    def __init__(self) -> None:
        super().__init__()
        self.prepared: list[Ruleset] = []

    async def prepare(self, rules: Raw) -> None:
        self.prepared.append(msgspec.json.decode(bytes(rules), type=Ruleset))


async def test_bots_are_prepared_for_the_first_deal_and_for_each_table_where_one_sits() -> None:
    """Issue 28: the guide's first answer does not wait for what can be read before."""
    bots = PreparationRecorder()
    async with run_server(bot_engine=bots) as server, server.person("Ann") as ann:
        assert bots.prepared == [resolve("pineapple")]
        table = await ann.open_table({"preset": "turbo", "clock.seconds": 77})
        await ann.watch(table)
        assert len(bots.prepared) == 1
        for seat in (0, 1):
            await ann.do(table, {"do": "seat_bot", "seat": seat, "level": "fast", "buy_in": 100})
        assert bots.prepared[1:] == [resolve({"preset": "turbo", "clock.seconds": 77})]


async def test_the_clock_plays_for_a_bot_that_cannot(tmp_path: Path) -> None:
    """Rules §6: a time-out lays the cards out; the bot stays at the table."""
    rules = {"preset": "pineapple", "clock.seconds": 1, "clock.bank": 0, "clock.setting": 1}
    broken = fake(tmp_path, "crash", 1000)
    quick = ServerSettings(pause=0, bot_delay=0, grace=0)
    async with run_server(MemoryStore(), quick, bot_engine=broken) as server, server.person("Ann") as ann:
        table = await ann.open_table(rules)
        await ann.watch(table)
        for seat in (0, 1):
            await ann.do(table, {"do": "seat_bot", "seat": seat, "level": "fast", "buy_in": 100})
        events = await ann.until(
            lambda: (
                [e for m in ann.said for e in m.get("events", ()) if e.get("e", {}).get("e") == "time_ran_out"]
                or None
            )
        )
        assert events
        assert all(seat["bot"] for seat in ann.views[table]["seats"][:2])


async def test_bots_of_levels_that_are_no_longer_offered_play_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stored table may hold `steady` or `base`, which older versions seated: it comes back, and they go on."""

    async def accept(_: str) -> None:
        """Ask nothing, as if every level was offered."""

    store = MemoryStore()
    with monkeypatch.context() as older:
        older.setattr("triptych.server.edge.connection.verify_level", accept)
        async with run_server(store) as server, server.person("Ann") as ann:
            table = await ann.open_table()
            await ann.watch(table)
            for seat, level in ((1, "steady"), (2, "base")):
                answer = await ann.do(table, {"do": "seat_bot", "seat": seat, "level": level, "buy_in": 200})
                assert answer["t"] == "ack", answer
    async with run_server(store) as server, server.person("Bob") as bob:
        seats = (await bob.watch(table))["view"]["seats"]
        assert [seat["bot"] for seat in seats[1:]] == [True, True]
        assert (await bob.do(table, {"do": "sit", "seat": 0, "buy_in": 200}))["t"] == "ack"
        await play(bob, table, 2)  # with the clock's 30 seconds for everyone who does not answer, this would not end


class InstantEngine:
    """A thinker that has its answer at once."""

    async def choose(self, level: str, rules: Raw, view: DealView, task: Task, budget_ms: int) -> Action:  # noqa: ARG002
        return Place(task.hand, Layout(back=task.cards))

    async def prepare(self, rules: Raw) -> None:
        pass

    async def close(self) -> None:
        pass


class StubTable:
    """A table as the bots see it; `jobs`: what they have asked of it."""

    def __init__(self, state: TableState) -> None:
        self.id, self.rules, self.state = "t1", RULES, state
        self.jobs: list[QueuedCommand] = []
        self.asked = asyncio.Event()

    def submit(self, job: QueuedCommand) -> bool:
        self.jobs.append(job)
        self.asked.set()
        return True


async def test_a_bot_whose_move_came_in_a_pause_moves_when_the_table_goes_on() -> None:
    session = Session(people=1)
    session.ask("ann", SeatBot(1, "random", 100))
    session.begin()
    playing = session.state()
    while playing.deal is None or 1 not in acting_seats(playing.deal):
        session.act()
        playing = session.state()
    session.ask("ann", Pause())
    paused = session.state()
    table, host = StubTable(playing), BotDriver(InstantEngine(), 0)
    host.on_table_changed(cast("TableActor", table))
    await table.asked.wait()
    refused = Rejected("", "t1", WireError("table.paused", "The table is paused"))
    reply = table.jobs[0].reply
    assert reply is not None
    reply(refused)
    table.state = paused
    host.on_table_changed(cast("TableActor", table))
    table.asked.clear()
    table.state = playing
    host.on_table_changed(cast("TableActor", table))
    await table.asked.wait()
    await host.close()
    assert [job.command.player for job in table.jobs] == [playing.seats[1].player] * 2


class RecordingEngine(InstantEngine):
    """A thinker that keeps what it was shown."""

    def __init__(self) -> None:
        self.shown: list[DealView] = []

    async def choose(self, level: str, rules: Raw, view: DealView, task: Task, budget_ms: int) -> Action:
        self.shown.append(view)
        return await super().choose(level, rules, view, task, budget_ms)


async def test_a_bot_gets_the_stacks() -> None:
    """Issue 13, part 4: what can be paid is known to everybody at the table."""
    session = Session(people=1, buy_in=70)
    session.ask("ann", SeatBot(1, "random", 100))
    session.begin()
    playing = session.state()
    while playing.deal is None or 1 not in acting_seats(playing.deal):
        session.act()
        playing = session.state()
    engine = RecordingEngine()
    table, host = StubTable(playing), BotDriver(engine, 0)
    host.on_table_changed(cast("TableActor", table))
    await table.asked.wait()
    await host.close()
    (view,) = engine.shown
    assert view.stacks
    by_seat = {board.seat: stack for board, stack in zip(view.boards, view.stacks.chips, strict=True)}
    assert by_seat == {0: 70, 1: 100}
