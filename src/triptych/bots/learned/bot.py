"""The learned bots: a greedy policy, or a search by rollouts."""

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
from triptych.bots.untrained.steady import SteadyBot
from triptych.cards import card_text, deck
from triptych.deal.actions import Action, Place
from triptych.deal.view_types import DealView, Task
from triptych.notation.position import without_pending
from triptych.rulesets.model import Ruleset
from triptych.solve.analysis.decision import Decision
from triptych.solve.analysis.stacks import kernel_stacks, limit_learner
from triptych.solve.value.points import can_learn
from triptych.solve.value.weights import SUFFIX, Weights, load, packaged

_ROLLOUTS_PER_MS = 40  # on a slow core; a count instead of a clock makes actions repeatable


class SearchSettings(Struct, frozen=True):
    """The search settings of a bot. `width`: candidates; `rollouts`: at most; 0 = a greedy bot.

    `early_stop`: stop as soon as one placement is clearly the best. `infer_discards`: use beliefs about the others'
    discards. `lookahead`: a greedy bot compares close placements by one step of expectimax. `noise`: random error of
    its values in points (the scale of a Gumbel distribution); `closed_noise`: the same in closed games.
    """

    width: int = 0
    rollouts: int = 0
    lookahead: bool = False
    early_stop: bool = True
    infer_discards: bool = True
    noise: float = 0.0
    closed_noise: float = 0.0


@lru_cache(maxsize=4)
def load_weights_file(rules: Ruleset, file: str) -> tuple[Weights, _kernel.Learner]:
    """Return the weights of a file, loaded once a process. Raises OSError and WeightsError."""
    return load(rules, Path(file).read_bytes())


class LearnedBot:
    """Plays by the learned value function; fantasylands and games without weights are played by `steady`.

    The same position gets the same action. `variant` names other weights than the installed best: `base`, or a file.
    """

    def __init__(self, name: str, settings: SearchSettings, variant: str = "", seed: int = 0) -> None:
        """Weights are loaded at the first decision under a ruleset, once a process. `seed`: of the noise."""
        self.name = name
        self._settings = settings
        self._variant = variant
        self._seed = seed
        self._steady = SteadyBot(ClosedBot(settings.closed_noise, seed))

    def __repr__(self) -> str:
        return f"<Bot {self.name}>"

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
        """Return the action with the best learned value, or the best one of the search."""
        fantasyland = view.boards[task.hand].fantasyland
        weights = None if fantasyland or task.kind != "place" else _weights_for(rules, self._variant)
        if weights is None:
            return self._steady.choose(rules, view, task, budget_ms)
        header, learner = weights
        settings = self._settings
        if not settings.rollouts and not settings.noise:
            stacks = kernel_stacks(rules, view.stacks, len(view.boards)) if view.stacks else None
            learner = (
                learner if stacks is None else limit_learner(learner, stacks, task.hand, header.fantasyland_values)
            )
            return Place(task.hand, greedy_placement(learner, view, task, lookahead=settings.lookahead))
        decision = Decision.from_view(rules, view, task)
        search = decision.analysis(learner, header.fantasyland_values, believing=settings.infer_discards)
        if settings.rollouts:
            rollouts = min(settings.rollouts, budget_ms * _ROLLOUTS_PER_MS)
            search.run(
                settings.width,
                1 if decision.is_deterministic else rollouts,
                decision.seed,
                early_stop=settings.early_stop,
            )
            best = search.table()[0]
        else:
            random = Random(decision.seed ^ self._seed)
            noisy = [(row.prior - settings.noise * log(-log(random.random() or 0.5)), row) for row in search.table()]
            best = max(noisy, key=itemgetter(0))[1]
        return Place(task.hand, Layout(*map(row_texts, (best.front, best.middle, best.back))))


def prepare(rules: Ruleset) -> None:
    """Load the weights for a ruleset before the first decision. Raises WeightsError."""
    _weights_for(rules, "")


@lru_cache(maxsize=16)
def _weights_for(rules: Ruleset, variant: str) -> tuple[Weights, _kernel.Learner] | None:
    """Return the weights for a ruleset; None for games that the learner cannot play."""
    if not can_learn(rules):
        return None
    return load_weights_file(rules, variant) if variant.endswith(SUFFIX) else packaged(rules, variant)


_TEXTS = tuple(card_text(card) for card in deck(2))


def greedy_placement(learner: _kernel.Learner, view: DealView, task: Task, *, lookahead: bool) -> Layout:
    """Return the placement with the best learned value; `lookahead` as in `SearchSettings`."""
    boards = [
        (board.front.cards, board.middle.cards, board.back.cards, board.draws, board.discards)
        for board in view.boards
    ]
    own_board = view.boards[task.hand]
    if own_board.pending:
        front, middle, back = [
            without_pending(row, own_board.pending) for row in (own_board.front, own_board.middle, own_board.back)
        ]
        boards[task.hand] = (front, middle, back, own_board.draws, own_board.discards)
    return Layout(*_kernel.place(learner, task.street - 1, boards, task.hand, task.cards, lookahead))


@lru_cache(maxsize=1 << 13)
def row_texts(cards: bytes) -> tuple[str, ...]:
    """Return the cards that a street adds to a row; cached, since there are few."""
    return tuple([_TEXTS[card] for card in cards])
