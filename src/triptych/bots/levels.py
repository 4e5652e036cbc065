"""What every bot is, and the levels of play: their names, and how each bot is made.

The lobby offers the ladder, the arena takes all.
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

    `choose` answers one of the view's tasks with `Place`, `Announce`, `ClaimNatural` or `Declare`; `budget_ms` is
    the time it may take. A bot raises nothing on a legal task.
    """

    name: str

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000, /) -> Action:
        """Return the action for `task`; the same position gets the same answer unless the bot is meant to vary."""
        ...


def is_bot(value: object) -> bool:
    """Return whether something can be asked as a bot; numpy's numbers and arrays have another `choose`."""
    return callable(getattr(value, "choose", None)) and not hasattr(value, "tolist")


class BotLevel(Struct, frozen=True):
    """One way to play. `factory` makes the bot from a seed; `note` is one line for people.

    A `yardstick` is there to measure by, in the arena and in studies, or plays another part than an opponent's; it is
    no step of the ladder, and not offered in the lobby.
    """

    name: str
    title: str
    note: str
    factory: Callable[[int], Bot]
    benchmark_only: bool = False


class LevelError(TriptychError):
    """A level that does not exist (`level.unknown`)."""

    def __init__(self, name: str) -> None:
        seated, compared = (
            ", ".join(level.name for level in ALL_LEVELS if level.benchmark_only is only) for only in (False, True)
        )
        message = f"There is no level {describe_value(name)}; one of: {seated}. To compare with: {compared}."
        super().__init__("level.unknown", message, "$.level")


SEARCH_SETTINGS = {
    "base": SearchSettings(),
    "novice": SearchSettings(noise=1.5, closed_blur=1.6),
    "fast": SearchSettings(lookahead=True, closed_blur=0.5),
    "medium": SearchSettings(width=8, rollouts=2_000, closed_blur=0.25),
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
"""What the lobby offers, from the weakest up."""


def get_level(name: str) -> BotLevel:
    """Return the level of that name; of `fast:FILE.tw`, that level with weights of one's own. Raises LevelError."""
    named, _, file = name.partition(":")
    if file.endswith(SUFFIX) and named in SEARCH_SETTINGS:
        return BotLevel(name, named.title(), f"With the weights of {file}.", _learned_factory(named, file))
    for entry in ALL_LEVELS:
        if entry.name == name:
            return entry
    raise LevelError(name)


def weights_file_of(name: str) -> str:
    """Return the file of weights that a level's name brings, or nothing."""
    file = name.partition(":")[2]
    return file if file.endswith(SUFFIX) else ""
