"""The levels of play offered in the lobby: their names, and how each bot is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from triptych.bots.closed import ClosedBot
from triptych.bots.learned import Effort, LearnedBot
from triptych.bots.steady import SteadyBot
from triptych.bots.uniform import UniformBot

if TYPE_CHECKING:
    from collections.abc import Callable

    from triptych.bots.protocol import Bot


class Level(Struct, frozen=True):
    """One entry of the lobby's list. `factory` makes the bot from a seed; `note` is one line for people."""

    name: str
    title: str
    note: str
    factory: Callable[[int], Bot]


class LevelError(ValueError):
    """A level that does not exist (`level.unknown`)."""

    code = "level.unknown"
    path = "$.level"

    def __init__(self, name: str) -> None:
        self.message = f"there is no level {name!r}; one of: {', '.join(level.name for level in LEVELS)}"
        super().__init__(self.message)


def _steady(_: int) -> Bot:
    return SteadyBot(ClosedBot(0.9))


def _base(_: int) -> Bot:
    return LearnedBot("base", Effort(), "base")


def _novice(seed: int) -> Bot:
    return LearnedBot("novice", Effort(blur=1.5, closed_blur=1.6), seed=seed)


def _fast(_: int) -> Bot:
    return LearnedBot("fast", Effort(closed_blur=0.5))


def _medium(_: int) -> Bot:
    return LearnedBot("medium", Effort(width=8, rollouts=500, closed_blur=0.25))


def _strong(_: int) -> Bot:
    return LearnedBot("strong", Effort(width=16, rollouts=20_000))


LEVELS: tuple[Level, ...] = (
    Level("random", "Random", "Puts cards anywhere. Good for trying the table out.", UniformBot),
    Level("novice", "Novice", "Knows the aim, misjudges a lot, and fouls as beginners do.", _novice),
    Level(
        "steady",
        "Steady",
        "Looks ahead, does not foul when it can help it, sets fantasyland exactly.",
        _steady,
    ),
    Level("fast", "Fast", "Learned by playing itself; answers at once.", _fast),
    Level("medium", "Medium", "Learned, and looks at its best ideas more closely.", _medium),
    Level("strong", "Strong", "Learned, and plays every idea out thousands of times. Expect to lose.", _strong),
    Level("base", "Base", "The yardstick: a first learner, frozen.", _base),
)


def level(name: str) -> Level:
    """Return the level of that name. Raises LevelError."""
    for entry in LEVELS:
        if entry.name == name:
            return entry
    raise LevelError(name)
