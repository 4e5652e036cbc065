"""The error codes of a tournament."""

from __future__ import annotations

from typing import Final, Literal

from triptych.errors import TriptychError

TournamentErrorCode = Literal[
    "cup.begun",
    "cup.bots",
    "cup.breaks",
    "cup.closed",
    "cup.full",
    "cup.levels",
    "cup.not_begun",
    "cup.not_host",
    "cup.not_registered",
    "cup.paused",
    "cup.prizes",
    "cup.registered",
    "cup.rounds",
    "cup.rules",
    "cup.seats",
    "cup.stack",
    "cup.start",
    "cup.too_few",
    "player.unknown",
]

CODES: Final[dict[TournamentErrorCode, str]] = {
    "cup.begun": "The tournament has begun.",
    "cup.bots": "No bots of this kind take part.",
    "cup.breaks": "The breaks are not valid.",
    "cup.closed": "Registration is closed, or the tournament is over.",
    "cup.full": "All places are taken.",
    "cup.levels": "The levels are not valid.",
    "cup.not_begun": "The tournament has not begun.",
    "cup.not_host": "Only the player who opened the tournament can do this.",
    "cup.not_registered": "The player does not take part.",
    "cup.paused": "The tournament is paused already, or is not.",
    "cup.prizes": "The prizes are not valid.",
    "cup.registered": "The player takes part already.",
    "cup.rounds": "The league is not valid.",
    "cup.rules": "These rules cannot be played in a tournament.",
    "cup.seats": "The numbers of seats and players do not fit.",
    "cup.stack": "The number of chips at the start is not valid.",
    "cup.start": "The time of the start is past.",
    "cup.too_few": "Too few players have registered.",
    "player.unknown": "Not signed in.",
}


class TournamentError(TriptychError):
    """A request that the tournament rejects; its state does not change. `path` points into the request."""

    def __init__(self, code: TournamentErrorCode, message: str, path: str = "$") -> None:
        super().__init__(code, message, path)
