"""Error rates: the points that a player loses on average in a rated decision.

As backgammon's performance rating: forced and obvious plays are not counted; else players who are dealt easy
positions would seem to play better. A bot level is named only where its own rate was measured in the same way
(bench/rates.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from math import sqrt
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from triptych.rulesets.compile import to_kernel_ints
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.solve.analysis.analyse import Analysis
from triptych.solve.analysis.measurement import EXACT_TOLERANCE
from triptych.stats import t_quantile

OBVIOUS_MARGIN: Final = 3.0  # points of the best placement over the second; with more the decision is obvious
_MIN_DECISIONS: Final = 100  # decisions, before a level is named
_HEADS_UP: Final = 2


class RatedDecision(Protocol):
    """The fields of a reviewed decision that an error rate needs."""

    @property
    def behind(self) -> float:
        """Points behind the best placement, as measured."""

    @property
    def counted(self) -> bool:
        """Whether it counts for the rate."""


class ErrorRate(Struct, frozen=True):
    """Points lost a counted decision, and its 95 % interval `lost` ± `half`, -1 below two deals."""

    lost: float
    half: float
    decisions: int
    deals: int


def margin(answer: Analysis) -> float:
    """Return the points of the best placement over the second; 0 where there is no other."""
    best, *others = answer.placements
    return max(
        0.0,
        best.value
        - max((placement.value for placement in others if placement.rollouts == best.rollouts), default=best.value),
    )


def is_rated(answer: Analysis, *, missed: bool) -> bool:
    """Return whether a decision is rated: not forced, and either missed or not obvious.

    Forced: one placement, or all of them exactly equal in value. Obvious: the best leads by `OBVIOUS_MARGIN` points.
    """
    best, *others = answer.placements
    if not others or (answer.exact and all(best.value - placement.value < EXACT_TOLERANCE for placement in others)):
        return False
    return missed or margin(answer) < OBVIOUS_MARGIN


def error_rate(deals: Iterable[Sequence[RatedDecision]]) -> ErrorRate:
    """Return the rate of one player's decisions, deal by deal: deals are independent, the decisions of one are not.

    A ratio estimate with its linearized error (Cochran 1977, Sampling Techniques, 6.3).
    """
    sums = [
        (sum(decision.behind for decision in deal if decision.counted), sum(decision.counted for decision in deal))
        for deal in deals
        if deal
    ]
    count = sum(number for _, number in sums)
    if count == 0:
        return ErrorRate(0.0, -1.0, 0, len(sums))
    lost = sum(points for points, _ in sums) / count
    n = len(sums)
    if n == 1:
        return ErrorRate(lost, -1.0, count, 1)
    spread = sum((points - lost * number) ** 2 for points, number in sums) / (n - 1)
    return ErrorRate(lost, t_quantile(n - 1) * sqrt(n * spread) / count, count, n)


class LevelErrorRate(Struct, frozen=True):
    """The points that a level lost a decision, `lost` ± `half`, over `deals` heads-up deals."""

    lost: float
    half: float
    deals: int


@cache
def level_error_rates() -> dict[str, dict[str, LevelErrorRate]]:
    """Return the measured rates by preset and level, for games in which no two levels' intervals overlap.

    Written by `python -m bench.rates`.
    """
    text = (resources.files("triptych.solve.analysis") / "levels.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, LevelErrorRate]])


def level_error_rates_for(rules: Ruleset, hands: int) -> Mapping[str, float]:
    """Return the rates of the levels in deals of `hands` hands; empty where none was measured with these rules."""
    rates = level_error_rates().get(rules.name)
    if rates is None or hands != _HEADS_UP or to_kernel_ints(rules) != to_kernel_ints(resolve(rules.name)):
        return {}
    return {name: rate.lost for name, rate in rates.items()}


def nearest_level(levels: Mapping[str, float], rate: ErrorRate) -> str | None:
    """Return the level whose rate is nearest; or None without levels or with too few decisions.

    Distances are those of square roots: 0.00 to 0.10 is about as far as 1.0 to 1.5.
    """
    if not levels or rate.decisions < _MIN_DECISIONS:
        return None
    return min(levels, key=lambda name: abs(sqrt(levels[name]) - sqrt(max(rate.lost, 0))))
