"""uvicorn's WebSocket with a way out that waits for nothing: a message goes to the network in the call that sends it.

An ASGI server may offer more than the standard has in `scope["extensions"]`; here it is `write`. Where it is missing,
or the network is full, messages go the standard's way.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from triptych.server.web.door import READ_FIRST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from websockets.http11 import Request

EXTENSION: Final = "triptych.write"
# RFC 6455 5.2: a whole text frame; its length in 7, 16 or 64 bits.
_TEXT: Final = 0x81
_SHORT: Final = 126
_MIDDLE: Final = 1 << 16


class Frames(WebSocketsSansIOProtocol):
    """One WebSocket of the house."""

    def handle_connect(self, event: Request) -> None:
        """Offer the way out to the application, which begins after this."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[EXTENSION] = self.write

    def keepalive_timeout(self) -> None:
        """Hang up on a network that died, unless its answer lies unread."""
        self.pong_timer = self.loop.call_later(READ_FIRST_SECONDS, super().keepalive_timeout)

    def write(self, text: str) -> bool:
        """Send a text message; False when it has to wait, or nobody is there any more."""
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        data = text.encode()
        self.transport.write(_head(len(data)) + data)
        return True


def _head(size: int) -> bytes:
    if size < _SHORT:
        return struct.pack("!BB", _TEXT, size)
    if size < _MIDDLE:
        return struct.pack("!BBH", _TEXT, _SHORT, size)
    return struct.pack("!BBQ", _TEXT, _SHORT + 1, size)


def way_out(scope: Any) -> Callable[[str], bool]:  # noqa: ANN401 - ASGI
    """Return what sends a message at once where the server can; else what says that it has to wait."""
    found: Callable[[str], bool] | None = scope.get("extensions", {}).get(EXTENSION)
    return _waits if found is None else found


def _waits(_text: str) -> bool:
    return False
