"""What a deal or a match that a program plays refuses, beyond the moves that the rules refuse."""

from __future__ import annotations

from typing import Final

from triptych.errors import TriptychError

CODES: Final = {
    "game.players": "The names of the players are too few, too many, empty or not different.",
    "game.seat": "The deal has no hand of that number and no player of that name.",
    "game.start": "Nothing was done yet that could be undone.",
    "game.open": "The deal is not over, so it has no result.",
    "game.over": "The match is over; no deal follows.",
    "placement.text": "A text is no placement.",
    "placement.discards": "The discards are not the cards that the placement leaves over.",
}


class GameError(TriptychError):
    """Something that a deal or a match cannot do or tell now; nothing has changed. `code` is one of CODES."""
