"""What a deal or a match that a program plays refuses, beyond the moves that the rules refuse."""

from __future__ import annotations

from typing import Final

from triptych.errors import TriptychError

CODES: Final = {
    "deal.players": "The names of the players are too few, too many, empty or not different.",
    "deal.seat": "The deal has no hand of that number and no player of that name.",
    "deal.start": "Nothing was done yet that could be undone.",
    "deal.not_over": "The deal is not over, so it has no result.",
    "match.over": "The match is over; no deal follows.",
    "placement.text": "A text is no placement.",
    "placement.discards": "The discards are not the cards that the placement leaves over.",
}


class GameError(TriptychError):
    """Something that a deal or a match cannot do or tell now; nothing has changed. `code` is one of CODES."""
