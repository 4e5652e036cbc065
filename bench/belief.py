"""How freely players choose: the temperatures by which the kernel believes what others threw away, by preset.

uv run python -m bench.belief [PRESET ...] [--level medium] [--deals 1000] [--seed belief] [--keep | --care]

A level plays heads-up deals. Whoever acts first on the last street sees a board that came of three discards unseen:
of each street's temperature that one is taken under which the true discards are likeliest (the kernel gets them
nowhere else). The gain over the belief that any unseen card is as likely as another is measured on other deals.
`--keep` writes them to the file that comes with the package. `--care`: nothing is fitted; what is shown believes with
more care than levels have time for, by the same temperatures.
"""

from __future__ import annotations

import argparse
from math import log
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from bench.learned import keep, learned, presets
from bench.report import write
from triptych.arena.moves import play_out
from triptych.arena.seeds import bot_seed, deck_for
from triptych.bots.learned.bot import LearnedBot
from triptych.bots.levels import SEARCH_SETTINGS, get_level
from triptych.deal.engine import start
from triptych.deal.state import HandStart
from triptych.rulesets.load import resolve
from triptych.rulesets.model import streets
from triptych.solve.analysis.decision import Decision
from triptych.solve.value.weights import TEMPERATURE, temperatures
from triptych.stats import estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triptych import _kernel
    from triptych.rulesets.model import Ruleset
    from triptych.solve.value.weights import Weights

GRID = tuple(round(0.1 * 2 ** (step / 3), 3) for step in range(19))
BUDGET_MS = 1000


def discarding() -> list[str]:
    """Return the presets with discards that have learned weights of their own."""
    return [name for name in presets() if any(street.discarded for street in streets(resolve(name)))]


class Spot(Struct, frozen=True):
    """A decision, and by street from 0 what the other hand threw away."""

    decision: Decision
    discarded: dict[int, int]


def spots(rules: Ruleset, name: str, seed: str, deals: int) -> Iterator[Spot]:
    """Yield the first decision of each deal's last street."""
    last = len(streets(rules)) - 1
    first = next(number for number, street in enumerate(streets(rules)) if street.discarded)
    for number in range(deals):
        bots = [get_level(name).factory(bot_seed(seed, number, 0, seat)) for seat in range(2)]
        state = start(rules, 1, (HandStart(0), HandStart(1)), deck_for(rules.deal.jokers, seed, number, 0)).state
        played = play_out(state, bots, BUDGET_MS)
        move = next(move for move in played if move.state.hands[move.task.hand].street == last)
        cards = move.state.hands[1 - move.task.hand].discards
        yield Spot(Decision.from_view(rules, move.view, move.task), dict(enumerate(cards, first)))


def scores(
    model: tuple[Weights, _kernel.Learner], played: list[Spot], temperature: list[float], *, care: bool = False
) -> dict[int, NDArray[np.float64]]:
    """Return by street how much likelier than by chance alone each true discard was held to be, as logarithms."""
    head, learner = model
    learner.set_temperature(temperature)
    gains: dict[int, list[float]] = {}
    for spot in played:
        for _, street, chance in spot.decision.analysis(learner, head.fantasyland_values).discard_belief(
            thorough=care
        ):
            held = max(chance[spot.discarded[street]], 1e-9)
            gains.setdefault(street, []).append(log(held * spot.decision.unseen.bit_count()))
    return {street: np.array(some) for street, some in gains.items()}


def fitted(model: tuple[Weights, _kernel.Learner], played: list[Spot], count: int) -> list[float]:
    """Return a temperature for each street; one of which nothing is seen here gets that of the nearest."""
    by_grid = [
        {street: float(some.mean()) for street, some in scores(model, played, [each] * count).items()}
        for each in GRID
    ]
    best = {street: GRID[int(np.argmax([means[street] for means in by_grid]))] for street in by_grid[0]}
    return [best[min(best, key=lambda other: abs(other - street))] for street in range(count)]


def medium_without(seed: int) -> LearnedBot:
    """Return `medium` as if any unseen card might still come: py:bench.belief:medium_without in the arena."""
    return LearnedBot("medium without", replace(SEARCH_SETTINGS["medium"], infer_discards=False), seed=seed)


def strong_without(seed: int) -> LearnedBot:
    """Return `strong` without the belief."""
    return LearnedBot("strong without", replace(SEARCH_SETTINGS["strong"], infer_discards=False), seed=seed)


def main() -> None:
    """Fit, measure on other deals, and write the section."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", nargs="*", default=discarding())
    parser.add_argument("--level", default="medium")
    parser.add_argument("--deals", type=int, default=1_000)
    parser.add_argument("--seed", default="belief")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--keep", action="store_true", help="write the temperatures to the package")
    what.add_argument(
        "--care", action="store_true", help="as what is shown believes, by the temperatures that are there"
    )
    args = parser.parse_args()
    by_preset = dict(temperatures())
    rows: list[tuple[str, ...]] = [("preset", "street", "temperature, points", "nats a discard above chance")]
    for preset in args.preset:
        rules = resolve(preset)
        model = learned(preset)
        if not args.care:
            fit = list(spots(rules, args.level, f"{args.seed}/fit", args.deals))
            by_preset[preset] = tuple(fitted(model, fit, len(streets(rules))))
        played = list(spots(rules, args.level, f"{args.seed}/held out", args.deals))
        for street, gains in scores(model, played, list(by_preset[preset]), care=args.care).items():
            gain = estimate(gains)
            text = f"{gain.mean:+.4f} ± {gain.half:.4f}"
            rows.append((preset, str(street + 1), f"{by_preset[preset][street]}", text))
            print(*rows[-1], flush=True)
    command = f"uv run python -m bench.belief {' '.join(args.preset)} --level {args.level} --deals {args.deals}"
    if args.care:
        write("Belief in discards, with care", f"{command} --care", rows, "95 % intervals")
    else:
        write("Belief in discards", command, rows, "Fitted on so many deals and measured on others, 95 % intervals")
    if args.keep:
        keep(TEMPERATURE, by_preset)


if __name__ == "__main__":
    main()
