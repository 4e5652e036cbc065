"""What strangers who send without end cost a server, and how long another guest waits meanwhile.

uv run python -m bench.floods [--only PART]

A server in a process of its own on loopback, one guest who pings all the time, and one attack after the other. Of
each: the server's processor time, the guest's longest wait for a pong, how much more memory there was, when the
attacker's last connection was closed, and with which codes.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from bench.room_load import connection, guest
from bench.servers import over_sqlite

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.servers import ServerGroup

LIMIT_SECONDS: Final = 40.0
MASK: Final = b"\x01\x02\x03\x04"
PING: Final = b"\x89\x80" + MASK
LONG_PING: Final = b"\x89\xfd" + MASK + bytes(125)
FRAGMENT: Final = b"\x00\x80" + MASK
BYTE: Final = b"\x00\x81" + MASK + b"x"
BEGUN: Final = b"\x01\x80" + MASK
TEXT: Final = b"\x81\x82" + MASK + b"{}"
LONG_FRAME: Final = b"\x81\xff" + (250_000).to_bytes(8) + MASK + b"x" * 250_000
CHUNK: Final = b"1\r\nx\r\n"


BODY: Final = (
    b"PUT /api/me HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
)


class Result(NamedTuple):
    """What became of one connection of the attacker."""

    closed_after: float | None
    code: int | None
    answers: int


def _upgrade(cookie: str) -> bytes:
    return (
        b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEC==\r\nSec-WebSocket-Version: 13\r\nCookie: "
        + cookie.encode()
        + b"\r\n\r\n"
    )


def handshake(port: int, cookie: str) -> socket.socket:
    """Return a raw WebSocket of a guest."""
    line = socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS)
    line.sendall(_upgrade(cookie))
    head = b""
    while b"\r\n\r\n" not in head:
        head += line.recv(1)
    return line


def send_upgrade(port: int, cookie: str) -> socket.socket:
    """Return a raw WebSocket that was requested and not answered yet."""
    line = socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS)
    line.sendall(_upgrade(cookie))
    return line


def open_socket(port: int, _cookie: str) -> socket.socket:
    """Return a connection on which nothing was sent."""
    return socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS)


def post_in_chunks(port: int, _cookie: str) -> socket.socket:
    """Return a request whose body is to come in chunks."""
    line = socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS)
    line.sendall(BODY)
    return line


class AttackConnection:
    """One connection of the attacker."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._began = time.monotonic()
        self._closed: float | None = None
        self._received = bytearray()

    def _listen(self) -> None:
        try:
            while more := self._line.recv(65_536):
                self._received.extend(more)
        except TimeoutError:
            return
        except OSError:
            pass
        self._record_close()

    def _record_close(self) -> None:
        self._closed = self._closed or time.monotonic() - self._began

    def _send(self, data: bytes, piece: int) -> None:
        if piece:
            self._line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(data), piece or 65_536):
            self._line.sendall(data[at : at + (piece or 65_536)])

    def _until_closed(self, still: float) -> None:
        """Notice the close by sending: this client reads nothing."""
        self._line.settimeout(still)
        with suppress(TimeoutError):
            while time.monotonic() - self._began < LIMIT_SECONDS:
                self._line.send(PING)
                time.sleep(0.05)

    def attack(self, data: bytes, *, reads: bool, piece: int, still: float) -> Result:
        """Send data, and read what comes until the server hangs up or has been silent."""
        self._began = time.monotonic()
        listening = threading.Thread(target=self._listen, daemon=True)
        if reads:
            listening.start()
        try:
            self._send(data, piece)
            if not reads:
                self._until_closed(still)
        except OSError:
            self._record_close()
        if reads:
            listening.join(still)
        self._line.close()
        received = self._received
        at = received.rfind(b"\x88")
        code = int.from_bytes(received[at + 2 : at + 4], "big") if at >= 0 else None
        if received.startswith(b"HTTP") and not received.startswith(b"HTTP/1.1 101"):
            code = int(received[9:12])
        return Result(self._closed, code, received.count(b'"t":"problem"'))


