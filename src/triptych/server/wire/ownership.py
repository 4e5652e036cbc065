"""The error of a request for a table that another server owns."""

from __future__ import annotations

from typing import Final

from triptych.i18n.messages import Message
from triptych.server.wire.errors import ApiError
from triptych.server.wire.messages import WireError
from triptych.store.leases.interface import ServerId

# The key in a request's ASGI scope: the server that owns the requested table.
OWNER_KEY: Final = "triptych.owner"
# The key in a request's ASGI scope: this server was fenced when it received the request.
FENCED_KEY: Final = "triptych.over"
# A WebSocket's close code: connect again, then another server owns the table.
TRY_AGAIN: Final = 1013
ELSEWHERE: Final = WireError("server.elsewhere", Message("error.server.elsewhere"))


class RemoteOwnerError(ApiError):
    """Another server, `owner`, owns the requested table.

    Requests are usually proxied, so players seldom see this.
    """

    def __init__(self, owner: ServerId) -> None:
        super().__init__(ELSEWHERE.code, ELSEWHERE.message, status=503)
        self.owner = owner
