"""What the levels' choices lose against the referee's best placement, street by street."""

from __future__ import annotations

from math import sqrt
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from bench.decisions.positions import PRESET, seen_by
from bench.decisions.referee import analysis, placed
from triptych.bots.levels import get_level
from triptych.cards import parse_card
from triptych.deal.actions import Place
from triptych.rulesets.load import resolve
from triptych.stats import Estimate, estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bench.decisions.referee import Verdict

BUDGET_MS = 1000


class Choice(Struct, frozen=True):
    """One choice: points behind the referee's best, the referee's standard error of that, CPU seconds."""

    street: int
    lost: float
    error: float
    seconds: float


class Loss(Struct, frozen=True):
    """Mean regret with its interval over positions; `referee`: the half of it that is the referee's own error.

    CPU milliseconds a move: median and slowest.
    """

    regret: Estimate
    referee: float
    middle: float
    slowest: float


def choices(name: str, verdicts: Iterable[Verdict]) -> Iterator[Choice]:
    """Yield what a level chooses at the positions, asked as the arena asks."""
    rules = resolve(PRESET)
    bot = get_level(name).factory(1)
    for verdict in verdicts:
        view, task = seen_by(verdict.position)
        if task.street == 1:
            bot.choose(rules, view, task, 1)  # weights load once
        began = process_time()
        action = bot.choose(rules, view, task, BUDGET_MS)
        seconds = process_time() - began
        if not isinstance(action, Place):
            raise TypeError(f"{name} did not place its cards")
        lost, error = _behind(verdict, action)
        yield Choice(verdict.street, lost, error, seconds)


def loss(decisions: Sequence[Choice]) -> Loss:
    """Return the figures of one level's choices on one street."""
    count = len(decisions)
    return Loss(
        estimate(np.array([decision.lost for decision in decisions])),
        1.96 * sqrt(sum(decision.error**2 for decision in decisions)) / count,
        1000 * median(decision.seconds for decision in decisions),
        1000 * max(decision.seconds for decision in decisions),
    )


def _behind(verdict: Verdict, action: Place) -> tuple[float, float]:
    layout = action.layout
    texts = sorted(placed(row) for row in analysis(verdict.position).table())
    front, middle, back = ("".join(sorted(row, key=parse_card)) for row in (layout.front, layout.middle, layout.back))
    chosen = texts.index((front, middle, back))
    return max(verdict.value) - verdict.value[chosen], verdict.behind[chosen]
