"""The errors of a match that cannot be played."""

from __future__ import annotations

from typing import Final, Literal

from triptych.errors import TriptychError

ArenaCode = Literal[
    "arena.bots", "arena.program", "arena.deals", "arena.until", "arena.value", "arena.report", "arena.weights"
]

CODES: Final[dict[ArenaCode, str]] = {
    "arena.bots": "The rules do not seat so many bots.",
    "arena.program": "The program to be played against does not exist or cannot be run.",
    "arena.deals": "The number of deals is below one.",
    "arena.until": "The width to stop at cannot be used: not above 0, or the figure is only known at the end.",
    "arena.report": "The report cannot be written there.",
    "arena.weights": "The file of weights cannot be read, or was learned for another game.",
    "arena.value": "A fantasyland value is not written CARDS=POINTS, or a time or fault limit is out of range.",
}


class ArenaError(TriptychError):
    """A match that cannot be played. `path` names the option: `$.deals`."""

    def __init__(self, code: ArenaCode, message: str, path: str) -> None:
        super().__init__(code, message, path)
