"""Middleware around the application: rejects unknown host names and floods, and finds a request's address.

A trusted proxy's headers give the client's address. A request through any other proxy never counts as coming from
this machine itself, which has no limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import structlog
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from triptych.i18n.languages import negotiate_language
from triptych.i18n.messages import Message
from triptych.server.edge.forwarded_address import FORWARDED_HEADER, ForwardedAddressSigner
from triptych.server.edge.hosts import AllowedHosts
from triptych.server.edge.rate_limits import FLOODS, AddressLimiter, network_key
from triptych.server.log import RateLimitedLogger
from triptych.server.static.client_files import SECURITY_HEADERS
from triptych.server.wire.bodies import error_body, limit_headers
from triptych.server.wire.errors import ApiError, to_wire_error

log = structlog.get_logger()
# Headers that a proxy adds to requests, and a prefix of others.
_FORWARDED: Final = frozenset(
    (b"forwarded", b"via", b"x-real-ip", b"x-client-ip", b"cf-connecting-ip", b"true-client-ip")
)
_FORWARDED_PREFIX: Final = b"x-forwarded-"
_FORWARDED_HOST: Final = b"x-forwarded-host"
# The address of all requests that a proxy on this machine forwards without the client's address.
UNKNOWN_ADDRESS: Final = "forwarded"
_MAX_HOST: Final = 100  # characters in errors and the log


class Guard(NamedTuple):
    """`hosts`: None allows every name; `trust_proxy`: the address of a trusted proxy, empty without one."""

    hosts: AllowedHosts | None
    trust_proxy: str
    addresses: AddressLimiter
    signer: ForwardedAddressSigner
    refusal_log: RateLimitedLogger

    def around(self, app: Any) -> _GuardedApp:  # noqa: ANN401 - ASGI
        """Return the application behind this guard."""
        return _GuardedApp(self, app)


class _GuardedApp:
    def __init__(self, guard: Guard, app: Any) -> None:  # noqa: ANN401 - ASGI
        self._guard = guard
        self._app = app
        self._proxied = ProxyHeadersMiddleware(self._admit, guard.trust_proxy) if guard.trust_proxy else None
        self._has_warned = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        guard = self._guard
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        forwarded = headers.get(FORWARDED_HEADER)
        # Another server of the cluster has checked the request, and gives the client's address itself.
        is_forwarded_by_server = forwarded is not None and guard.signer.verify(forwarded) is not None
        is_forwarded = any(name in _FORWARDED or name.startswith(_FORWARDED_PREFIX) for name in headers)
        is_trusted = is_forwarded and self._proxied is not None and _peer(scope) in self._proxied.trusted_hosts
        host = headers.get(b"host")
        if is_trusted and _FORWARDED_HOST in headers:
            host = headers[_FORWARDED_HOST].rpartition(b",")[2].strip()
            scope["headers"] = [
                *((name, value) for name, value in scope["headers"] if name != b"host"),
                (b"host", host),
            ]
        if not is_forwarded_by_server and not self._is_own(host, scope, is_trusted=is_trusted):
            name = (host or b"").decode("latin-1")[:_MAX_HOST]
            guard.refusal_log.warning("refused: this server has no such name", host=name)
            unknown = ApiError("request.host", Message("error.request.host", name=name), status=421)
            await _refuse(unknown, scope, headers, send)
            return
        scope["triptych.forwarded"] = is_forwarded and not is_forwarded_by_server
        await (self._proxied or self._admit)(scope, receive, send)

    def _is_own(self, host: bytes | None, scope: Any, *, is_trusted: bool) -> bool:  # noqa: ANN401 - ASGI
        hosts, server = self._guard.hosts, scope["server"]
        # Browsers always send the header; programs with HTTP/1.0 need not.
        if hosts is None or host is None:
            return True
        name, own_address = host.decode("latin-1"), "" if server is None else server[0]
        return hosts.allows_proxied(name, own_address) if is_trusted else hosts.allows(name, own_address)

    async def _admit(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401 - ASGI
        """Pass on a request whose address was found, unless its address floods."""
        if scope["triptych.forwarded"] and network_key(_peer(scope)) is None:
            self._warn(_peer(scope))
            scope["client"] = (UNKNOWN_ADDRESS, 0)
        headers = dict(scope["headers"])
        if scope["type"] == "websocket" or b"transfer-encoding" in headers:  # where floods are possible
            try:
                self._guard.addresses.verify(FLOODS, _peer(scope))
            except ApiError as error:
                await _refuse(error, scope, headers, send)
                return
        await self._app(scope, receive, send)

    def _warn(self, address: str) -> None:
        if self._has_warned:
            return
        self._has_warned = True
        if self._proxied is None:
            log.warning(
                "a proxy on this machine passes requests on, and all its visitors count as one",
                hint=f"if the proxy is yours, start with --trust-proxy {address or '127.0.0.1'}",
            )
        else:
            log.warning(
                "the proxy passes requests on as if they came from this machine, and all of these count as one",
                hint="let the server in front of the proxy set X-Forwarded-For to the client's address",
            )


def _peer(scope: Any) -> str:  # noqa: ANN401 - ASGI
    client = scope.get("client")
    return "" if client is None else client[0]


async def _refuse(error: ApiError, scope: Any, headers: Mapping[bytes, bytes], send: Any) -> None:  # noqa: ANN401 - ASGI
    """Answer a request, or the request for a WebSocket, with an error."""
    language = negotiate_language(headers.get(b"accept-language", b"").decode("latin-1"))
    wire_error = to_wire_error(error)
    body = error_body(wire_error, language)
    texts = {
        "content-type": "application/json",
        "cache-control": "no-store",
        "content-length": str(len(body)),
        **SECURITY_HEADERS,
        **limit_headers(wire_error),
    }
    response_headers = [(name.lower().encode(), value.encode()) for name, value in texts.items()]
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    await send({"type": f"{kind}.start", "status": error.status, "headers": response_headers})
    await send({"type": f"{kind}.body", "body": body})
