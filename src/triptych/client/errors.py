"""Errors of the client."""

from __future__ import annotations

from msgspec import UnsetType

from triptych.errors import TriptychError
from triptych.server.wire.messages import WireError


class ClientError(TriptychError):
    """A rejection of the server, with the server's code and path.

    `room.gone`: the server cannot be reached. `room.answer`: the address is not that of a Triptych server. `seconds`:
    the time to wait before the next try after a rate limit; 0 otherwise.
    """

    def __init__(self, code: str, message: str, path: str, seconds: int = 0) -> None:
        super().__init__(code, message, path)
        self.seconds = seconds


def to_client_error(error: WireError) -> ClientError:
    """Return a server's error as a ClientError.

    >>> from triptych.client.errors import to_client_error
    >>> from triptych.server.wire.messages import LimitHit, WireError
    >>> to_client_error(WireError("address.too_many", "wait", limit=LimitHit("tables", 42))).seconds
    42
    """
    limit = error.limit
    return ClientError(error.code, error.message, error.path, 0 if isinstance(limit, UnsetType) else limit.seconds)
