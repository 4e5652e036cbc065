"""What is asked of a server that does not own the table."""

from __future__ import annotations

from typing import Final

from triptych.i18n.messages import Message
from triptych.server.wire.errors import ApiError
from triptych.server.wire.messages import WireError
from triptych.store.leases.interface import ServerId

# What an application found out about a request, in its scope: who owns what it asks for.
OWNER_KEY: Final = "triptych.owner"
# And that it was heard between two lives of this server, which the others have held for dead.
FENCED_KEY: Final = "triptych.over"
# A WebSocket's close code: connect again, the table is another server's by then.
TRY_AGAIN: Final = 1013
ELSEWHERE: Final = WireError("server.elsewhere", Message("error.server.elsewhere"))


class RemoteOwnerError(ApiError):
    """Another server owns what is asked for; the way there is `owner`'s address. A player hears of it seldom."""

    def __init__(self, owner: ServerId) -> None:
        super().__init__(ELSEWHERE.code, ELSEWHERE.message, status=503)
        self.owner = owner
