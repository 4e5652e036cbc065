"""Frame by frame, however they come in, our WebSocket hears and answers what uvicorn's own does (RFC 6455)."""

from __future__ import annotations

import asyncio
import struct
from typing import Any

import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from triptych.server.edge.websocket_protocol import FastWebSocketProtocol

HEAD = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEC==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
LARGEST = 70_000


class UnboundedProtocol(FastWebSocketProtocol):
    """What it is sent here comes in more pieces at once than it takes from anybody."""

    rate = 1_000_000.0


class RecordingTransport(asyncio.Transport):
    """A network that keeps what is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.closed = False

    def write(self, data: Any) -> None:
        self.sent += data

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


def frame(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


TEXT = st.text(max_size=40).map(str.encode)
LONG = st.sampled_from([125, 126, 127, 65_535, 65_536, LARGEST])
SHORT = st.binary(max_size=125)
GOOD = st.one_of(
    LONG,  # so long a text; spelled out, a failure would be told in megabytes
    TEXT.map(lambda data: frame(Opcode.TEXT, data)),
    SHORT.map(lambda data: frame(Opcode.BINARY, data)),
    SHORT.map(lambda data: frame(Opcode.PING, data)),
    SHORT.map(lambda data: frame(Opcode.PONG, data)),
    st.lists(TEXT, min_size=2, max_size=4).map(
        lambda parts: b"".join(
            frame(Opcode.CONT if at else Opcode.TEXT, part, fin=at == len(parts) - 1) for at, part in enumerate(parts)
        )
    ),
    TEXT.map(
        lambda part: (
            frame(Opcode.TEXT, part, fin=False) + frame(Opcode.PING, b"!") + frame(Opcode.CONT, part, fin=True)
        )
    ),
)
WRONG = st.one_of(
    st.just(frame(Opcode.TEXT, b"\xff")),  # no UTF-8
    st.just(LARGEST + 1),
    st.just(frame(Opcode.CONT, b"of nothing")),
    TEXT.map(lambda part: frame(Opcode.TEXT, part, fin=False) + frame(Opcode.TEXT, part)),
    TEXT.map(lambda data: Frame(Opcode.TEXT, data).serialize(mask=False)),
    TEXT.map(lambda data: b"\xc1" + frame(Opcode.TEXT, data)[1:]),  # a bit that means nothing
    st.just(b"\x8a\xfe" + struct.pack("!H", 126) + bytes(4 + 126)),  # a pong has at most 125 bytes
    st.just(b"\x81\xff" + struct.pack("!Q", 1 << 62) + bytes(4)),
    st.just(b"\x83\x80" + bytes(4)),  # a kind that is none
    st.integers(1000, 1011).map(lambda code: frame(Opcode.CLOSE, struct.pack("!H", code))),
)


async def received_by(kind: type[WebSocketsSansIOProtocol], chunks: list[bytes]) -> tuple[list[Any], bytes, bool]:
    """Return what the application hears, what goes out, and whether the connection is closed."""
    messages: list[Any] = []

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while True:
            messages.append(await receive())
            if messages[-1]["type"] == "websocket.disconnect":
                return

    config = uvicorn.Config(app, lifespan="off", log_config=None, ws_max_size=LARGEST, ws_per_message_deflate=False)
    config.load()
    wire = RecordingTransport()
    protocol = kind(config=config, server_state=ServerState(), app_state={})
    protocol.connection_made(wire)
    protocol.data_received(HEAD)
    for _ in range(10):
        await asyncio.sleep(0)
    wire.sent = b""
    for chunk in chunks:
        if wire.closed:
            break
        protocol.data_received(chunk)
        for _ in range(4):
            await asyncio.sleep(0)
    for _ in range(50):
        await asyncio.sleep(0)
    closed = wire.closed
    protocol.connection_lost(None)
    for _ in range(10):
        await asyncio.sleep(0)
    return [message for message in messages if message["type"] != "websocket.disconnect"], wire.sent, closed


@given(
    st.lists(GOOD, max_size=8),
    st.none() | WRONG,
    st.lists(GOOD, max_size=2),
    st.lists(st.integers(1, 400), min_size=1, max_size=20),
)
def test_it_receives_and_answers_as_uvicorns_own(
    good: list[bytes | int], wrong: bytes | int | None, more: list[bytes | int], sizes: list[int]
) -> None:
    chunks: list[bytes] = []
    for frames in ([*good, wrong or b""], more):
        stream = b"".join([frame(Opcode.TEXT, b"x" * piece) if isinstance(piece, int) else piece for piece in frames])
        at = 0
        while at < len(stream):
            # Long ones come in long pieces.
            size = sizes[len(chunks) % len(sizes)] * (1 if len(stream) < 5_000 else 97)
            chunks.append(stream[at : at + size])
            at += size
    messages, sent, closed = asyncio.run(received_by(UnboundedProtocol, chunks))
    theirs = asyncio.run(received_by(WebSocketsSansIOProtocol, chunks))
    # Of a piece in which something is wrong uvicorn drops also what came before it.
    dropped = [] if wrong is None else messages[len(theirs[0]) :]
    assert messages == [*theirs[0], *dropped]
    assert (sent, closed) == theirs[1:]


async def open_protocol() -> FastWebSocketProtocol:
    """Return the protocol of an open connection that has received a text and a ping."""

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()

    config = uvicorn.Config(app, lifespan="off", log_config=None)
    config.load()
    protocol = FastWebSocketProtocol(config=config, server_state=ServerState(), app_state={})
    protocol.connection_made(RecordingTransport())
    for data in (HEAD, frame(Opcode.TEXT, b"hello") + frame(Opcode.PING, b"!")):
        protocol.data_received(data)
        for _ in range(10):
            await asyncio.sleep(0)
    return protocol


def test_every_attribute_of_an_open_connection_is_a_slot() -> None:
    protocol = asyncio.run(open_protocol())
    assert vars(protocol) == {}
    assert [name for name in FastWebSocketProtocol.__slots__ if not hasattr(protocol, name)] == []
