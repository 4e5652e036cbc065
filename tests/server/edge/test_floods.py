"""Frames, fragments and chunks without end cost a connection its budget, and others nothing (issue 27.13, 27.14).

Nothing here goes by the clock: what the server has taken is counted. `python -m bench.floods` prints the times.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import h11
import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from tests.server.edge.test_framing_as_uvicorn import HEAD, RecordingTransport, UnboundedProtocol, frame
from tests.server.in_process import PATIENCE, QUICK, RunningServer, run_server
from triptych.server.edge.direct_socket import RATE_LIMITED, UNFINISHED
from triptych.server.edge.http_protocol import PIECES
from triptych.server.edge.send_queue import SendQueue
from triptych.server.edge.timeouts import RequestTimeouts
from triptych.server.edge.websocket_protocol import BURST_SECONDS, FRAMES_PER_TURN, FastWebSocketProtocol
from triptych.server.wire.decoding import MAX_HELD, MAX_MESSAGE

pytestmark = pytest.mark.anyio
USUAL = QUICK._replace(rate=40)
BURST = 40 * BURST_SECONDS
PING = frame(Opcode.PING, b"")
FRAGMENT = frame(Opcode.CONT, b"", fin=False)
BYTE = frame(Opcode.CONT, b"x", fin=False)
BEGUN = frame(Opcode.TEXT, b"", fin=False)
CHUNK = b"1\r\nx\r\n"
MEGABYTES = 3_000_000
LINES = 16


class RawConnection:
    """A stranger's connection, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, data: bytes) -> None:
        """Send as much as the server takes."""
        with contextlib.suppress(ConnectionError):
            self.writer.write(data)
            await self.writer.drain()

    async def rest(self) -> bytes:
        """Return all that comes until the server hangs up."""
        data = b""
        async with asyncio.timeout(PATIENCE):
            with contextlib.suppress(ConnectionError):
                while more := await self.reader.read(65_536):
                    data += more
        return data

    async def flood(self, data: bytes) -> bytes:
        """Send data, read meanwhile, and return all that came."""
        sending = asyncio.create_task(self.send(data))
        answer = await self.rest()
        await sending
        return answer


@contextlib.asynccontextmanager
async def raw(server: RunningServer) -> AsyncIterator[RawConnection]:
    host, port = server.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield RawConnection(reader, writer)
    finally:
        writer.transport.abort()


@contextlib.asynccontextmanager
async def stranger(server: RunningServer, *, waits: bool = True) -> AsyncIterator[RawConnection]:
    """Open a guest's WebSocket; `waits`: until it is answered."""
    async with server.guest() as http, raw(server) as line:
        await http.get("/api/me")
        cookie = "; ".join(f"{key}={value}" for key, value in http.cookies.items())
        line.writer.write(HEAD.replace(b"\r\n\r\n", b"\r\nCookie: " + cookie.encode() + b"\r\n\r\n"))
        if waits:
            await line.reader.readuntil(b"\r\n\r\n")
        yield line


