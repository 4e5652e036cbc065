"""The learned bots: the greedy choice, or a search by rollouts of some width and effort."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from triptych.bots.steady import SteadyBot
from triptych.cards import Card, card_text
from triptych.deal.actions import Layout, Place
from triptych.notation.position import position_of
from triptych.solve.value.decision import Decision
from triptych.solve.value.recipe import learns
from triptych.solve.value.weights import packaged

if TYPE_CHECKING:
    from triptych.deal.actions import Action
    from triptych.deal.views import DealView, Task
    from triptych.rules.model import Ruleset


class Effort(Struct, frozen=True):
    """How hard a bot thinks: the placements it looks at more closely, and rollouts in all; 0 = none, it is greedy."""

    width: int = 0
    rollouts: int = 0


class LearnedBot:
    """Plays by the learned value; sets fantasylands, and games that nothing was learned for, as `steady` does.

    The same position gets the same answer. `variant` names other weights than the package's best.
    """

    def __init__(self, name: str, effort: Effort, variant: str = "") -> None:
        """Weights are loaded at the first decision under a ruleset, once a process."""
        self.name = name
        self._effort = effort
        self._variant = variant
        self._steady = SteadyBot()

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
        """Return the action that the learned value, or the search over it, likes best."""
        fantasyland = view.boards[task.hand].fantasyland
        found = packaged(rules, self._variant) if learns(rules) and task.kind == "place" and not fantasyland else None
        if found is None:
            return self._steady.choose(rules, view, task, budget_ms)
        head, learner = found
        decision = Decision.of(rules, position_of(view), task.hand)
        if self._effort.rollouts:
            search = decision.analysis(learner, head.land_value)
            search.run(self._effort.width, 1 if decision.settled else self._effort.rollouts, decision.seed)
            rows = search.table()[0][:3]
        else:
            front, middle, back = map(bytes, decision.rows)
            rows = learner.choose(decision.street, front, middle, back, bytes(decision.cards), decision.unseen)
        return Place(task.hand, Layout(*(tuple(card_text(Card(card)) for card in row) for row in rows)))
