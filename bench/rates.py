"""How well the levels play by their error rates, and what luck is worth taking out. Issue 14, part 3.

uv run python -m bench.rates medium fast --deals 2000     # plays and reviews; goes on where it was stopped
uv run python -m bench.rates strong novice --deals 2000
uv run python -m bench.rates medium fast --preset turbo --deals 200
uv run python -m bench.rates                              # the tables, from what was played

Two levels play heads-up, each from both places by turns, each deal by itself, and all placements are reviewed. The
file has a line a deal. With the tables comes what `like` names levels by: the games in which no two intervals touch.
A game that the file has no deals of keeps its section and its levels, and a level that it has none of keeps its rate.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from time import perf_counter

import msgspec
import numpy as np
from msgspec import Struct

from bench.report import write
from triptych.arena.moves import play_out
from triptych.arena.seeds import bot_seed, deck_for
from triptych.bots.levels import get_level
from triptych.deal.engine import start
from triptych.deal.state import HandStart
from triptych.notation.history.model import History, record
from triptych.parallel import Parallelism, Pool
from triptych.rulesets.load import resolve
from triptych.rulesets.model import streets
from triptych.solve.analysis.analyse import SearchBudget
from triptych.solve.analysis.rating import ErrorRate, LevelErrorRate, error_rate
from triptych.solve.analysis.review import review
from triptych.stats import estimate

COMMAND = "uv run python -m bench.rates"
FILE = Path(__file__).with_name("rates.jsonl")
MEASURED_FILE = Path(__file__).parents[1] / "src/triptych/solve/analysis/levels.json"
LEVELS = ("strong", "medium", "fast", "novice")
PRESET = "pineapple"  # where luck and obvious decisions are looked at too
SEED = "rates"
BUDGET_MS = 10_000
# Twice the rollouts of `strong`, to find the best; then few, since thousands of deals are averaged.
BUDGET = SearchBudget(max_error=0.5, max_slices=1, screening_rollouts=40_000, width=20)
GAPS = (0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 1e9)
LUCK_HEAD = ("levels", "deals", "result", "less its luck", "so many times fewer deals")
GAP_HEAD = ("best ahead of the second by", "decisions", *LEVELS)


class DecisionRecord(Struct, frozen=True, array_like=True):
    """One decision: street from 1, points behind the best, the best ahead of the second, whether it is counted."""

    street: int
    behind: float
    ahead: float
    counted: bool


class Deal(Struct, frozen=True, array_like=True):
    """A deal's number, and by hand: level, result, luck, decisions; which game it was."""

    number: int
    levels: tuple[str, str]
    result: tuple[float, float]
    luck: tuple[float, float]
    decisions: tuple[tuple[DecisionRecord, ...], tuple[DecisionRecord, ...]]
    preset: str = PRESET


def history(levels: tuple[str, ...], number: int, preset: str) -> History:
    """Return a deal between levels, with every card."""
    rules = resolve(preset)
    bots = [get_level(name).factory(bot_seed(SEED, number, 0, hand)) for hand, name in enumerate(levels)]
    course = start(rules, 1, tuple(map(HandStart, range(len(levels)))), deck_for(rules.deal.jokers, SEED, number, 0))
    played = play_out(course.state, bots, BUDGET_MS)
    events = [*course.events, *(event for move in played for event in move.transition.events)]
    return record([(0, event) for event in events], "all", levels)


def play_and_review(levels: tuple[str, str], number: int, preset: str) -> Deal:
    """Return a deal played and reviewed."""
    first, second = levels if number % 2 == 0 else levels[::-1]
    report = review(history((first, second), number, preset), BUDGET)
    by_hand = [
        tuple(
            DecisionRecord(decision.street, round(decision.behind, 4), round(decision.ahead, 3), decision.counted)
            for decision in report.decisions
            if decision.hand == hand
        )
        for hand in (0, 1)
    ]
    ann, bob = report.shares
    return Deal(
        number, (first, second), (ann.result, bob.result), (ann.luck, bob.luck), (by_hand[0], by_hand[1]), preset
    )


def play(levels: tuple[str, str], deals: int, jobs: int, preset: str) -> None:
    """Play what the file does not have yet, and add it."""
    numbers = {deal.number for deal in load() if deal.preset == preset and set(deal.levels) == set(levels)}
    began = perf_counter()
    missing = [(levels, number, preset) for number in range(deals) if number not in numbers]
    with Pool(Parallelism(jobs)) as pool, FILE.open("ab") as file:
        for done, deal in enumerate(pool.map(play_and_review, missing), start=1):
            file.write(msgspec.json.encode(deal) + b"\n")
            file.flush()
            if done % 50 == 0:
                print(f"{done} of {len(missing)} deals, {perf_counter() - began:.0f} s", flush=True)


def load() -> list[Deal]:
    """Return what was played."""
    lines = FILE.read_bytes().splitlines() if FILE.exists() else []
    return [msgspec.json.decode(line, type=Deal) for line in lines]


def rates(deals: list[Deal], street: int | None = None) -> dict[str, ErrorRate]:
    """Return the rate of each level, over all streets or on one."""
    own: dict[str, list[list[DecisionRecord]]] = defaultdict(list)
    for deal in deals:
        for name, decisions in zip(deal.levels, deal.decisions, strict=True):
            own[name].append([decision for decision in decisions if street in (None, decision.street)])
    return {name: error_rate(own[name]) for name in LEVELS}