def end(data: bytes) -> tuple[int, bytes]:
    """Return the code and the reason of the close frame that ends the data."""
    at = data.rindex(b"\x88")
    content = data[at + 2 :]
    return int.from_bytes(content[:2], "big"), content[2:]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return what grows by one for each frame that the server takes."""
    count: list[int] = []
    usual = FastWebSocketProtocol._handle_frame

    def take(self: FastWebSocketProtocol, data: bytes, start: int) -> None:
        count.append(data[0])
        usual(self, data, start)

    monkeypatch.setattr(FastWebSocketProtocol, "_handle_frame", take)
    return count


async def test_frames_that_are_no_messages_are_counted(taken: list[int]) -> None:
    """3 MB of each kind, on a connection of its own."""
    kinds = {
        "pings": (b"", PING),
        "long pings": (b"", frame(Opcode.PING, b"!" * 125)),
        "pongs": (b"", frame(Opcode.PONG, b"x")),
        "empty fragments": (BEGUN, FRAGMENT),
        "fragments of a byte": (BEGUN, BYTE),
    }
    async with run_server(settings=USUAL) as server, contextlib.AsyncExitStack() as stack:

        async def said_to(begun: bytes, again: bytes) -> bytes:
            line = await stack.enter_async_context(stranger(server))
            return await line.flood(begun + again * (MEGABYTES // len(again)))

        answers = await asyncio.gather(*(said_to(*kind) for kind in kinds.values()))
        assert dict(zip(kinds, [end(answer)[0] for answer in answers], strict=True)) == dict.fromkeys(
            kinds, RATE_LIMITED
        )
        assert [answer.count(b'"socket.flood"') for answer in answers] == [1] * len(kinds)
        assert len(taken) <= BURST * 2 * len(kinds)  # some come back while it goes on


async def test_nothing_is_taken_before_the_hands_are_shaken(taken: list[int]) -> None:
    async with run_server(settings=USUAL) as server, stranger(server, waits=False) as line:
        answer = await line.flood(PING * (MEGABYTES // len(PING)))
        assert answer.startswith(b"HTTP/1.1 101 ")
        # What comes together with the request is dropped by the piece, so that the next frame may be none.
        assert end(answer)[0] in (RATE_LIMITED, 1002)
        assert len(taken) <= BURST * 2


async def test_too_many_messages_are_answered_by_one_problem() -> None:
    async with run_server(settings=USUAL) as server, stranger(server) as line:
        answer = await line.flood(frame(Opcode.TEXT, b'{"t":"ping"}') * 50_000)
        assert end(answer)[0] == RATE_LIMITED
        assert answer.count(b'"t":"problem"') == 1
        assert answer.count(b'"t":"pong"') <= 2 * 120


async def test_fragments_on_many_lines_take_no_more_than_their_budgets(taken: list[int]) -> None:
    """100 MB of them stopped the server for half a minute; here 20, which it never reads."""
    async with run_server(settings=USUAL) as server, contextlib.AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(stranger(server)) for _ in range(LINES)]
        data = BEGUN + BYTE * (20_000_000 // LINES // len(BYTE))
        ends = await asyncio.gather(*(line.flood(data) for line in lines))
        assert {end(answer)[0] for answer in ends} == {RATE_LIMITED}
        assert len(taken) <= BURST * 2 * LINES


async def test_others_have_their_turn_between_the_frames_of_one(taken: list[int]) -> None:
    """Also of what came together and is within a budget: a guest's pong waits for some turns of the loop."""
    async with run_server(settings=QUICK) as server, server.person("Ann") as ann, stranger(server) as line:
        await ann.received("hello")
        flooding = asyncio.create_task(line.flood(PING * 30_000))
        longest = 0
        async with asyncio.timeout(PATIENCE):
            while len(taken) < 20_000:
                before, pongs = len(taken), sum(message["t"] == "pong" for message in ann.said)
                await ann.send({"t": "ping"})
                await ann.until(lambda pongs=pongs: sum(message["t"] == "pong" for message in ann.said) > pongs)  # type: ignore[misc]
                longest = max(longest, len(taken) - before)
        flooding.cancel()
        assert longest <= 40 * FRAMES_PER_TURN  # one reading of the network brings a thousand turns' worth


async def test_half_sent_frames_messages_and_heads_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a frame, half a message whose sender answers heartbeats, half a head."""
    monkeypatch.setattr("triptych.server.runner.PING_INTERVAL_SECONDS", 0.2)
    settings = USUAL._replace(request_timeouts=RequestTimeouts(0.3, 0.3))
    async with run_server(settings=settings) as server, contextlib.AsyncExitStack() as stack:

        async def said_to(begun: bytes) -> bytes:
            line = await stack.enter_async_context(stranger(server))
            await line.send(begun)
            return await line.rest()

        answers = await asyncio.gather(*map(said_to, (b"\x81\xfe\x10\x00", BEGUN + PING, b"\x81")))
        assert [end(answer)[0] for answer in answers] == [UNFINISHED] * 3
        assert all(b'"request.slow"' in answer for answer in answers)


async def test_a_client_that_sends_as_people_do_is_not_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Full messages, long ones in the pieces of a slow network, and heartbeats of their own."""
    monkeypatch.setattr("triptych.server.runner.PING_INTERVAL_SECONDS", 0.2)
    async with run_server(settings=USUAL) as server, stranger(server) as line:
        long = frame(Opcode.TEXT, b" " * (MAX_MESSAGE - 20) + b'{"t":"ping"}')
        for at in range(0, len(long), 1_448):
            await line.send(long[at : at + 1_448])
            await asyncio.sleep(0)
        for _ in range(20):
            await line.send(PING + frame(Opcode.TEXT, b'{"t":', fin=False) + PING + frame(Opcode.CONT, b'"ping"}'))
        answer = b""
        async with asyncio.timeout(PATIENCE):
            while answer.count(b'"t":"pong"') < 21:
                more = await line.reader.read(65_536)
                assert more
                answer += more
        assert b'"t":"problem"' not in answer


