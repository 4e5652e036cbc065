"""The WebSocket route: authenticates clients, and adapts a litestar socket for connections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

from litestar import websocket
from litestar.types import Empty
from litestar.utils.scope.state import ScopeState

from triptych.server.edge.connection import NO_IDENTITY, WRONG_ORIGIN, Connection
from triptych.server.edge.direct_socket import LISTEN, WRITE
from triptych.server.edge.guests import COOKIE
from triptych.server.services import AnySocket, ServicesDep, address_of, same_site
from triptych.server.wire.errors import ApiError
from triptych.server.wire.localization import encode_json
from triptych.server.wire.messages import ErrorMessage, WireError

_MAX_LOGGED: Final = 100


@websocket("/ws")
async def socket(socket: AnySocket, services: ServicesDep) -> None:
    """Serve one connection."""
    await socket.accept()
    if not same_site(socket.headers):
        names = {name: socket.headers.get(name, "")[:_MAX_LOGGED] for name in ("origin", "host")}
        services.refusal_log.warning("refused: a WebSocket of another site's page", **names)
        await _reject(socket, WRONG_ORIGIN, "request.origin", "this connection comes from another site's page")
        return
    try:
        bearer = await services.authenticator.authenticate(socket.headers, address_of(socket))
    except ApiError as error:
        await _reject(socket, NO_IDENTITY, error.code, error.message)
        return
    signed_in = None if bearer is not None else services.guests.verify_cookie(socket.cookies.get(COOKIE))
    player = bearer.player if bearer is not None else signed_in and signed_in.player
    if player is None:
        await _reject(socket, NO_IDENTITY, "identity.missing", "GET /api/me first: it gives you the guest cookie")
        return
    connection = Connection(
        LitestarTransport(socket),
        player,
        services.tables,
        services.guests,
        services.now,
        services.rate,
        services.tournaments,
        bearer,
    )
    connection.signed_in = signed_in
    if services.cluster is not None and "triptych.hop" not in socket.scope:
        header = "cookie" if bearer is None else "authorization"
        connection.relays = services.cluster.socket_proxies({header: socket.headers[header]}, address_of(socket))
    scope_state = ScopeState.from_scope(socket.scope)
    scope_state.headers = scope_state.cookies = (
        Empty  # not needed any more; saves a tenth of an idle connection's memory
    )
    await services.connections.serve(connection, address_of(socket))


async def _reject(socket: AnySocket, code: int, error: str, message: str) -> None:
    await socket.send_text(encode_json(ErrorMessage(WireError(error, message))).decode())
    await socket.close(code, f"{error}: {message}")


class LitestarTransport:
    """A litestar socket as connections use it."""

    def __init__(self, socket: AnySocket) -> None:
        self._socket = socket
        self._extensions = cast("dict[str, Any]", socket.scope.get("extensions") or {})
        self.write: Callable[[str], bool] = self._extensions.get(WRITE, lambda _text: False)

    def listen(self, on_text: Callable[[str], bool], close_with: Callable[[int], None]) -> None:
        """Call `on_text` with messages as they arrive, where the server can; `close_with` closes with a code."""
        if LISTEN in self._extensions:
            self._extensions[LISTEN](on_text, close_with)

    async def receive(self) -> Any:  # noqa: ANN401 - an ASGI message
        """Return the next ASGI message."""
        return await self._socket.receive()

    async def send_text(self, text: str) -> None:
        """Send a text frame."""
        await self._socket.send({"type": "websocket.send", "text": text, "bytes": None})

    async def close(self, code: int, reason: str) -> None:
        """Send a close frame."""
        await self._socket.close(code, reason)


HANDLERS: Final = (socket,)
