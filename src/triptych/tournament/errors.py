"""What a tournament refuses, and why."""

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
    "cup.breaks": "The breaks cannot be so.",
    "cup.closed": "Nobody comes in any more, or the tournament is over.",
    "cup.full": "All places are taken.",
    "cup.levels": "The levels cannot be so.",
    "cup.not_begun": "The tournament has not begun.",
    "cup.not_host": "Only who opened the tournament can do this.",
    "cup.not_registered": "The player does not take part.",
    "cup.paused": "The tournament is paused already, or is not.",
    "cup.prizes": "The prizes cannot be so.",
    "cup.registered": "The player takes part already.",
    "cup.rounds": "The league cannot be so.",
    "cup.rules": "These rules cannot be played in a tournament.",
    "cup.seats": "The numbers of seats and players do not fit.",
    "cup.stack": "The chips at the start cannot be so many.",
    "cup.start": "The time of the start is past.",
    "cup.too_few": "Too few players have registered.",
    "player.unknown": "Not signed in.",
}


class TournamentError(TriptychError):
    """A request that the tournament does not grant; the state is as it was. `path` points into the request."""

    def __init__(self, code: TournamentErrorCode, message: str, path: str = "$") -> None:
        super().__init__(code, message, path)
