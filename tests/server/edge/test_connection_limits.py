"""Who is slow, or one too many, does not keep others out (issue 10, part 3, point 6)."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

import pytest

from tests.server.in_process import PATIENCE, QUICK, RunningServer, run_server
from triptych.server.edge.http_protocol import MAX_PER_ADDRESS
from triptych.server.edge.rate_limits import GUESTS, MAX_SOCKETS_PER_ADDRESS
from triptych.server.edge.timeouts import RequestTimeouts

pytestmark = pytest.mark.anyio
IMPATIENT = QUICK._replace(request_timeouts=RequestTimeouts(0.3, 0.3))
HEAD = b"GET /api/me HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /api/rules/read HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@contextlib.asynccontextmanager
async def connected(server: RunningServer) -> AsyncIterator[Line]:
    host, port = server.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield reader, writer
    finally:
        writer.close()


async def rest(reader: asyncio.StreamReader) -> bytes:
    """Return what comes until the server hangs up."""
    data = b""
    async with asyncio.timeout(PATIENCE):
        with contextlib.suppress(ConnectionResetError):
            while more := await reader.read(65_536):
                data += more
    return data


async def drip(writer: asyncio.StreamWriter) -> None:
    """Send a byte now and then, as slow attacks do."""
    with contextlib.suppress(ConnectionError):
        while True:
            writer.write(b"X")
            await writer.drain()
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("begun", [b"", HEAD, HEAD + b"Connection: keep-alive\r\n\r\n" + HEAD])
async def test_a_connection_whose_request_head_never_ends_is_closed(begun: bytes) -> None:
    async with run_server(settings=IMPATIENT) as server, connected(server) as (reader, writer):
        writer.write(begun)
        dripping = asyncio.create_task(drip(writer)) if begun else None
        answer = await rest(reader)
        if dripping is not None:
            dripping.cancel()
        assert answer.endswith(b'"path":"$"}}')
        assert answer.count(b"HTTP/1.1 408 ") == 1
        assert b'"request.slow"' in answer


async def test_a_connection_whose_request_body_never_ends_is_closed() -> None:
    async with run_server(settings=IMPATIENT) as server, connected(server) as (reader, writer):
        writer.write(POST)
        dripping = asyncio.create_task(drip(writer))
        await rest(reader)
        dripping.cancel()
        async with server.guest() as http:
            assert (await http.get("/api/me")).status_code == 200


async def test_a_client_that_waits_for_an_answer_is_not_disconnected() -> None:
    """Also between two requests of one connection, and at a table."""
    async with run_server(settings=IMPATIENT) as server, server.person("Ann") as ann:
        for _ in range(3):
            await asyncio.sleep(0.4)
            assert (await ann.http.get("/api/tables")).status_code == 200
        await ann.send({"t": "ping"})
        await ann.received("pong")


async def test_a_server_reads_after_a_stall_before_it_disconnects() -> None:
    """A host's laptop sleeps, and wakes with every timer due (seen in CI: a request answered by 408)."""
    async with run_server(settings=IMPATIENT) as server, connected(server) as (reader, writer):
        await asyncio.sleep(0.1)
        time.sleep(0.5)  # noqa: ASYNC251 - it stands still
        await asyncio.sleep(0)
        writer.write(HEAD + b"Connection: close\r\n\r\n")
        assert (await rest(reader)).startswith(b"HTTP/1.1 200 ")


async def test_a_full_server_says_so_and_has_a_place_again_when_somebody_leaves() -> None:
    settings = QUICK._replace(max_connections=10)
    async with run_server(settings=settings) as server, contextlib.AsyncExitStack() as crowd:
        for _ in range(10):
            await crowd.enter_async_context(connected(server))
        async with connected(server) as (reader, _):
            answer = await rest(reader)
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert b'"server.full"' in answer
        await crowd.aclose()
        async with asyncio.timeout(PATIENCE), server.guest() as http:
            while (await http.get("/api/me")).status_code != 200:  # noqa: ASYNC110 - the server has no event for it
                await asyncio.sleep(0.05)


@pytest.mark.parametrize("trusted", ["127.0.0.1", ""])
async def test_only_a_trusted_proxy_names_the_sender_of_a_request(trusted: str) -> None:
    """Who comes through another one on this machine is not taken for the host, all count as one (issue 27.19)."""
    async with run_server(settings=QUICK._replace(trust_proxy=trusted)) as server, server.guest() as http:

        async def new_guest(**headers: str) -> int:
            http.cookies.clear()
            return (await http.get("/api/me", headers=headers)).status_code

        clock = asyncio.get_running_loop().time
        began = clock()
        allowed = 0
        while await new_guest(**{"X-Forwarded-For": "203.0.113.9"}) == 200:
            allowed += 1
        assert GUESTS.burst <= allowed <= GUESTS.burst + 1 + (clock() - began) / GUESTS.seconds
        began = clock()
        elsewhere = [await new_guest(**{"X-Forwarded-For": "203.0.113.10"}) for _ in range(5)]
        if trusted:
            assert elsewhere == [200] * 5
        else:
            assert set(elsewhere) <= {200, 429}
            assert elsewhere.count(200) <= 1 + (clock() - began) / GUESTS.seconds
        assert await new_guest() == 200  # the host's own browser


async def test_an_address_has_only_so_many_sockets() -> None:
    settings = QUICK._replace(trust_proxy="127.0.0.1")
    async with run_server(settings=settings) as server, contextlib.AsyncExitStack() as stack:
        guests = [await stack.enter_async_context(server.guest()) for _ in range(MAX_SOCKETS_PER_ADDRESS // 16 + 1)]
        for http in guests:
            await http.get("/api/me")
        elsewhere = {"X-Forwarded-For": "203.0.113.9"}
        lines = [
            await stack.enter_async_context(server.socket(guests[number // 16], **elsewhere))
            for number in range(MAX_SOCKETS_PER_ADDRESS + 1)
        ]
        code, reason = await lines[-1].ended()
        assert code == 4430
        assert reason.startswith("address.too_many")
        assert all(line.closed is None for line in lines[:-1])


async def test_an_address_has_only_so_many_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody here comes from loopback, which is not counted; so it is taken for a stranger's address."""
    monkeypatch.setattr("triptych.server.edge.rate_limits.network_key", lambda address: address)
    async with run_server() as server, contextlib.AsyncExitStack() as crowd:
        for _ in range(MAX_PER_ADDRESS):
            await crowd.enter_async_context(connected(server))
        async with connected(server) as (reader, _):
            answer = await rest(reader)
        assert answer.startswith(b"HTTP/1.1 429 ")
        assert b'"address.too_many"' in answer
        assert b'"limit":{"key":"connections","seconds":5}' in answer
        assert b"\r\nRetry-After: 5\r\n" in answer