def merged_rates(deals: list[Deal], before: dict[str, LevelErrorRate]) -> dict[str, LevelErrorRate]:
    """Return what was measured of each level, before where no deals of it are there."""
    measured = {
        name: LevelErrorRate(round(rate.lost, 4), round(rate.half, 4), rate.deals)
        for name, rate in rates(deals).items()
        if rate.half >= 0
    }
    both = before | measured
    return {name: both[name] for name in LEVELS if name in both}


def are_distinct(by_level: dict[str, LevelErrorRate]) -> bool:
    """Return whether every level is measured, and the intervals of no two touch."""
    ordered = sorted(by_level.values(), key=lambda rate: rate.lost)
    return len(ordered) == len(LEVELS) and all(
        rate.lost + rate.half < other.lost - other.half for rate, other in pairwise(ordered)
    )


def _rows(preset: str, deals: list[Deal], by_level: dict[str, LevelErrorRate]) -> list[tuple[str, ...]]:
    whole = rates(deals)
    by_street = [rates(deals, street) for street in range(1, len(streets(resolve(preset))) + 1)]
    head = ("level", "deals", "decisions", "points lost a decision")
    body = [
        (name, f"{rate.deals:,}", f"{rate.decisions:,}", _text(rate), *(_text(street[name]) for street in by_street))
        if rate.half >= 0
        else (name, f"{by_level[name].deals:,}", "as before", _text(by_level[name]), *("" for _ in by_street))
        for name, rate in whole.items()
        if name in by_level
    ]
    return [(*head, *(f"street {number}" for number in range(1, len(by_street) + 1))), *body]


def _write_rates(deals: list[Deal]) -> None:
    """Write a section for each game, and the file by which levels are named; other games stay as they are there."""
    named = msgspec.json.decode(MEASURED_FILE.read_bytes(), type=dict[str, dict[str, LevelErrorRate]])
    for preset in sorted({deal.preset for deal in deals}):
        own = [deal for deal in deals if deal.preset == preset]
        by_level = merged_rates(own, named.pop(preset, {}))
        verdict = "no two touch" if are_distinct(by_level) else "some touch, so no level is named"
        note = f"Points; 95 % intervals over deals: {verdict}"
        write(f"Error rates of the levels, {preset}", COMMAND, _rows(preset, own, by_level), note)
        if are_distinct(by_level):
            named[preset] = by_level
    MEASURED_FILE.write_bytes(msgspec.json.format(msgspec.json.encode(dict(sorted(named.items()))), indent=1) + b"\n")


def _text(rate: ErrorRate | LevelErrorRate) -> str:
    return f"{rate.lost:.3f} ± {rate.half:.3f}" if rate.half >= 0 else "–"


def _luck(deals: list[Deal]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for pair in (("medium", "fast"), ("strong", "novice")):
        mine = [(deal, deal.levels.index(pair[0])) for deal in deals if set(deal.levels) == set(pair)]
        result = np.array([deal.result[hand] for deal, hand in mine])
        less = result - np.array([deal.luck[hand] for deal, hand in mine])
        texts = (f"{mean.mean:+.3f} ± {mean.half:.3f}" for mean in (estimate(result), estimate(less)))
        rows.append((" – ".join(pair), f"{len(mine):,}", *texts, f"{result.var() / less.var():.1f}"))
    return rows


def _gaps(deals: list[Deal]) -> list[tuple[str, ...]]:
    """Return how many of its decisions each level missed by more than a tenth of a point, by how clear they were."""
    decisions = [
        (name, decision)
        for deal in deals
        for name, own in zip(deal.levels, deal.decisions, strict=True)
        for decision in own
        if decision.ahead > 0
    ]
    rows: list[tuple[str, ...]] = []
    for low, high in pairwise(GAPS):
        of = {
            level: [decision for name, decision in decisions if name == level and low <= decision.ahead < high]
            for level in LEVELS
        }
        missed = (
            f"{np.mean([decision.behind > 0.1 for decision in own]):.1%}" if own else "–" for own in of.values()
        )
        label = f"{low:g} to {high:g}" if high < GAPS[-1] else f"{low:g} and more"
        rows.append((label, f"{sum(map(len, of.values())):,}", *missed))
    return rows


def main() -> None:
    """Play, or write the sections."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("level", nargs="*", help="two of them play")
    parser.add_argument("--preset", default=PRESET)
    parser.add_argument("--deals", type=int, default=2_000)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    if len(args.level) == 2:
        return play((args.level[0], args.level[1]), args.deals, args.jobs, args.preset)
    _write_rates(load())
    deals = [deal for deal in load() if deal.preset == PRESET]
    if {name for deal in deals for name in deal.levels} != {*LEVELS}:
        return None  # both tables are of all levels
    write("Luck taken out", COMMAND, [LUCK_HEAD, *_luck(deals)], "Points a deal for the first; 95 % intervals")
    write("Decisions that are obvious", COMMAND, [GAP_HEAD, *_gaps(deals)], "Share missed by more than 0.1 points")
    return None


if __name__ == "__main__":
    main()
