"""Environments for learning programs: a batch in the kernel, and adapters to Gymnasium, PettingZoo, OpenSpiel.

A name is loaded when it is first used, so that a batch needs neither Gymnasium nor PettingZoo. OpenSpiel's games are
in `triptych.envs.openspiel`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from triptych.envs.actions import ACTIONS, CARD_LOCATIONS, OBSERVATION_SIZE, SCALAR_FEATURES, legal_actions
    from triptych.envs.batch import BatchEnv, Step
    from triptych.envs.gymnasium_env import TriptychEnv, random_opponent
    from triptych.envs.pettingzoo_env import TriptychAEC
    from triptych.envs.policy import PolicyBot, legal_actions_for, observe
    from triptych.envs.shown import FEATURE_COUNT, features, observation_text
    from triptych.envs.vector_env import TriptychVectorEnv, random_opponents

__all__ = [
    "ACTIONS",
    "CARD_LOCATIONS",
    "FEATURE_COUNT",
    "OBSERVATION_SIZE",
    "SCALAR_FEATURES",
    "BatchEnv",
    "PolicyBot",
    "Step",
    "TriptychAEC",
    "TriptychEnv",
    "TriptychVectorEnv",
    "features",
    "legal_actions",
    "legal_actions_for",
    "observation_text",
    "observe",
    "random_opponent",
    "random_opponents",
]

_FILES: Final = {
    "actions": ("ACTIONS", "CARD_LOCATIONS", "OBSERVATION_SIZE", "SCALAR_FEATURES", "legal_actions"),
    "batch": ("BatchEnv", "Step"),
    "gymnasium_env": ("TriptychEnv", "random_opponent"),
    "pettingzoo_env": ("TriptychAEC",),
    "policy": ("PolicyBot", "legal_actions_for", "observe"),
    "shown": ("FEATURE_COUNT", "features", "observation_text"),
    "vector_env": ("TriptychVectorEnv", "random_opponents"),
}
_FILE_OF: Final = {name: file for file, names in _FILES.items() for name in names}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - its type stands above
    if name not in _FILE_OF:
        raise AttributeError(f"module 'triptych.envs' has no attribute {name!r}")
    try:
        module = import_module(f"triptych.envs.{_FILE_OF[name]}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("triptych"):
            raise
        raise ModuleNotFoundError(
            f"triptych.envs.{name} needs {error.name}: pip install 'triptych[envs]'", name=error.name
        ) from error
    value = globals()[name] = getattr(module, name)  # found at once the next time
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
