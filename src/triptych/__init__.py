"""Chinese poker, closed and open-face: play it, study it, train at it.

`Deal` is one deal as an object, `Match` several. `rules`, `presets`, `score`, `score_many`, `rank`,
`can_still_be_legal`, `outs`, `analyse`, `review`, `read_history`, `solve_fantasyland`, `solve_closed`, `error_rates`,
`make_bot` and `play_match` are functions (triptych.api). A name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "Board",
    "Bot",
    "Deal",
    "LegalPlacements",
    "Match",
    "Placement",
    "Rank",
    "Ruleset",
    "Score",
    "Scores",
    "TriptychError",
    "__version__",
    "analyse",
    "can_still_be_legal",
    "error_rates",
    "make_bot",
    "outs",
    "play_match",
    "presets",
    "rank",
    "read_history",
    "review",
    "rules",
    "score",
    "score_many",
    "solve_closed",
    "solve_fantasyland",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the types stand in __init__.pyi
    if name == "__version__":
        return import_module("importlib.metadata").version("triptych")
    if name not in __all__:
        raise AttributeError(f"module 'triptych' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module("triptych.api"), name)  # the next access does not come here
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
