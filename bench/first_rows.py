"""Whether the first row of an analysis is significantly below another one, on random first streets; issue 27.2.

uv run python -m bench.first_rows [PRESET ...] [--positions 200] [--seed 1]

By preset: how far any row stands above the first in standard errors of their difference (of those that were measured
to the end by their common cards, of the others by the errors that stand beside them), and in how many positions by
more than two. Exits with 1 where there is one. The budget is small, so that the sorting is often wrong.
"""

from __future__ import annotations

import argparse
import sys
from math import hypot
from random import Random
from typing import TYPE_CHECKING

from bench.learned import presets
from triptych.cards import card_text, deck
from triptych.rulesets.load import resolve
from triptych.rulesets.model import streets
from triptych.solve.analysis.analyse import Analysis, SearchBudget, analyse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.rulesets.model import Ruleset

BUDGET = SearchBudget(max_error=9, max_slices=1, screening_rollouts=400, width=20)
LIMIT = 2.0


def first_street(rules: Ruleset, seed: str) -> str:
    """Return the position of whoever acts first, with random cards."""
    cards = Random(seed).sample(deck(rules.deal.jokers), streets(rules)[0].dealt)
    return f"*// +{''.join(map(card_text, cards))} | //"


def most_above(answer: Analysis) -> float:
    """Return by how many standard errors some row stands above the first."""
    best, *others = answer.placements
    maximum = 0.0
    for placement in others:
        above = placement.value - best.value
        error = placement.behind_error if placement.rollouts == best.rollouts else hypot(placement.error, best.error)
        if above > 0:
            maximum = max(maximum, above / error if error > 0 else float("inf"))
    return maximum


def main(arguments: Sequence[str]) -> int:
    """Analyse, print a line a preset, and return 1 where a first row is not the best."""
    parser = argparse.ArgumentParser()
    parser.add_argument("presets", nargs="*", default=presets())
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", default="1")
    args = parser.parse_args(arguments)
    wrong = 0
    for name in args.presets:
        rules = resolve(name)
        seeds = (f"{args.seed} {name} {number}" for number in range(args.positions))
        above = [most_above(analyse(first_street(rules, seed), rules, BUDGET)) for seed in seeds]
        beyond = sum(excess > LIMIT for excess in above)
        wrong += beyond
        most = f"at most {max(above):.2f} errors above the first row"
        print(f"{name}: {len(above)} positions, {most}, {beyond} beyond {LIMIT}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
