"""Errors in notation."""

from __future__ import annotations

from typing import Final

from triptych.errors import TriptychError

CODES: Final = {
    "card.unknown": "Invalid card.",
    "card.duplicate": "A card is in two places.",
    "board.rows": "A board is not front/middle/back.",
    "row.size": "A row holds more cards than its 3 or 5, or not all of them where the board must be full.",
    "position.hand": "A hand of a position has an unknown part.",
    "history.toml": "The file is not TOML.",
    "history.format": "The file is of another format.",
    "history.key": "A key is missing, unknown, or of the wrong sort.",
    "history.players": "The lists of players, seats and fantasylands do not agree.",
    "history.rules": "The rules in the file are not valid.",
    "history.action": "A line of the actions cannot be read.",
    "history.time": "A time is missing, or earlier than the one before.",
    "history.replay": "The actions are not what the rules make of them.",
    "history.result": "The result is not what the boards score.",
}


class NotationError(TriptychError):
    """A text that cannot be read; `code` is one of CODES, `path` points into the text: `$.actions[7]`."""
