"""Rate puzzles by how often the levels miss them."""

from __future__ import annotations

from collections.abc import Mapping
from math import log10
from typing import Final

from triptych import _kernel
from triptych.board import Layout
from triptych.bots.levels import get_level
from triptych.deal.actions import Place
from triptych.deal.view_types import DealView, Task
from triptych.rulesets.model import Ruleset
from triptych.solve.analysis.decision import row_mask

Rows = tuple[frozenset[int], frozenset[int], frozenset[int]]

SEEDS: Final = 16
"""Attempts of a randomised level; `fast` is deterministic and has one attempt."""

MEDIUM: Final = (8, 500)
"""The width and rollouts of `medium` in ratings; the level itself has more today."""

BASE_RATING: Final = 1500
"""The rating of a puzzle that half of all attempts miss."""

_RATING_PER_TENFOLD_ODDS: Final = 400  # rating points for tenfold odds, as in chess (Elo 1978, 8.4)


def miss_rates(rules: Ruleset, view: DealView, task: Task, search: _kernel.Analysis) -> dict[str, float]:
    """Return by level the share of attempts that miss the first placement of `search`.

    The samples of `search` are reset.
    """
    best = first_rows(search)
    novices = (get_level("novice").factory(seed).choose(rules, view, task) for seed in range(SEEDS))
    wrong = sum(isinstance(action, Place) and layout_rows(action.layout) != best for action in novices)
    rates = {"novice": wrong / SEEDS, "fast": 1.0}
    wrong = 0
    for seed in range(SEEDS):
        search.reset_samples()
        search.run(*MEDIUM, seed)
        wrong += first_rows(search) != best
    return {**rates, "medium": wrong / SEEDS}


def rating(misses: Mapping[str, float]) -> int:
    """Return the rating at which a player finds the best half the time, if the levels' attempts are one player's.

    One more attempt is counted on each side, so that a puzzle that all attempts miss has a rating too.
    """
    attempts = sum(_attempts(name) for name in misses)
    wrong = sum(share * _attempts(name) for name, share in misses.items())
    return round(BASE_RATING + _RATING_PER_TENFOLD_ODDS * log10((wrong + 1) / (attempts - wrong + 1)))


def first_rows(search: _kernel.Analysis) -> Rows:
    """Return the rows of a search's first placement."""
    return table_rows(search.table()[0])


def table_rows(row: _kernel.SearchedPlacement) -> Rows:
    """Return the rows of a placement in a search's table, in no order of cards."""
    return frozenset(row.front), frozenset(row.middle), frozenset(row.back)


def layout_rows(layout: Layout) -> Rows:
    """Return the rows of a layout, in no order of cards."""
    front, middle, back = (frozenset(row_mask(row)[0]) for row in (layout.front, layout.middle, layout.back))
    return front, middle, back


def _attempts(name: str) -> int:
    return 1 if name == "fast" else SEEDS
