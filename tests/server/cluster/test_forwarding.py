"""What is asked of a server between two of its lives (issue 12, part 2): a busy machine is no server error."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from triptych.server.cluster.forwarding import READ_ATTEMPTS, ForwardingMiddleware
from triptych.server.cluster.owners import OwnerWatch
from triptych.server.edge.forwarded_address import FORWARDED_HEADER, ForwardedAddressSigner
from triptych.server.wire.errors import FENCED_KEY

pytestmark = pytest.mark.anyio


class RestartingApplication:
    """An application whose server comes back after so many questions."""

    def __init__(self, over: int) -> None:
        self.left = over
        self.asked = 0
        self.hops = 0

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        self.asked += 1
        self.hops += scope.get("triptych.hop", False)
        self.left -= 1
        status = 200
        if self.left >= 0:
            scope[FENCED_KEY] = True
            status = 503
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize(
    ("method", "over", "status", "requests"),
    [("GET", 0, 200, 1), ("GET", 2, 200, 3), ("GET", 99, 503, READ_ATTEMPTS), ("POST", 2, 503, 1)],
)
@pytest.mark.parametrize("hop", [False, True])
async def test_requests_that_only_read_are_repeated(
    monkeypatch: pytest.MonkeyPatch, *, method: str, over: int, status: int, requests: int, hop: bool
) -> None:
    """Also where it comes from another server of the server."""
    monkeypatch.setattr("triptych.server.cluster.forwarding.RENEW_SECONDS", 0)
    hops, app = ForwardedAddressSigner(), RestartingApplication(over)
    hops.set_key(b"s" * 32)
    headers = {FORWARDED_HEADER.decode(): hops.sign("192.0.2.7").decode()} if hop else {}
    transport = httpx.ASGITransport(ForwardingMiddleware(app, hops, OwnerWatch(), lambda _path: None))
    async with httpx.AsyncClient(transport=transport, base_url="http://here") as http:
        answer = await http.request(method, "/api/tables/t", headers=headers)
    assert (answer.status_code, app.asked, app.hops) == (status, requests, requests if hop else 0)


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_forwarded_tls_request_is_answered_as_tls(scheme: str) -> None:
    """Found with issue 27.16: a cookie that another server set was not for TLS alone."""
    schemes: list[str] = []

    async def app(scope: Any, _receive: Any, send: Any) -> None:
        schemes.append(scope["scheme"])
        await RestartingApplication(0)(scope, _receive, send)

    hops = ForwardedAddressSigner()
    hops.set_key(b"s" * 32)
    headers = {FORWARDED_HEADER.decode(): hops.sign("192.0.2.7", scheme).decode()}
    transport = httpx.ASGITransport(ForwardingMiddleware(app, hops, OwnerWatch(), lambda _path: None))
    async with httpx.AsyncClient(transport=transport, base_url="http://here") as http:
        assert (await http.post("/api/signin", headers=headers)).status_code == 200
    assert schemes == [scheme]