@pytest.mark.parametrize("bodies", [1, 50])
async def test_a_body_in_little_pieces_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch, bodies: int) -> None:
    """Nor many bodies on one connection."""
    pieces: list[int] = []
    usual = h11.Connection.next_event

    def counted(self: h11.Connection) -> Any:
        event = usual(self)
        if type(event) is h11.Data:
            pieces.append(len(event.data))
        return event

    monkeypatch.setattr(h11.Connection, "next_event", counted)
    head = b"PUT /api/me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    async with run_server(settings=USUAL) as server, raw(server) as line:
        answer = await line.flood((head + CHUNK * (350_000 // bodies) + b"0\r\n\r\n") * bodies)
        assert b"HTTP/1.1 429 " in answer
        assert json.loads(answer.rpartition(b"\r\n\r\n")[2])["error"]["code"] == "request.pieces"
        assert len(pieces) <= 2 * PIECES
        async with server.guest() as http:  # the next one is as welcome as ever
            await http.get("/api/me")
            assert (await http.put("/api/me", content=iter_lines())).status_code == 200


async def iter_lines() -> AsyncIterator[bytes]:
    """Yield a body as a program sends it that writes line by line."""
    yield b'{\n"name":\n'
    for _ in range(100):
        yield b"\n"
    yield b'"Ann"}'


async def test_a_client_that_still_sends_after_the_answer_is_disconnected() -> None:
    settings = USUAL._replace(request_timeouts=RequestTimeouts(10, 1_000_000))
    async with run_server(settings=settings) as server, raw(server) as line:
        head = b"PUT /api/me HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        chunk = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
        answer = await line.flood(head + chunk * 300)
        assert answer.startswith(b"HTTP/1.1 413 ")


async def test_the_rest_of_a_refused_body_is_read() -> None:
    """What is asked next on the connection is answered."""
    async with run_server(settings=USUAL) as server, raw(server) as line:
        await line.send(b"PUT /api/me HTTP/1.1\r\nHost: x\r\nOrigin: http://y\r\nContent-Length: 200000\r\n\r\n")
        assert (await line.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 403 ")
        await line.send(b"x" * 200_000 + b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b"HTTP/1.1 200 " in await line.rest()


async def test_pongs_wait_while_the_network_is_full_and_the_newest_is_sent() -> None:
    """Four readers that read nothing took 500 MB (RFC 6455 5.5.3 lets the older ones go unanswered)."""

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()

    config = uvicorn.Config(app, lifespan="off", log_config=None, ws_per_message_deflate=False)
    config.load()
    wire = RecordingTransport()
    line = UnboundedProtocol(config=config, server_state=ServerState(), app_state={})
    line.connection_made(wire)
    line.data_received(HEAD)
    for _ in range(10):
        await asyncio.sleep(0)
    wire.sent = b""
    line.pause_writing()
    for number in range(1_000):
        line.data_received(frame(Opcode.PING, str(number).encode()))
    assert wire.sent == b""
    line.resume_writing()
    assert wire.sent == Frame(Opcode.PONG, b"999").serialize(mask=False)
    line.connection_lost(None)


async def send_never(_text: str) -> None:
    """A network that takes nothing."""
    await asyncio.Event().wait()


async def test_the_queue_for_a_slow_reader_is_bounded_by_its_size() -> None:
    outbox = SendQueue(send_never, lambda: None)
    text = "x" * 50_000
    waiting = 0
    while outbox.put(text):
        waiting += len(text)
        await asyncio.sleep(0)
    assert waiting <= MAX_HELD
    await outbox.close(0)
    queue = SendQueue(send_never, lambda: None)
    assert queue.put("x" * 2 * MAX_HELD)  # a view has whatever size it has
    await queue.close(0)
