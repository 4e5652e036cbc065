"""A connection on a line of its own making: slow readers are dropped, errors stay inside."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import msgspec
import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import PATIENCE
from triptych.server.edge.connection import SLOW_CONSUMER, Connection
from triptych.server.edge.guests import Guests
from triptych.server.edge.send_queue import MAX_QUEUED
from triptych.server.tables.service import TableService
from triptych.server.tournaments.service import TournamentService
from triptych.server.wire.errors import TRY_AGAIN
from triptych.store.errors import FencedError

pytestmark = pytest.mark.anyio


class StuckTransport:
    """A client that reads nothing."""

    def __init__(self) -> None:
        self.received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.closed: tuple[int, str] | None = None

    def listen(self, hear: object, part: object) -> None:
        del hear, part

    async def receive(self) -> dict[str, Any]:
        return await self.received.get()

    def write(self, text: str) -> bool:
        del text
        return False

    async def send_text(self, text: str) -> None:
        del text
        await asyncio.Event().wait()

    async def close(self, code: int, reason: str) -> None:
        self.closed = (code, reason)


class OpenTransport(StuckTransport):
    """A client that reads all."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[dict[str, Any]] = []

    async def send_text(self, text: str) -> None:
        self.said.append(msgspec.json.decode(text))


class FailingTables:
    """Tables that fail whatever is asked of them."""

    async def authorize(self, table: str, _player: str) -> None:
        raise ZeroDivisionError(table + " Ah Kd")


def connection(line: StuckTransport) -> Connection:
    guests = Guests(MemoryStore())
    return Connection(
        line, "p1", cast("TableService", FailingTables()), guests, lambda: 5, 100, cast("TournamentService", None)
    )


async def test_a_slow_reader_is_dropped() -> None:
    line = StuckTransport()
    slow = connection(line)
    running = asyncio.create_task(slow.run())
    await asyncio.sleep(0)
    for _ in range(MAX_QUEUED + 10):
        slow.send("{}")
        await asyncio.sleep(0)
    async with asyncio.timeout(PATIENCE):
        await running
    assert line.closed is not None
    assert line.closed[0] == SLOW_CONSUMER


class FencedTables:
    """Tables of a server that the others hold for dead."""

    async def authorize(self, _table: str, _player: str) -> None:
        raise FencedError


async def test_a_client_that_connects_during_a_restart_gets_a_reconnect_message() -> None:
    line = OpenTransport()
    guests = Guests(MemoryStore())
    late = Connection(
        line, "p1", cast("TableService", FencedTables()), guests, lambda: 5, 100, cast("TournamentService", None)
    )
    running = asyncio.create_task(late.run())
    line.received.put_nowait({"type": "websocket.receive", "text": '{"t":"watch","table":"x"}'})
    async with asyncio.timeout(PATIENCE):
        await running
    assert line.closed is not None
    assert line.closed[0] == TRY_AGAIN


async def test_an_internal_error_is_reported_without_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    line = OpenTransport()
    running = asyncio.create_task(connection(line).run())
    line.received.put_nowait({"type": "websocket.receive", "text": '{"t":"watch","table":"x"}'})
    line.received.put_nowait({"type": "websocket.receive", "text": '{"t":"ping"}'})
    async with asyncio.timeout(PATIENCE):
        while len(line.said) < 3:  # noqa: ASYNC110 - a plain list is what the line fills
            await asyncio.sleep(0.01)
        line.received.put_nowait({"type": "websocket.disconnect"})
        await running
    hello, problem, pong = line.said
    assert (hello["t"], hello["player"], pong) == ("hello", "p1", {"t": "pong", "now": 5})
    assert problem["error"]["code"] == "server.unsure"
    output = capsys.readouterr()
    assert "ZeroDivisionError" in output.out + output.err
    assert "Ah" not in output.out + output.err + str(line.said)


class FullTransport(OpenTransport):
    """A client whose network is full until it is told otherwise."""

    def __init__(self) -> None:
        super().__init__()
        self.full = True
        self.has_space = asyncio.Event()

    def write(self, text: str) -> bool:
        if not self.full:
            self.said.append(msgspec.json.decode(text))
        return not self.full

    async def send_text(self, text: str) -> None:
        await self.has_space.wait()
        await super().send_text(text)


async def test_no_message_overtakes_queued_ones() -> None:
    line = FullTransport()
    connected = connection(line)
    running = asyncio.create_task(connected.run())
    await asyncio.sleep(0.01)
    for number in range(3):
        connected.send(f'{{"n":{number}}}')
    line.full = False
    connected.send('{"n":3}')  # there is room again, and three wait
    line.has_space.set()
    async with asyncio.timeout(PATIENCE):
        while len(line.said) < 5:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
        connected.send('{"n":4}')
        line.received.put_nowait({"type": "websocket.disconnect"})
        await running
    assert [each["n"] for each in line.said[1:]] == [0, 1, 2, 3, 4]


class BrokenTransport(StuckTransport):
    """A client whose network fails while something is sent."""

    async def send_text(self, text: str) -> None:
        raise ConnectionResetError(text)


async def test_a_line_on_which_nothing_can_be_sent_ends() -> None:
    line = BrokenTransport()
    async with asyncio.timeout(PATIENCE):
        await connection(line).run()
    assert line.closed is None
