"""What the room refuses, and why."""

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
    "hint.not_allowed": "The host lets nobody ask for hints.",
    "hint.nothing": "No street of an open game is to be placed with this hand now, or it is another player's.",
    "hint.tournament": "Tournaments have no hints.",
    "link.not_asked": "No commitment waits for this player's link; the deal goes without it.",
    "link.wrong": "The link does not belong to the chain that the player fixed.",
    "name.bad": "The name has characters that cannot be seen, or none that can.",
    "player.already_seated": "The player has a seat at this table already.",
    "player.not_host": "Only the host can do this.",
    "player.not_seated": "Only a seated player can do this.",
    "player.unknown": "Not signed in.",
    "points.buy_in": "The buy-in is outside the table's bounds.",
    "points.not_kept": "The table keeps no stacks, so nothing is added to them.",
    "points.not_now": "Points are added between deals, not before a fantasyland.",
    "points.too_few": "A player who is bust comes back with at least the table's least buy-in.",
    "points.tournament": "In a tournament nobody adds points.",
    "points.too_many": "The stack would be above the table's largest buy-in, or nothing is added.",
    "ready.nothing": "No deal is about to begin.",
    "request.no_deal": "No deal is being played.",
    "request.repeated": "This has been done already.",
    "request.too_fast": "The player has asked too much of the table in a few seconds.",
    "seat.empty": "Nobody sits there.",
    "seat.taken": "Somebody sits there.",
    "seat.unknown": "The table has no seat of this number.",
    "stake.bot": "Bots play for the table's stake.",
    "stake.none": "There is no such offer.",
    "stake.range": "A stake of one's own is 1 to 10,000 times the table's.",
    "stake.self": "A stake is agreed with somebody else.",
    "table.closed": "The table is closed, or about to close.",
    "table.tournament": "The tournament has begun; nobody joins it any more.",
    "clock.none": "The table plays without a clock.",
    "player.banned": "The host has banned this player.",
    "player.muted": "The host has muted this viewer.",
    "player.seated": "The player has a seat, or is the host: no viewer.",
    "player.is_host": "The seat is the host's own.",
    "seat.away": "The person of this seat is not connected.",
    "seat.bot": "A bot sits there.",
    "table.locked": "The host lets nobody else sit down.",
    "table.league": "The table is a duplicate league's that goes on, and the player does not sit there.",
    "table.removed": "The host has removed the viewer.",
    "table.password": "The table has a password, and the player has not given it.",
    "table.order": "A tournament's order came while a match was being played.",
    "table.paused": "The host has paused the table; nothing is placed until it goes on.",
    "table.purse": "The rules keep points in another way than this table does.",
    "table.seats": "The rules have fewer seats than are taken.",
    "table.too_few": "Too few players sit at the table.",
    "table.rules": "These rules cannot be played; the path names the option.",
    "talk.empty": "The line has nothing that can be read.",
    "talk.too_fast": "Too many lines in a few seconds.",
    "talk.too_long": "The line is longer than 240 characters.",
    "turn.clock": "The table plays by a clock, which places the cards when it ends.",
    "turn.not_yet": "Nobody waits for this player, or they have done something in the last 30 seconds.",
    "turn.yours": "It is the player's own turn.",
    "player.is_owner": "The seat is that of the player whose table it is.",
    "player.not_owner": "Only the player whose table it is can do this, not who stands in while they are away.",
}


# What bots hear who moved in a pause; they are asked again when the table goes on.
PAUSED: Final[TableErrorCode] = "table.paused"


class TableError(TriptychError):
    """A request that the table does not grant; the state is as it was.

    `code` is the room's own or one that the deal gave; `path` points into the request: `$.buy_in`.
    """

    def __init__(self, code: TableErrorCode | DealErrorCode, message: str, path: str = "$") -> None:
        super().__init__(code, message, path)
        self.code: TableErrorCode | DealErrorCode = code
