"""What the guide's proposals lose, and whether its sentences name the largest part. Issue 32, shown by 2.

uv run python -m bench.guide                        # 500 deals of each of three games, 2,000 sentences
uv run python -m bench.guide --deals 60 --sentences 100
uv run python -m bench.guide --deals 0              # the sentences alone

Two players follow the guide in every deal, each deal by itself, and all their placements are reviewed. What the guide
says is made by the client's own code: its test reads the placements that this bench has measured.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from itertools import chain, count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import asdict

from bench.rates import BUDGET, history
from bench.report import write
from scripts.node import npm_command, npm_environment, npm_install
from triptych.parallel import Parallelism, Pool
from triptych.server.bots.advice import LEVEL
from triptych.solve.analysis.analyse import PlacementValue, SearchBudget, analyse
from triptych.solve.analysis.rating import error_rate
from triptych.solve.analysis.review import played_decisions, review
from triptych.stats import estimate

if TYPE_CHECKING:
    from triptych.solve.analysis.review import ReviewedDecision

COMMAND = "uv run python -m bench.guide"
CLIENT = Path(__file__).parents[1] / "client"
PRESETS = ("pineapple", "ofc_american", "pineapple_27")
TARGET = 0.05  # points a decision
SAME_POINTS = 0.05  # client/src/features/guide/model/reason.ts
SENTENCE_BUDGET = SearchBudget(max_error=0.15)
HEAD = ("game", "deals", "decisions", "points lost a decision", "not counting the obvious", "worst", "target")


def play_and_review(number: int, preset: str) -> tuple[ReviewedDecision, ...]:
    """Return the decisions of a deal in which both follow the guide."""
    return review(history((LEVEL, LEVEL), number, preset), BUDGET).decisions


def row(preset: str, deals: list[tuple[ReviewedDecision, ...]]) -> tuple[str, ...]:
    """Return a game's line: the mean over all decisions has its interval over deals, whose decisions depend."""
    decisions = [decision for deal in deals for decision in deal if decision.street]
    each = np.array([sum(decision.behind for decision in deal if decision.street) for deal in deals])
    per_deal = len(decisions) / len(deals)
    lost = estimate(each / per_deal)
    rate = error_rate(deals)
    verdict = "met" if lost.mean + lost.half <= TARGET else "open" if lost.mean - lost.half <= TARGET else "missed"
    return (
        preset,
        f"{len(deals):,}",
        f"{len(decisions):,}",
        f"{lost.mean:.4f} ± {lost.half:.4f}",
        f"{rate.lost:.4f} ± {rate.half:.4f}",
        f"{max(decision.lost for decision in decisions):.2f}",
        f"≤ {TARGET}: {verdict}",
    )


def comparisons(number: int, preset: str) -> list[list[dict[str, Any]]]:
    """Return, for each placement of a deal, the best and the next that is not as good, as the client knows them.

    A position has none where all placements are equally good.
    """
    pairs = []
    for decision in played_decisions(history((LEVEL, LEVEL), number, preset)):
        answer = analyse(decision.position, preset, SENTENCE_BUDGET)
        best, *others = (placement for placement in answer.placements if placement.rollouts)
        other = next((placement for placement in others if best.value - placement.value >= SAME_POINTS), None)
        if other is not None:
            pairs.append([line(best, 0), line(other, 1)])
    return pairs


def line(placement: PlacementValue, which: int) -> dict[str, Any]:
    """Return a placement as the client's `Line`."""
    own, opponents = asdict(placement.own), asdict(placement.opponents)
    return {
        "which": which,
        "rows": [placement.front, placement.middle, placement.back],
        "thrown": placement.discards,
        "parts": {part: own[part] - opponents[part] for part in own},
        "sides": {"own": own, "opponents": opponents},
        **{name: getattr(placement, name) for name in ("value", "error", "rollouts", "foul", "enters")},
        "close": placement.within_error,
    }


def check_sentences(pairs: list[list[dict[str, Any]]]) -> str:
    """Let the client say why the best of each pair is better, and check what it names; return its report."""
    npm_install(CLIENT)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "pairs.json"
        file.write_text(json.dumps(pairs))
        ran = subprocess.run(  # noqa: S603 - this checkout's own client
            [
                *npm_command(),
                "test",
                "--",
                "src/features/guide/model/reason.test.ts",
                "-t",
                "positions of played deals",
            ],
            cwd=CLIENT,
            env={**npm_environment(), "TRIPTYCH_PAIRS": str(file), "NO_COLOR": "1"},
            check=False,
            capture_output=True,
            text=True,
        )
    if ran.returncode != 0:
        raise SystemExit(ran.stdout + ran.stderr)
    return next(text.strip() for text in ran.stdout.splitlines() if "sentences:" in text)


def main() -> None:
    """Play, review and check sentences as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", nargs="+", default=PRESETS)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--sentences", type=int, default=2_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    played: dict[str, list[tuple[ReviewedDecision, ...]]] = {}
    with Pool(Parallelism(args.jobs)) as pool:
        for preset in args.preset:
            began, played[preset] = perf_counter(), []
            for deal in pool.map(play_and_review, [(number, preset) for number in range(args.deals)]):
                played[preset].append(deal)
                if len(played[preset]) % 20 == 0:
                    print(*row(preset, played[preset]), f"{perf_counter() - began:.0f} s", flush=True)
        deals = ((number, preset) for number in count() for preset in args.preset)
        some = pool.map(comparisons, deals) if args.sentences else ()
        pairs = list(islice(chain.from_iterable(some), args.sentences))
    verdict = check_sentences(pairs) if pairs else "no sentences"
    print(verdict)
    if not args.deals:
        return
    write(
        "What the guide's proposals lose",
        f"{COMMAND} --deals {args.deals} --sentences {args.sentences}",
        [HEAD, *(row(preset, deals) for preset, deals in played.items())],
        f"Points, 95 % intervals over deals, heads-up, both follow the guide; {verdict}",
    )


if __name__ == "__main__":
    main()
