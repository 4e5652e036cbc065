"""What goes wrong between a program and a room."""

from __future__ import annotations

from msgspec import UnsetType

from triptych.errors import TriptychError
from triptych.server.wire.messages import WireError


class ClientError(TriptychError):
    """What a room refuses, with the room's own code and path; `room.gone` when it cannot be reached at all.

    `room.answer`: something answers there that is no room. `seconds`: then it may be tried again, where the
    room refused too much in a short time; 0 otherwise.
    """

    def __init__(self, code: str, message: str, path: str, seconds: int = 0) -> None:
        super().__init__(code, message, path)
        self.seconds = seconds


def to_client_error(error: WireError) -> ClientError:
    """Return what the room has said as an error of the client's.

    >>> from triptych.client.errors import to_client_error
    >>> from triptych.server.wire.messages import LimitHit, WireError
    >>> to_client_error(WireError("address.too_many", "wait", limit=LimitHit("tables", 42))).seconds
    42
    """
    limit = error.limit
    return ClientError(error.code, error.message, error.path, 0 if isinstance(limit, UnsetType) else limit.seconds)
