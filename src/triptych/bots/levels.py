"""The interface of bots, and the bot levels with their names and factories.

The lobby offers some levels; the arena accepts all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from triptych.arguments import describe_value
from triptych.bots.closed import ClosedBot
from triptych.bots.learned.bot import LearnedBot, SearchSettings
from triptych.bots.untrained.hindsight import hindsight_all_bot, hindsight_bot
from triptych.bots.untrained.steady import SteadyBot
from triptych.bots.untrained.uniform import UniformBot
from triptych.deal.actions import Action
from triptych.deal.view_types import DealView, Task
from triptych.errors import TriptychError
from triptych.i18n.messages import Message
from triptych.rulesets.model import Ruleset
from triptych.solve.value.weights import SUFFIX


class Bot(Protocol):
    """A program that plays a seat. It gets the same view as a person in that seat and nothing else.

    `choose` returns a `Place`, `Announce`, `ClaimNatural` or `Declare` for one of the view's tasks; `budget_ms` is
    the time it may take. A bot raises no error on a legal task.
    """

    name: str

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000, /) -> Action:
        """Return the action for `task`; the same position gets the same action unless the bot is random."""
        ...


def is_bot(value: object) -> bool:
    """Return whether a value is a bot; numpy's numbers and arrays have a different `choose`."""
    return callable(getattr(value, "choose", None)) and not hasattr(value, "tolist")


class BotLevel(Struct, frozen=True):
    """A level of play. `factory` makes the bot from a seed; `note` is one line for people.

    `benchmark_only`: a baseline for the arena and studies, or a bot that is not an opponent (`guide`); not offered in
    the lobby.
    """

    name: str
    title: str
    note: str
    factory: Callable[[int], Bot]
    benchmark_only: bool = False


class LevelError(TriptychError):
    """A level that does not exist (`level.unknown`)."""

    def __init__(self, name: str) -> None:
        lobby_names, benchmark_names = (
            ", ".join(level.name for level in ALL_LEVELS if level.benchmark_only is is_benchmark)
            for is_benchmark in (False, True)
        )
        message = (
            f"There is no level {describe_value(name)}; one of: {lobby_names}. To compare with: {benchmark_names}."
        )
        super().__init__("level.unknown", message, "$.level")


SEARCH_SETTINGS = {
    "base": SearchSettings(),
    "novice": SearchSettings(noise=1.5, closed_noise=1.6),
    "fast": SearchSettings(lookahead=True, closed_noise=0.5),
    "medium": SearchSettings(width=8, rollouts=2_000, closed_noise=0.25),
    "strong": SearchSettings(width=16, rollouts=20_000),
    # `medium` without its errors in closed games.
    "guide": SearchSettings(width=8, rollouts=2_000),
}


def _steady(_: int) -> Bot:
    return SteadyBot(ClosedBot(0.9))


def _learned_factory(name: str, file: str = "") -> Callable[[int], Bot]:
    return lambda seed: LearnedBot(name, SEARCH_SETTINGS[name], file, seed)


ALL_LEVELS: tuple[BotLevel, ...] = (
    BotLevel("random", Message("bot_level.random.title"), Message("bot_level.random.note"), UniformBot),
    BotLevel(
        "novice", Message("bot_level.novice.title"), Message("bot_level.novice.note"), _learned_factory("novice")
    ),
    BotLevel("fast", Message("bot_level.fast.title"), Message("bot_level.fast.note"), _learned_factory("fast")),
    BotLevel(
        "medium", Message("bot_level.medium.title"), Message("bot_level.medium.note"), _learned_factory("medium")
    ),
    BotLevel(
        "strong",
        Message("bot_level.strong.title"),
        Message("bot_level.strong.note"),
        _learned_factory("strong"),
    ),
    BotLevel(
        "guide",
        "Guide",
        "What the guide proposes: Medium, exact in closed games.",
        _learned_factory("guide"),
        benchmark_only=True,
    ),
    BotLevel("base", "Base", "A first learner, frozen.", _learned_factory("base", "base"), benchmark_only=True),
    BotLevel(
        "steady",
        "Steady",
        "Untrained: looks ahead, does not foul when it can help it, sets fantasyland exactly.",
        _steady,
        benchmark_only=True,
    ),
    BotLevel(
        "hindsight",
        "Hindsight",
        "Untrained: finishes every idea with random cards as if it had known them, for as long as Strong thinks.",
        hindsight_bot,
        benchmark_only=True,
    ),
    BotLevel(
        "hindsight_all",
        "Hindsight, all cards",
        "As Hindsight, with all cards to come known at once: how most public bots play.",
        hindsight_all_bot,
        benchmark_only=True,
    ),
)

LOBBY_LEVELS = tuple(entry for entry in ALL_LEVELS if not entry.benchmark_only)
"""The levels in the lobby, from the weakest up."""


def get_level(name: str) -> BotLevel:
    """Return the level of that name; of `fast:FILE.tw`, that level with those weights. Raises LevelError."""
    base_name, _, file = name.partition(":")
    if file.endswith(SUFFIX) and base_name in SEARCH_SETTINGS:
        return BotLevel(name, base_name.title(), f"With the weights of {file}.", _learned_factory(base_name, file))
    for level in ALL_LEVELS:
        if level.name == name:
            return level
    raise LevelError(name)


def weights_file_of(name: str) -> str:
    """Return the weights file in a level's name, or an empty text."""
    file = name.partition(":")[2]
    return file if file.endswith(SUFFIX) else ""
