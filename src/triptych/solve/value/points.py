"""The points of outcomes under a ruleset: the weights by which the learner chooses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from msgspec.structs import replace

from triptych import _kernel
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset, fantasyland_sizes, streets

# Outcomes of the kernel: royalties by row, foul, fantasyland by cards, strength bins of front, middle, back.
ROYALTIES: Final = 3
FANTASYLAND_SIZES: Final = (13, 14, 15, 16, 17)
STRENGTH_BINS: Final = _kernel.STRENGTH_BINS
FANTASYLAND_VALUE_COUNT: Final = 18  # by number of cards, 0 = none

# The first guess for a ruleset's fantasylands; the fit replaces it (docs/explanation/how-bots-learn.md).
INITIAL_FANTASYLAND_VALUE: Final = 11.0
_POINTS_PER_CARD: Final = 4.0  # points of a card more
# Where only the winner of a row is paid its royalty, it is paid about two times in three.
_WINNERS_SHARE: Final = 0.67


def can_learn(rules: Ruleset) -> bool:
    """Return whether the learner can play a ruleset: an open game whose streets it supports.

    It ignores suits.
    """
    return rules.deal.game in ("pineapple", "classic", "turbo") and rules.rows.tie_break == "none"


def initial_fantasyland_values(rules: Ruleset) -> tuple[float, ...]:
    """Return a first guess of each fantasyland's value in points from each opponent, by its number of cards."""
    return fill_missing_values(rules, (0.0,) * FANTASYLAND_VALUE_COUNT)


def fill_missing_values(rules: Ruleset, learned: Sequence[float]) -> tuple[float, ...]:
    """Return learned values of fantasylands, with a guess for each size of these rules that was not learned.

    The guess is the value of the nearest learned size and four points a card.
    """
    learned_values = {size: value for size, value in enumerate(learned) if value} or {14: INITIAL_FANTASYLAND_VALUE}
    filled = list(learned)
    for size in fantasyland_sizes(rules):
        if not filled[size]:
            nearest = min(learned_values, key=lambda other: abs(other - size))
            filled[size] = max(0.0, learned_values[nearest] + _POINTS_PER_CARD * (size - nearest))
    return tuple(filled)


def weights(rules: Ruleset, fantasyland_values: Sequence[float]) -> list[float]:
    """Return the points of each outcome from one opponent, in the kernel's order.

    A strength bin counts a fifth of the average gain of winning its row.
    """
    bin_points = [slope / (STRENGTH_BINS + 1) for slope in row_win_values(rules)]
    share = _WINNERS_SHARE if rules.royalties.rule == "row_winner" else 1.0
    scoop = float(row_points(rules, (1, 1, 1)) if rules.foul.points == "scoop" else rules.foul.points)
    average = STRENGTH_BINS * sum(bin_points) / 2
    return [
        *(share,) * ROYALTIES,
        average - scoop,
        *(float(fantasyland_values[size]) for size in FANTASYLAND_SIZES),
        *(points for points in bin_points for _ in range(STRENGTH_BINS)),
    ]


def row_win_values(rules: Ruleset) -> tuple[float, ...]:
    """Return by how much winning front, middle, back beats losing it, averaged over the other two rows."""
    return tuple(_row_win_value(rules, row) for row in range(3))


def _row_win_value(rules: Ruleset, row: int) -> float:
    gains = [
        row_points(rules, (*other[:row], 1, *other[row:])) - row_points(rules, (*other[:row], -1, *other[row:]))
        for other in product((-1, 1), repeat=2)
    ]
    return sum(gains) / len(gains)


def row_points(rules: Ruleset, results: tuple[int, ...]) -> int:
    """Return a pair's points for rows won (1), tied (0) and lost (-1), with a scoop's own doubling."""
    if rules.scoring.rows == "first_to_11":  # the table pays a point a row, as each pair does here
        rules = replace(rules, scoring=replace(rules.scoring, rows="per_row"))
    front, middle, back = results
    return _kernel.row_points(compile_rules(rules), front, middle, back)


def new_learner(
    rules: Ruleset,
    players: int,
    *,
    fantasyland_values: Sequence[float],
    strengths: Sequence[int] = (0,) * (3 * STRENGTH_BINS),
    seed: int = 0,
) -> _kernel.Learner:
    """Return an untrained kernel learner."""
    steps = streets(rules)
    return _kernel.Learner(
        compile_rules(rules),
        [step.dealt for step in steps],
        [step.placed for step in steps],
        hands=players,
        jokers=rules.deal.jokers,
        weights=weights(rules, fantasyland_values),
        strengths=list(strengths),
        seed=seed,
    )
