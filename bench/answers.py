"""What others who answer a first street by a search change of its points: by preset, players and how many answer.

uv run python -m bench.answers [PRESET ...] [--deals 400] [--each 10] [--seed answers] [--keep]

A placement is played out by the learned choice, and promises what the next slips of the others bring. On later
streets rollouts look at what a search would answer instead (opponent_responses.hpp). On the first one, where the
others' boards are empty, it hardly depends on the cards, and is measured here once: `medium` plays the first street,
and of each placement so many draws of the others' cards are answered by as many rollouts as it has, and both answers
played out.
`--keep` writes the means to the file that comes with the package.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np

from bench.calibration import SEED, SORTING
from bench.learned import keep, learned, presets
from bench.report import write
from triptych.arena.moves import play_out
from triptych.arena.seeds import bot_seed, deck_for
from triptych.bots.levels import get_level
from triptych.deal.engine import start
from triptych.deal.state import HandStart
from triptych.rulesets.load import resolve
from triptych.rulesets.model import streets
from triptych.solve.analysis.decision import Decision
from triptych.solve.value.weights import CORRECTIONS_FILE, Correction, first_street_corrections
from triptych.stats import estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triptych._kernel import PointParts
    from triptych.rulesets.model import Ruleset

BUDGET_MS = 1000
HEAD = ("players", "answer", "points", "between positions, ±", "of one draw, ±")
NOTE = "Points of who asks, 95 % intervals; standard deviations between positions and between draws of one"


def most_players(rules: Ruleset) -> int:
    """Return how many the pack suffices for."""
    return min(4, (52 + rules.deal.jokers) // sum(street.dealt for street in streets(rules)))


def firsts(rules: Ruleset, players: int, seed: str, deals: int) -> Iterator[Decision]:
    """Yield each hand's decision on the first street, played by `medium`."""
    for number in range(deals):
        bots = [get_level("medium").factory(bot_seed(seed, number, 0, seat)) for seat in range(players)]
        hands = tuple(map(HandStart, range(players)))
        state = start(rules, 1, hands, deck_for(rules.deal.jokers, seed, number, 0)).state
        for move, _ in zip(play_out(state, bots, BUDGET_MS), range(players), strict=False):
            yield Decision.from_view(rules, move.view, move.task)


def changes(preset: str, players: int, seed: str, deals: int, each: int) -> dict[int, NDArray[np.float64]]:
    """Return by how many hands answer: (positions, draws, parts) of what that changes."""
    rules = resolve(preset)
    head, learner = learned(preset)
    by_answering: dict[int, list[list[PointParts]]] = {}
    for number, decision in enumerate(firsts(rules, players, seed, deals)):
        answering = players - 1 - decision.me
        if not answering:
            continue
        search = decision.analysis(learner, head.fantasyland_values)
        search.run(*SORTING, SEED)
        by_answering.setdefault(answering, []).append(search.response_corrections(each, number))
    return {answering: np.array(some) for answering, some in sorted(by_answering.items())}


def row_of(players: int, answering: int, corrections: NDArray[np.float64]) -> tuple[str, ...]:
    """Return a row of the report."""
    points = corrections.sum(axis=2)
    means = points.mean(axis=1)
    within = points.var(axis=1, ddof=1).mean()
    between = max(0.0, means.var(ddof=1) - within / points.shape[1])
    loss = estimate(means)
    text = f"{loss.mean:+.3f} ± {loss.half:.3f}"
    return (str(players), str(answering), text, f"{between**0.5:.2f}", f"{within**0.5:.2f}")


def main() -> None:
    """Measure and write a section for each preset."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", nargs="*", default=presets())
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--each", type=int, default=10, help="draws of the others' cards, of each placement")
    parser.add_argument("--seed", default="answers")
    parser.add_argument("--keep", action="store_true", help="write the means to the package")
    args = parser.parse_args()
    by_preset = dict(first_street_corrections())
    for preset in args.preset:
        rows: list[tuple[str, ...]] = [HEAD]
        means: list[Correction] = []
        for players in range(2, most_players(resolve(preset)) + 1):
            corrections = changes(preset, players, args.seed, args.deals, args.each)
            for answering, some in corrections.items():
                rows.append(row_of(players, answering, some))
                rows_, royalties, fouls, fantasyland = some.mean(axis=(0, 1)).round(4).tolist()
                means.append((rows_, royalties, fouls, fantasyland))
        by_preset[preset] = tuple(means)
        if args.keep:
            keep(CORRECTIONS_FILE, by_preset)
        command = (
            f"uv run python -m bench.answers {preset} --deals {args.deals} --each {args.each} --seed {args.seed}"
        )
        write(f"Answers to a first street, {preset}", command, rows, NOTE)


if __name__ == "__main__":
    main()
