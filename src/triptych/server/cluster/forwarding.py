"""HTTP between the servers of a cluster: a request for what another server owns is forwarded to it, once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import httpx
import structlog

from triptych.errors import error_location
from triptych.server.cluster.owners import OwnerWatch
from triptych.server.edge.forwarded_address import FORWARDED_HEADER, ForwardedAddressSigner
from triptych.server.wire.bodies import error_body
from triptych.server.wire.errors import ELSEWHERE, FENCED_KEY, OWNER_KEY
from triptych.store.leases.interface import RENEW_SECONDS, ServerId

log = structlog.get_logger()
MAX_CONNECTIONS: Final = 32
TIMEOUT_SECONDS: Final = 20.0
# A server that was fenced registers again at its next renewal, or the one after.
READ_ATTEMPTS: Final = 6
_READS: Final = ("GET", "HEAD")
# Well before the other server closes an idle connection (uvicorn: 5 s), so that no request meets a closed one.
KEEPALIVE_SECONDS: Final = 2.0
# Headers of one connection, which are not forwarded.
_HOP_BY_HOP: Final = {b"connection", b"keep-alive", b"transfer-encoding", b"content-length", b"date", b"server"}
_BUSY: Final = error_body(ELSEWHERE)


class ForwardingMiddleware:
    """Middleware around the application. `owner_of_path`: the server that has to answer a path, None when any may."""

    def __init__(
        self,
        app: Any,  # noqa: ANN401 - ASGI
        signer: ForwardedAddressSigner,
        owners: OwnerWatch,
        owner_of_path: Callable[[str], ServerId | None],
    ) -> None:
        self._app = app
        self._signer = signer
        self._owners = owners
        self._owner_of_path = owner_of_path
        self._client: httpx.AsyncClient | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        """Answer a request here, or forward it to its owner."""
        if scope["type"] == "lifespan":
            try:
                await self._app(scope, receive, send)
            finally:
                if self._client is not None:
                    await self._client.aclose()
            return
        hop = next((value for name, value in scope["headers"] if name == FORWARDED_HEADER), None)
        origin = None if hop is None else self._signer.verify(hop)
        if origin is not None:
            # Another server of the cluster has forwarded it; it is not forwarded once more.
            scope["client"] = (origin.address, 0)
            scope["triptych.hop"] = True
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
        elif origin is not None:
            scope["scheme"] = origin.scheme  # a cookie that came over TLS goes back for TLS alone
            await self._handle_locally(scope, receive, send, hop=True)
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        body = bytearray()
        remote = self._owner_of_path(scope["path"])
        if remote is not None:
            while (message := await receive())["type"] == "http.request":
                body += message.get("body", b"")
                if not message.get("more_body", False):
                    break
            else:
                return
            await self._forward(remote, scope, bytes(body), send)
            return

        async def receive_and_keep() -> Any:  # noqa: ANN401 - ASGI
            message = await receive()
            body.extend(message.get("body", b""))
            return message

        owner = await self._handle_locally(scope, receive_and_keep, send)
        while owner is not None and not await self._forward(owner, scope, bytes(body), send):
            owner = await self._handle_locally(scope, receive_and_keep, send)

    async def _handle_locally(self, scope: Any, receive: Any, send: Any, *, hop: bool = False) -> ServerId | None:  # noqa: ANN401 - ASGI
        """Answer a request here, unless another server owns its subject: then that server is returned.

        `hop`: another server has forwarded the request, and gets every answer. A read is repeated while this server,
        which was fenced, registers again.
        """
        remaining = READ_ATTEMPTS if scope["method"] in _READS else 1
        while True:
            remaining -= 1
            attempt = dict(scope)

            async def send_if_final(message: Any, attempt: Any = attempt, last: bool = remaining == 0) -> None:  # noqa: ANN401, FBT001 - ASGI
                if (hop or OWNER_KEY not in attempt) and (last or FENCED_KEY not in attempt):
                    await send(message)

            await self._app(attempt, receive, send_if_final)
            if FENCED_KEY not in attempt or remaining == 0:
                owner: ServerId | None = attempt.get(OWNER_KEY)
                return owner
            await asyncio.sleep(RENEW_SECONDS)

    async def _forward(self, owner: ServerId, scope: Any, body: bytes, send: Any) -> bool:  # noqa: ANN401 - ASGI
        """Forward a request, and send its answer back.

        False when nothing was sent because the owner left before it answered a read.
        """
        if self._client is None:
            limits = httpx.Limits(
                max_connections=MAX_CONNECTIONS,
                max_keepalive_connections=MAX_CONNECTIONS,
                keepalive_expiry=KEEPALIVE_SECONDS,
            )
            # The addresses are those of servers in one network; loading the system's certificates takes long.
            self._client = httpx.AsyncClient(
                timeout=TIMEOUT_SECONDS,
                limits=limits,
                verify=False,  # noqa: S501 - see above
                trust_env=False,
            )
        client = scope.get("client")
        headers = [(name, value) for name, value in scope["headers"] if name not in (FORWARDED_HEADER, *_HOP_BY_HOP)]
        headers.append((FORWARDED_HEADER, self._signer.sign("" if client is None else client[0], scope["scheme"])))
        query = scope.get("query_string", b"")
        path = scope.get("raw_path") or scope["path"].encode()
        url = httpx.URL(owner.address).copy_with(raw_path=path.partition(b"?")[0] + (b"?" + query if query else b""))
        try:
            request = self._client.build_request(scope["method"], url, headers=headers, content=body)
            async with self._owners.until_left(owner.number):
                response = await self._client.send(request, stream=True)
                content = b"".join([chunk async for chunk in response.aiter_raw()])
                await response.aclose()
        except (httpx.HTTPError, TimeoutError) as error:
            if (
                isinstance(error, TimeoutError)
                and scope["method"] in _READS
                and self._owner_of_path(scope["path"]) is None
            ):
                return False
            log.warning("another server did not answer", error=error_location(error))
            status, content = 503, _BUSY
            response_headers = [
                (b"content-type", b"application/json"),
                (b"cache-control", b"no-store"),
                (b"retry-after", b"1"),
            ]
        else:
            status = response.status_code
            response_headers = [
                (name.lower(), value) for name, value in response.headers.raw if name.lower() not in _HOP_BY_HOP
            ]
        response_headers.append((b"content-length", str(len(content)).encode()))
        with suppress(OSError):
            await send({"type": "http.response.start", "status": status, "headers": response_headers})
            await send({"type": "http.response.body", "body": content})
        return True
