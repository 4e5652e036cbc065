"""The error codes of a table."""

from __future__ import annotations

from typing import Final, Literal

from triptych.deal.errors import DealErrorCode
from triptych.errors import TriptychError

TableErrorCode = Literal[
    "bot.level",
    "bots.not_allowed",
    "hand.not_yours",
    "hand.unknown",
    "hint.not_allowed",
    "hint.nothing",
    "hint.tournament",
    "link.not_asked",
    "link.wrong",
    "name.bad",
    "player.already_seated",
    "player.not_host",
    "player.not_seated",
    "player.unknown",
    "points.buy_in",
    "points.not_kept",
    "points.not_now",
    "points.too_few",
    "points.too_many",
    "points.tournament",
    "ready.nothing",
    "request.no_deal",
    "request.repeated",
    "request.too_fast",
    "seat.empty",
    "seat.taken",
    "seat.unknown",
    "stake.bot",
    "stake.none",
    "stake.range",
    "stake.self",
    "table.closed",
    "clock.none",
    "player.banned",
    "player.muted",
    "player.seated",
    "player.is_host",
    "seat.away",
    "seat.bot",
    "table.locked",
    "table.league",
    "table.password",
    "table.removed",
    "table.order",
    "table.paused",
    "table.purse",
    "table.rules",
    "table.seats",
    "table.too_few",
    "table.tournament",
    "talk.empty",
    "talk.too_fast",
    "talk.too_long",
    "turn.clock",
    "turn.not_yet",
    "turn.yours",
    "player.is_owner",
    "player.not_owner",
]

CODES: Final[dict[TableErrorCode, str]] = {
    "bot.level": "No bot of this level can sit down here.",
    "bots.not_allowed": "The host opened the table for people only.",
    "hand.not_yours": "The board is another player's.",
    "hand.unknown": "The deal has no board of this number.",
    "hint.not_allowed": "The host does not allow hints.",
    "hint.nothing": "No street of an open game is to be placed with this hand now, or it is another player's.",
    "hint.tournament": "Tournaments have no hints.",
    "link.not_asked": "No commitment waits for this player's link; the deal goes without it.",
    "link.wrong": "The link does not belong to the player's committed chain.",
    "name.bad": "The name is empty or has invisible characters.",
    "player.already_seated": "The player has a seat at this table already.",
    "player.not_host": "Only the host can do this.",
    "player.not_seated": "Only a seated player can do this.",
    "player.unknown": "Not signed in.",
    "points.buy_in": "The buy-in is outside the table's bounds.",
    "points.not_kept": "The table has no stacks to add points to.",
    "points.not_now": "Points are added between deals, not before a fantasyland.",
    "points.too_few": "A player who is bust has to add at least the table's minimum buy-in.",
    "points.tournament": "In a tournament nobody can add points.",
    "points.too_many": "The stack would be above the table's maximum buy-in, or nothing is added.",
    "ready.nothing": "No deal is about to begin.",
    "request.no_deal": "No deal is being played.",
    "request.repeated": "This has been done already.",
    "request.too_fast": "The player has made too many requests in a few seconds.",
    "seat.empty": "Nobody sits there.",
    "seat.taken": "Somebody sits there.",
    "seat.unknown": "The table has no seat of this number.",
    "stake.bot": "Bots play for the table's stake.",
    "stake.none": "There is no such offer.",
    "stake.range": "A pair's own stake is 1 to 10,000 times the table's.",
    "stake.self": "A stake is agreed with somebody else.",
    "table.closed": "The table is closed, or about to close.",
    "table.tournament": "The tournament has begun; nobody can join it any more.",
    "clock.none": "The table plays without a clock.",
    "player.banned": "The host has banned this player.",
    "player.muted": "The host has muted this spectator.",
    "player.seated": "The player has a seat or is the host, so not a spectator.",
    "player.is_host": "The seat is the host's own.",
    "seat.away": "The person of this seat is not connected.",
    "seat.bot": "A bot sits there.",
    "table.locked": "The host has locked the free seats.",
    "table.league": "The table belongs to a duplicate league in progress, and the player does not sit there.",
    "table.removed": "The host has removed the spectator.",
    "table.password": "The table has a password, and the player has not given it.",
    "table.order": "A tournament's order arrived during a match.",
    "table.paused": "The host has paused the table; nothing can be placed until it is resumed.",
    "table.purse": "The rules keep points in another way than this table does.",
    "table.seats": "The rules have fewer seats than the table's players need.",
    "table.too_few": "Too few players sit at the table.",
    "table.rules": "These rules cannot be played; the path names the option.",
    "talk.empty": "The line has no readable characters.",
    "talk.too_fast": "Too many lines in a few seconds.",
    "talk.too_long": "The line is longer than 240 characters.",
    "turn.clock": "The table plays by a clock, which places the cards when it ends.",
    "turn.not_yet": "It is not this player's turn, or they have acted in the last 30 seconds.",
    "turn.yours": "It is the player's own turn.",
    "player.is_owner": "The seat belongs to the owner of the table.",
    "player.not_owner": "Only the owner of the table can do this, not the player who replaces them as host.",
}


# The error of a bot that acts during a pause; it is asked again when the table is resumed.
PAUSED: Final[TableErrorCode] = "table.paused"


class TableError(TriptychError):
    """A request that the table rejects; its state does not change.

    `code` is the table's own or the deal's; `path` points into the request: `$.buy_in`.
    """

    def __init__(self, code: TableErrorCode | DealErrorCode, message: str, path: str = "$") -> None:
        super().__init__(code, message, path)
        self.code: TableErrorCode | DealErrorCode = code
