"""The errors of `Deal` and `Match` beyond those of illegal moves."""

from __future__ import annotations

from typing import Final

from triptych.errors import TriptychError

CODES: Final = {
    "deal.players": "The names of the players are too few, too many, empty or not different.",
    "deal.seat": "The deal has no hand of that number and no player of that name.",
    "deal.start": "There is no action to take back.",
    "deal.not_over": "The deal is not over, so it has no result.",
    "match.over": "The match is over; no deal follows.",
    "placement.text": "A text is not a placement.",
    "placement.discards": "The discards are not the cards that the placement leaves over.",
}


class GameError(TriptychError):
    """Something that a deal or a match cannot do now; it is unchanged. `code` is one of CODES."""
