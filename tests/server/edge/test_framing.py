"""Messages that go out at once: framed as RFC 6455 5.2 says, never before what already waits."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest
import uvicorn
from websockets.asyncio.client import connect

from tests.server.edge.test_socket import OpenTransport, connection
from triptych.server.edge.direct_socket import LISTEN, WRITE
from triptych.server.edge.websocket_protocol import FastWebSocketProtocol
from triptych.server.routes.socket import LitestarTransport
from triptych.server.runner import bind_socket

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.anyio
PATIENCE = 20


@asynccontextmanager
async def serve_websocket(say: Any, **options: Any) -> AsyncIterator[str]:
    """Serve WebSockets that say something, and then read; yields the address."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})

        async def wait(text: str) -> None:
            await send({"type": "websocket.send", "text": text})

        await say(scope["extensions"][WRITE], wait)
        while (await receive())["type"] != "websocket.disconnect":
            pass

    async with serving(app, **options) as url:
        yield url


@asynccontextmanager
async def serving(app: Any, **options: Any) -> AsyncIterator[str]:
    """Serve an ASGI application; yields the address."""
    bound = bind_socket("127.0.0.1", 0)
    options = {
        "ws": FastWebSocketProtocol,
        "lifespan": "off",
        "log_config": None,
        "ws_per_message_deflate": False,
        **options,
    }
    server = uvicorn.Server(uvicorn.Config(app, **options))
    running = asyncio.create_task(server.serve([bound]))
    async with asyncio.timeout(PATIENCE):
        while not server.started:  # noqa: ASYNC110 - uvicorn tells it by a flag
            await asyncio.sleep(0.01)
    try:
        yield f"ws://127.0.0.1:{bound.getsockname()[1]}/"
    finally:
        server.should_exit = True
        async with asyncio.timeout(PATIENCE):
            await running


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536, 200_000])
async def test_a_frame_of_any_length_arrives_whole(size: int) -> None:
    text = "ж" * (size // 2) + "x" * (size % 2)

    async def say(write: Any, _wait: Any) -> None:
        assert write(text)
        assert write("next") or size > 65_535

    async with (
        serve_websocket(say) as url,
        connect(url, proxy=None, max_size=None) as line,
        asyncio.timeout(PATIENCE),
    ):
        assert await line.recv() == text


async def test_a_full_network_delays_messages_and_loses_no_message() -> None:
    is_full = asyncio.Event()

    async def say(write: Any, wait: Any) -> None:
        number = 0
        while write(f"{number} " + "x" * 50_000):
            number += 1
        is_full.set()
        assert not write("too early")
        await wait(f"{number} end")

    async with serve_websocket(say) as url, connect(url, proxy=None, max_queue=1) as line, asyncio.timeout(PATIENCE):
        await is_full.wait()
        number = 0
        while not (text := str(await line.recv())).endswith("end"):
            assert text.startswith(f"{number} ")
            number += 1
        assert text == f"{number} end"


async def test_no_message_overtakes_queued_ones() -> None:
    """The line is free, full, and free again; what is sent meanwhile comes in its order."""

    class Moody(OpenTransport):
        full = False

        def write(self, text: str) -> bool:
            if not self.full:
                self.said.append({"text": text})
            return not self.full

        async def send_text(self, text: str) -> None:
            while self.full:  # noqa: ASYNC110 - a plain flag is what the test sets
                await asyncio.sleep(0)
            self.said.append({"text": text})

    line = Moody()
    mine = connection(line)
    running = asyncio.create_task(mine.run())
    await asyncio.sleep(0.01)
    line.said.clear()
    for number in range(40):
        line.full = number % 7 > 3
        mine.send(str(number))
        if number % 3 == 0:
            await asyncio.sleep(0)
    line.full = False
    async with asyncio.timeout(PATIENCE):
        while len(line.said) < 40:  # noqa: ASYNC110 - a plain list is what the line fills
            await asyncio.sleep(0.01)
    line.received.put_nowait({"type": "websocket.disconnect"})
    await running
    assert [message["text"] for message in line.said] == [str(number) for number in range(40)]


async def test_writes_of_one_turn_of_the_loop_are_sent_together_and_in_order() -> None:
    """Also before what the library says."""

    class Counting(FastWebSocketProtocol):
        sent = 0

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)

            def counted(data: bytes) -> None:
                Counting.sent += 1
                transport.write(data)

            self.transport = Mock(wraps=transport, write=counted)

    async def say(write: Any, wait: Any) -> None:
        before = Counting.sent
        assert write("one")
        assert write("two")
        await asyncio.sleep(0)
        assert Counting.sent == before + 1
        assert write("three")
        await wait("four")

    async with serve_websocket(say, ws=Counting) as url, connect(url, proxy=None) as line, asyncio.timeout(PATIENCE):
        assert [await line.recv() for _ in range(4)] == ["one", "two", "three", "four"]


async def test_a_listener_receives_what_comes_and_leaves_the_rest_in_order() -> None:
    messages: list[str] = []
    received: list[str] = []
    done = asyncio.Event()

    def hear(text: str) -> bool:
        if text.startswith("now"):
            messages.append(text)
        return text.startswith("now")

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        scope["extensions"][LISTEN](hear, lambda _code: None)
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            received.append(message["text"])
            if message["text"] == "end":
                done.set()

    async with serving(app) as url, connect(url, proxy=None) as line, asyncio.timeout(PATIENCE):
        await line.send("now 1")
        await line.send("later")
        await line.send(["now ", "in fragments"])
        await line.send("end")
        await done.wait()
    assert messages == ["now 1"]
    assert received == ["later", "now in fragments", "end"]


async def test_a_server_without_it_lets_all_messages_wait() -> None:
    for scope in ({"type": "websocket"}, {"type": "websocket", "extensions": {}}):
        assert not LitestarTransport(SimpleNamespace(scope=scope)).write("hello")  # type: ignore[arg-type]


async def test_a_server_reads_after_a_stall_before_it_disconnects() -> None:
    """Answers to its heartbeat lie in the socket when it wakes."""

    class Sleepy(FastWebSocketProtocol):
        def on_ping_tick(self, now: float) -> None:
            before = self._ping_pending
            super().on_ping_tick(now)
            if self._ping_pending and not before:
                time.sleep(0.35)

    async def say(write: Any, _wait: Any) -> None:
        assert write("hello")

    async with (
        serve_websocket(say, ws=Sleepy, ws_ping_interval=0.1, ws_ping_timeout=0.2) as url,
        connect(url, proxy=None, compression=None, ping_interval=None) as line,
    ):
        assert await line.recv() == "hello"
        await asyncio.sleep(1)
        assert line.close_code is None
