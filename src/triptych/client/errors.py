"""What goes wrong between a program and a room."""

from __future__ import annotations

from triptych.errors import TriptychError


class ClientError(TriptychError):
    """What a room refuses, with the room's own code and path; `room.gone` when it cannot be reached at all.

    `room.answer`: something answers there that is no room.
    """
