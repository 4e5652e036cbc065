"""How long a review of a whole deal takes. Issue 32, shown by 3.

uv run python -m bench.reviews                  # 100 deals between levels
uv run python -m bench.reviews --deals 20
"""

from __future__ import annotations

import argparse
from statistics import median
from time import perf_counter, process_time

from bench.rates import history
from bench.report import write
from triptych.solve.analysis.analyse import SearchBudget
from triptych.solve.analysis.review import review

COMMAND = "uv run python -m bench.reviews"
PRESETS = ("pineapple", "ofc_american", "closed_basic")
LEVELS = ("medium", "fast")
BUDGET = SearchBudget(max_error=0.15)  # as the page: client/src/features/review/model/decision.ts
HEAD = ("game", "deals", "decisions", "CPU s, median", "CPU s, worst", "s, median", "s, worst")


def timed(preset: str, deals: int) -> tuple[str, ...]:
    """Review deals of a game, both hands of each, and return its line."""
    cpu: list[float] = []
    wall: list[float] = []
    decisions = 0
    for number in range(deals):
        deal = history(LEVELS, number, preset)
        began, busy = perf_counter(), process_time()
        decisions += len(review(deal, BUDGET).decisions)
        wall.append(perf_counter() - began)
        cpu.append(process_time() - busy)
    figures = (f"{of(times):.2f}" for times in (cpu, wall) for of in (median, max))
    return preset, str(deals), str(decisions), *figures


def main() -> None:
    """Time as many deals of each game as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", nargs="+", default=PRESETS)
    parser.add_argument("--deals", type=int, default=100)
    args = parser.parse_args()
    rows = [timed(preset, args.deals) for preset in args.preset]
    write("How long a review takes", f"{COMMAND} --deals {args.deals}", [HEAD, *rows], "Heads-up, both hands")


if __name__ == "__main__":
    main()
