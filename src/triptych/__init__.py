"""Chinese poker, closed and open-face: play it, study it, train at it.

`rules`, `rank`, `score`, `fantasyland`, `closed`, `outs`, `analyse`, `review`, `rate`, `read_history` and `play` are
the front door (triptych.api); a name is loaded when it is asked for.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, Final

from triptych.callable_modules import ROOMS, Front

__all__ = [
    "Bot",
    "Rank",
    "Ruleset",
    "Score",
    "TriptychError",
    "__version__",
    "analyse",
    "closed",
    "fantasyland",
    "outs",
    "play",
    "rank",
    "rate",
    "read_history",
    "review",
    "rules",
    "score",
]
_NAMES: Final = frozenset(__all__)
sys.modules[__name__].__class__ = Front


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the types stand in __init__.pyi
    if name == "__version__":
        return import_module("importlib.metadata").version("triptych")
    if name not in _NAMES:
        raise AttributeError(f"module 'triptych' has no attribute {name!r}")
    return import_module(f"triptych.{name}") if name in ROOMS else getattr(import_module("triptych.api"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
