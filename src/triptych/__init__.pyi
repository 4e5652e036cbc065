"""The types of the front door, whose names are loaded when they are asked for."""

from triptych.api import (
    Bot,
    Ruleset,
    TriptychError,
    analyse,
    closed,
    fantasyland,
    outs,
    play,
    rank,
    read_history,
    review,
    rules,
    score,
)

__version__: str

__all__ = [
    "Bot",
    "Ruleset",
    "TriptychError",
    "__version__",
    "analyse",
    "closed",
    "fantasyland",
    "outs",
    "play",
    "rank",
    "read_history",
    "review",
    "rules",
    "score",
]
