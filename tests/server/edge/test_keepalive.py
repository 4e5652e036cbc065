"""Who looks after a silent connection: the system, where it can and is asked no proxy's; else the heartbeat alone."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from tests.server.edge.test_framing import serve_websocket
from triptych.server.edge.keepalive import enable_keepalive
from triptych.server.edge.rate_limits import AddressLimiter
from triptych.server.edge.websocket_protocol import FastWebSocketProtocol, limited_websocket_protocol

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux says how long it asks"),
]
INTERVAL = 0.2
HELLO = (
    b"GET / HTTP/1.1\r\nHost: room\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


async def say(_write: Any, _wait: Any) -> None:
    """Say nothing."""


async def seconds_until_ping(url: str) -> float:
    """Return after how many seconds of silence somebody who says nothing hears a heartbeat (RFC 6455 5.5.2)."""
    port = int(url.rstrip("/").rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(HELLO)
    await reader.readuntil(b"\r\n\r\n")
    began = asyncio.get_running_loop().time()
    assert await reader.readexactly(2) == b"\x89\x00"
    writer.close()
    return asyncio.get_running_loop().time() - began


async def test_behind_a_proxy_the_server_pings_itself() -> None:
    proxied = limited_websocket_protocol(40, 10, AddressLimiter(), is_proxied=True)
    async with serve_websocket(say, ws=proxied, ws_ping_interval=INTERVAL, ws_ping_timeout=20) as url:
        assert INTERVAL <= await seconds_until_ping(url) < 4 * INTERVAL


async def test_where_the_system_pings_the_server_pings_rarely() -> None:
    async with serve_websocket(say, ws_ping_interval=INTERVAL, ws_ping_timeout=20) as url:
        assert await seconds_until_ping(url) >= 4 * INTERVAL


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

    async with serve_websocket(say, ws=Watched, ws_ping_interval=INTERVAL) as url:
        await seconds_until_ping(url)
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
