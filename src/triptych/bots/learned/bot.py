"""The learned bots: the greedy choice, or a search by rollouts of some width and effort."""

from __future__ import annotations

from functools import lru_cache
from math import log
from operator import itemgetter
from pathlib import Path
from random import Random

from msgspec import Struct

from triptych import _kernel
from triptych.board import Layout
from triptych.bots.closed import ClosedBot
from triptych.bots.learned.greedy import greedy_placement, row_texts
from triptych.bots.untrained.steady import SteadyBot
from triptych.deal.actions import Action, Place
from triptych.deal.view_types import DealView, Task
from triptych.rulesets.model import Ruleset
from triptych.solve.analysis.decision import Decision
from triptych.solve.analysis.stacks import kernel_stacks, limit_learner
from triptych.solve.value.points import can_learn
from triptych.solve.value.weights import SUFFIX, Weights, load, packaged

_ROLLOUTS_PER_MS = 40  # on a slow core; by count and not by the clock, so that an answer can be repeated


class SearchSettings(Struct, frozen=True):
    """How hard a bot thinks: the placements it looks at more closely, and rollouts at most; 0 = none, it is greedy.

    `hurried`: it ends as soon as one placement is clearly the best.
    `believing`: it takes from what others placed what they may have thrown away.
    `looking`: a greedy bot tells close placements apart by what may come on the next street.
    `blur`: points by which it misjudges what it sees, at random (the scale of a Gumbel distribution); `closed_blur`
    the same in closed games, where the strategy itself takes no time at any level.
    """

    width: int = 0
    rollouts: int = 0
    lookahead: bool = False
    early_stop: bool = True
    infer_discards: bool = True
    noise: float = 0.0
    closed_blur: float = 0.0


@lru_cache(maxsize=4)
def load_weights_file(rules: Ruleset, file: str) -> tuple[Weights, _kernel.Learner]:
    """Return the weights of one's own training, once a process. Raises OSError and WeightsError."""
    return load(rules, Path(file).read_bytes())


class LearnedBot:
    """Plays by the learned value; leaves fantasylands, and games for which nothing was learned, to `steady`.

    The same position gets the same answer. `variant` names other weights than the package's best:
    `base`, or a file of one's own training.
    """

    def __init__(self, name: str, effort: SearchSettings, variant: str = "", seed: int = 0) -> None:
        """Weights are loaded at the first decision under a ruleset, once a process. `seed`: of what it misjudges."""
        self.name = name
        self._effort = effort
        self._variant = variant
        self._seed = seed
        self._steady = SteadyBot(ClosedBot(effort.closed_blur, seed))

    def __repr__(self) -> str:
        return f"<Bot {self.name}>"

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
        """Return the action that the learned value, or the search over it, likes best."""
        fantasyland = view.boards[task.hand].fantasyland
        weights = None if fantasyland or task.kind != "place" else _weights_for(rules, self._variant)
        if weights is None:
            return self._steady.choose(rules, view, task, budget_ms)
        head, learner = weights
        effort = self._effort
        if not effort.rollouts and not effort.noise:
            stacks = kernel_stacks(rules, view.stacks, len(view.boards)) if view.stacks else None
            learner = learner if stacks is None else limit_learner(learner, stacks, task.hand, head.land_value)
            return Place(task.hand, greedy_placement(learner, view, task, looking=effort.lookahead))
        decision = Decision.from_view(rules, view, task)
        search = decision.analysis(learner, head.land_value, believing=effort.infer_discards)
        if effort.rollouts:
            rollouts = min(effort.rollouts, budget_ms * _ROLLOUTS_PER_MS)
            search.run(
                effort.width, 1 if decision.is_deterministic else rollouts, decision.seed, hurried=effort.early_stop
            )
            best = search.table()[0]
        else:
            random = Random(decision.seed ^ self._seed)
            noisy = [(row.prior - effort.noise * log(-log(random.random() or 0.5)), row) for row in search.table()]
            best = max(noisy, key=itemgetter(0))[1]
        return Place(task.hand, Layout(*map(row_texts, (best.front, best.middle, best.back))))


def prepare(rules: Ruleset) -> None:
    """Read what was learned for a ruleset, so that the first decision need not. Raises WeightsError."""
    _weights_for(rules, "")


@lru_cache(maxsize=16)
def _weights_for(rules: Ruleset, variant: str) -> tuple[Weights, _kernel.Learner] | None:
    """Return what was learned for a ruleset; None for games that the learner cannot play."""
    if not can_learn(rules):
        return None
    return load_weights_file(rules, variant) if variant.endswith(SUFFIX) else packaged(rules, variant)