class Attack(NamedTuple):
    """So many connections that each send something."""

    name: str
    open: Callable[[int, str], socket.socket]
    data: Callable[[], bytes]
    connections: int = 1
    reads: bool = True
    piece: int = 0
    still: float = 3.0


ATTACKS: Final = (
    Attack("3 MB of empty pings", handshake, lambda: PING * 500_000),
    Attack("3 MB of empty fragments", handshake, lambda: BEGUN + FRAGMENT * 500_000),
    Attack("2.1 MB of a body by bytes", post_in_chunks, lambda: CHUNK * 350_000),
    Attack("100 MB of fragments, 16 lines", handshake, lambda: BEGUN + BYTE * 900_000, 16),
    Attack("4 who read nothing, 300 MB of pings", handshake, lambda: LONG_PING * 600_000, 4, reads=False),
    Attack("1 MB of little texts", handshake, lambda: TEXT * 130_000),
    Attack("a frame of 250 KB by bytes", handshake, lambda: LONG_FRAME, piece=1),
    Attack("3 MB of pings before the answer", send_upgrade, lambda: PING * 500_000),
    Attack("16 bodies by bytes", post_in_chunks, lambda: CHUNK * 350_000, 16),
    Attack("16 bodies without end", post_in_chunks, lambda: (b"10000\r\n" + b"x" * 65_536 + b"\r\n") * 100, 16),
    Attack("many little bodies by bytes", open_socket, lambda: (BODY + CHUNK * 300 + b"0\r\n\r\n") * 1_000, 4),
    Attack(
        "1 MB of requests in a row", open_socket, lambda: b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20_000
    ),
    Attack("16 lines of large texts", handshake, lambda: (b"\x81\xfe\xff\x00" + MASK + b"x" * 65_280) * 100, 16),
    Attack("half a frame", handshake, lambda: b"\x81\xfe\x10\x00" + MASK, still=20.0),
)


async def measure(group: ServerGroup, attack: Attack) -> str:
    """Return what an attack came to."""
    port = int(group.urls[0].rpartition(":")[2])
    cookie = await asyncio.to_thread(guest, group.urls[0])
    stranger = await asyncio.to_thread(guest, group.urls[0])
    waits: list[float] = []
    most = before = group.own_memory()
    data = attack.data()
    async with connection(group.urls[0], cookie) as line:
        await line.recv()

        async def ping() -> None:
            nonlocal most
            while True:
                began = time.perf_counter()
                await line.send('{"t":"ping"}')
                await line.recv()
                waits.append(time.perf_counter() - began)
                most = max(most, group.own_memory())
                await asyncio.sleep(0.05)

        pinging = asyncio.create_task(ping())
        await asyncio.sleep(0.3)
        cpu, began = group.cpu(), time.monotonic()
        lines = [await asyncio.to_thread(attack.open, port, stranger) for _ in range(attack.connections)]
        results = await asyncio.gather(
            *(
                asyncio.to_thread(
                    AttackConnection(each).attack, data, reads=attack.reads, piece=attack.piece, still=attack.still
                )
                for each in lines
            )
        )
        await asyncio.sleep(0.3)
        took, cpu = time.monotonic() - began, group.cpu() - cpu
        pinging.cancel()
        await asyncio.gather(pinging, return_exceptions=True)
    closed = [result.closed_after for result in results]
    until = "open" if None in closed else f"{max(each for each in closed if each is not None):.1f} s"
    codes = sorted({str(result.code) for result in results})
    problems = sum(result.answers for result in results)
    return (
        f"{attack.name:38} {took:5.1f} s, CPU {cpu:5.2f} s, longest wait {max(waits) * 1000:6.0f} ms, "
        f"+{most - before:4.0f} MB, closed after {until}, codes {','.join(codes)}, problems {problems}"
    )


def main() -> None:
    """Run the attacks that the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    only = parser.parse_args().only
    for attack in ATTACKS:
        if only in attack.name:
            with tempfile.TemporaryDirectory() as place, over_sqlite(Path(place)) as group:
                print(asyncio.run(asyncio.wait_for(measure(group, attack), 120)), flush=True)


if __name__ == "__main__":
    main()
