"""Who looks after a silent connection: the system, where it can and is asked no proxy's; else the heartbeat alone."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from tests.server.edge.test_framing import serve_websocket
from triptych.server.edge.framing import HEARTBEAT
from triptych.server.edge.keepalive import enable_keepalive
from triptych.server.edge.rate_limits import AddressLimiter
from triptych.server.edge.websocket_protocol import FastWebSocketProtocol, limited_websocket_protocol

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux says how long it asks"),
]
SILENCES = (0.9, 1.1, 3.9, 4.1)
EMPTY_TEXT = b"\x81\x00"
HELLO = (
    b"GET / HTTP/1.1\r\nHost: room\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


async def say(_write: Any, _wait: Any) -> None:
    """Say nothing."""


async def connect(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a WebSocket after its handshake."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rstrip("/").rpartition(":")[2]))
    writer.write(HELLO)
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def first_ping(*, is_proxied: bool) -> float:
    """Return after which of SILENCES, in intervals, the server pings (RFC 6455 5.5.2)."""
    connections: list[FastWebSocketProtocol] = []

    class Watched(limited_websocket_protocol(40, 10, AddressLimiter(), is_proxied=is_proxied)):  # type: ignore[misc]
        def start_keepalive(self) -> None:
            super().start_keepalive()
            connections.append(self)

    interval = 1000.0  # no ping is due by the clock
    async with serve_websocket(say, ws=Watched, ws_ping_interval=interval, ws_ping_timeout=100 * interval) as url:
        reader, writer = await connect(url)
        (connection,) = connections
        now = asyncio.get_running_loop().time()
        for silence in SILENCES:
            connection.on_ping_tick(now + silence * interval)
            connection.transport.write(EMPTY_TEXT)
        frames = [await reader.readexactly(2) for _ in range(len(SILENCES) + 1)]
        writer.close()
    return SILENCES[frames.index(HEARTBEAT)]


async def test_behind_a_proxy_the_server_pings_itself() -> None:
    assert await first_ping(is_proxied=True) == 1.1


async def test_where_the_system_pings_the_server_pings_rarely() -> None:
    assert await first_ping(is_proxied=False) == 4.1


async def test_the_system_knows_when_to_give_up_a_connection() -> None:
    """Issue 11, part 1: a network that died is noticed before a street is over; here within eight seconds."""
    options: list[int] = []

    class Watched(FastWebSocketProtocol):
        def start_keepalive(self) -> None:
            super().start_keepalive()
            line = self.transport.get_extra_info("socket")
            names = ("TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT", "TCP_USER_TIMEOUT")
            options.append(line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE))
            options.extend(line.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in names)

    async with serve_websocket(say, ws=Watched, ws_ping_interval=0.2) as url:
        reader, writer = await connect(url)
        assert await reader.readexactly(2) == HEARTBEAT
        writer.close()
    enabled, idle, interval, count, user_timeout_ms = options
    assert enabled
    assert idle + interval * count <= 8
    assert user_timeout_ms <= 8_000


async def test_connections_other_than_tcp_have_no_keepalive() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with theirs:
        _, writer = await asyncio.open_connection(sock=ours)
        assert not enable_keepalive(writer.transport)
        writer.close()
