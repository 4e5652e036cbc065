"""What may wait at a table, and for how long whoever asked does (issue 10, part 3, point 6)."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from tests.server.tables.test_actor import LoadedTable, RecordingSubscriber, loaded_table
from triptych.board import Layout
from triptych.deal.actions import Arrange
from triptych.i18n.messages import plain_text
from triptych.server.tables import actor as tables
from triptych.server.tables.actor import QueuedCommand
from triptych.server.tables.command_limiter import ARRANGE_BURST, MAX_WAITING
from triptych.server.tables.downtime import Downtime
from triptych.server.wire.errors import ApiError
from triptych.table import commands as c

pytestmark = pytest.mark.anyio
TURNED = Arrange(0, Layout(back=("Ah",)))


def handed_in(
    at: LoadedTable, player: str, request: c.PlayerRequest | Arrange, cmd_id: str = ""
) -> list[dict[str, Any]]:
    """Put something into the queue; returns where its answer will be."""
    answers: list[dict[str, Any]] = []
    command = c.Command(player, request, player.title())
    assert at.live.submit(
        QueuedCommand(command, cmd_id, lambda reply: answers.append(msgspec.to_builtins(reply, enc_hook=plain_text)))
    )
    return answers


async def test_endless_arranging_is_limited_at_once() -> None:
    """It never gets into the queue; other requests of the same guest do, and so do the cards of others."""
    async with loaded_table() as at:
        before = [handed_in(at, "bob", TURNED) for _ in range(MAX_WAITING)]
        await at.quiet()
        before += [handed_in(at, "bob", TURNED) for _ in range(ARRANGE_BURST - MAX_WAITING)]
        assert before[-1] == []
        (refused,) = handed_in(at, "bob", TURNED, "c9")
        assert (refused["t"], refused["cmd_id"], refused["table"]) == ("refused", "c9", "t1")
        assert refused["error"]["code"] == "request.too_fast"
        assert handed_in(at, "cid", TURNED) == []
        assert (await at.done("bob", c.Say("hello")))["t"] == "ack"
        assert {reply["error"]["code"] for (reply,) in before} == {"player.not_seated"}


async def test_queued_commands_of_a_guest_are_limited_and_those_of_the_table_are_not() -> None:
    async with loaded_table() as at:
        for _ in range(MAX_WAITING):
            handed_in(at, "bob", c.Say("hello"))
        more = QueuedCommand(c.Command("bob", c.Say("hello"), "Bob"))
        assert not at.live.submit(more)
        handed_in(at, "cid", c.Say("hello"))
        assert all(at.live.submit(QueuedCommand(c.Command("", c.Tick()))) for _ in range(2 * MAX_WAITING))
        await at.quiet()
        assert at.live.submit(more)


async def test_the_server_sends_a_command_and_gets_its_result() -> None:
    async with loaded_table() as at:
        await at.live.execute(c.Command("bob", c.Sit(1, 100), "Bob"))
        assert at.bob_is_here()
        with pytest.raises(ApiError) as refused:
            await at.live.execute(c.Command("cid", c.Sit(1, 100), "Cid"))
        assert (refused.value.code, refused.value.path) == ("seat.taken", "$.seat")
        for _ in range(MAX_WAITING):
            handed_in(at, "cid", c.Say("hello"))
        with pytest.raises(ApiError) as refused:
            await at.live.execute(c.Command("cid", c.Sit(2, 100), "Cid"))
        assert (refused.value.code, refused.value.status) == ("request.too_fast", 429)


async def test_the_server_asks_no_longer_than_people_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes of it then is done all the same; nobody is told twice."""
    monkeypatch.setattr(tables, "REPLY_TIMEOUT_SECONDS", 0.0)
    async with loaded_table() as at:
        with pytest.raises(ApiError) as refused:
            await at.live.execute(c.Command("bob", c.Sit(1, 100), "Bob"))
        assert (refused.value.code, refused.value.status) == ("server.unsure", 500)
        await at.quiet()
        assert at.bob_is_here()


async def test_queued_commands_are_done_before_a_table_stops() -> None:
    async with loaded_table(pause=60) as at:
        answers = handed_in(at, "bob", c.Sit(1, 100))
        await at.live.stop()
        assert [answer["t"] for answer in answers] == ["ack"]
        assert at.live.state == await at.stored_state()
        await asyncio.sleep(0)


async def test_downtime_is_compensated_at_once() -> None:
    """Nobody need ask for anything before the clocks are right again."""
    async with loaded_table(pause=60) as at:
        for seat, player in enumerate(("ann", "bob")):
            await at.done(player, c.Sit(seat, 100))
        due = at.live.state.next_at
        assert due is not None
        at.now += 5_000
        at.news.clear()
        at.live.add_downtime(Downtime(at.now - 5_000, at.now, "still"))
        async with asyncio.timeout(60):
            while at.live.state.next_at == due:
                at.news.clear()
                await at.news.wait()
        assert at.live.state.next_at == due + 5_000


async def test_a_guest_is_called_as_they_are_called_now() -> None:
    """Asked several times before its turn comes, the table looks once, and has not forgotten the name."""
    async with loaded_table() as at:
        await at.done("bob", c.Sit(1, 100))
        at.live.check_presence("bob")
        await at.quiet()
        assert not at.bob_is_here()
        at.live.subscribe(RecordingSubscriber("bob"), "Bobby", None)
        at.live.check_presence("bob")
        await at.quiet()
        assert (at.live.state.seats[1].name, at.bob_is_here()) == ("Bobby", True)
        at.live.check_presence("bob", "Robert")
        at.live.check_presence("bob", "Rob")
        await at.quiet()
        assert at.live.state.seats[1].name == "Rob"
