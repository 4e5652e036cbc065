"""The level `careful`: the learned play of one to whom a foul costs nearly everything. The guide proposes by it.

A first-timer learns more from whole boards than from bold ones. Nothing is learned anew: the same outcomes are
weighed by other points, and played out by a player who weighs them so too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from triptych.bots.learned.bot import Effort, LearnedBot
from triptych.rules.model import is_closed

if TYPE_CHECKING:
    from triptych.deal.actions import Action
    from triptych.deal.views import DealView, Task
    from triptych.rules.model import Ruleset

# Of 300 deals of Pineapple one fouls at 200 points, one at 400 and none at 600, where royalties are an eighth less.
# A pair too many spoils a low: of 300 deals with a low middle three foul at 200 points, one at 600 and one at 1,000.
FOUL_POINTS: Final = 600
# What is rare counts here, so it does not hurry.
_EFFORT: Final = Effort(width=40, rollouts=20_000, hurried=False)


class CarefulBot:
    """Lays boards that are legal in the end, as far as cards allow, and among those what brings most points.

    Closed boards and fantasylands are set with all cards known: there the plain rules are enough.
    """

    def __init__(self) -> None:
        """Weights are loaded at the first decision under a ruleset, once a process."""
        self.name = "careful"
        self._learned = LearnedBot(self.name, _EFFORT)

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
        """Return the action that is least likely to end in a foul."""
        known = is_closed(rules) or view.boards[task.hand].fantasyland > 0
        return self._learned.choose(rules if known else _costly(rules), view, task, budget_ms)


def _costly(rules: Ruleset) -> Ruleset:
    """Return the rules with a foul that costs the whole board, and more than all else on it can bring."""
    return replace(rules, foul=replace(rules.foul, points=FOUL_POINTS, scope="board"))
