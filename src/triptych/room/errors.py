"""What the room refuses, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from triptych.deal.errors import DealErrorCode

RoomErrorCode = Literal[
    "bot.level",
    "bots.not_allowed",
    "hand.not_yours",
    "hand.unknown",
    "player.already_seated",
    "player.not_host",
    "player.not_seated",
    "player.unknown",
    "points.buy_in",
    "points.not_now",
    "points.too_many",
    "ready.nothing",
    "request.no_deal",
    "request.repeated",
    "request.too_fast",
    "seat.empty",
    "seat.taken",
    "seat.unknown",
    "stake.bot",
    "stake.range",
    "stake.self",
    "table.closed",
    "table.rules",
    "talk.empty",
    "talk.too_fast",
    "talk.too_long",
]


class RoomError(ValueError):
    """A request that the table does not grant; the state is as it was.

    `code` is the room's own or one that the deal gave; `path` points into the request: `$.buy_in`.
    """

    def __init__(self, code: RoomErrorCode | DealErrorCode, message: str, path: str = "$") -> None:
        super().__init__(message)
        self.code: RoomErrorCode | DealErrorCode = code
        self.message = message
        self.path = path
