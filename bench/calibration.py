"""Whether what is shown comes true: points shown at each street of played deals, and what the deals brought.

uv run python -m bench.calibration [PRESET ...] [--players 2] [--level medium] [--deals 1000] [--seed 1]
    [--discards-known]

A level plays every seat. For each placement that it makes, points are shown as `triptych analyse` shows them: by
fresh rollouts, the next fantasylands at their value. What one wins another loses, so what the seats are shown at a
street must sum to 0; where it sums to more, all of them were promised too much. What later draws brought is taken
out of it: its mean is zero, however well the choice that measures it plays (triptych.solve.analysis.luck), and it is
most of what varies. `--discards-known`: the same with the cards known that others discarded, which nobody may know:
what is left then has another cause.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from bench.learned import learned
from bench.report import interval, write
from triptych.arena.moves import play_out
from triptych.arena.referee import deal_values
from triptych.arena.seeds import bot_seed, deck_for
from triptych.bots.levels import get_level
from triptych.cards import Card, parse_card
from triptych.deal.actions import Place
from triptych.deal.engine import start
from triptych.deal.state import HandStart
from triptych.notation.history.model import record
from triptych.parallel import Parallelism, Pool
from triptych.rulesets.load import resolve
from triptych.rulesets.model import streets
from triptych.solve.analysis.decision import Decision
from triptych.solve.analysis.luck import draw_luck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triptych import _kernel
    from triptych.deal.state import DealState

ROLLOUTS = 400
SORTING = (8, 500)  # placements and rollouts that find the best one, after which the others are looked at
SEED = 1 << 32  # of those rollouts: no deal has it
BLOCK = 10  # deals at once
BUDGET_MS = 1000
PRESETS = ("pineapple", "turbo")
ALL = "got less shown, mean of all seats"
HEAD = ("players", "street", "deals", ALL, "less luck, all seats", "less luck, first to act", "less luck, last")
NOTE = "Points a seat and deal, 95 % intervals; none should miss 0. Less luck: less what later draws brought"


class Options(Struct, frozen=True):
    """What is measured. `discards_known`: with the cards known that the others discarded."""

    preset: str
    players: int
    level: str
    seed: str
    discards_known: bool = False


def play_deal(options: Options, number: int) -> NDArray[np.float64]:
    """Return (streets, players, 3): points shown at a street to a hand, those it got, what later draws brought it."""
    rules = resolve(options.preset)
    head, learner = learned(options.preset)
    bots = [
        get_level(options.level).factory(bot_seed(options.seed, number, 0, seat)) for seat in range(options.players)
    ]
    hands = tuple(map(HandStart, range(options.players)))
    course = start(rules, 1, hands, deck_for(rules.deal.jokers, options.seed, number, 0))
    events = [*course.events]
    points = np.zeros((len(streets(rules)), options.players, 3))
    placed: list[tuple[int, int]] = []
    for move in play_out(course.state, bots, BUDGET_MS):
        if not isinstance(move.action, Place):
            raise SystemExit(f"{options.preset} asks for more than placements")
        decision = Decision.from_view(rules, move.view, move.task)
        if options.discards_known:
            decision = replace(decision, unseen=decision.unseen & ~_discards(move.state, decision.me))
        layout = move.action.layout
        search = decision.analysis(learner, head.fantasyland_values, believing=not options.discards_known)
        search.run(*SORTING, SEED)
        points[decision.street, decision.me, 0] = _shown_value(
            search, (layout.front, layout.middle, layout.back), number
        )
        placed.append((decision.street, decision.me))
        course = move.transition
        events += course.events
    points[..., 1] = deal_values(course.state, head.fantasyland_values)
    draws = draw_luck(record([(0, event) for event in events], "all"))
    gained = np.array([gain for _, gain in draws])
    for at, (street, me) in enumerate(placed):
        points[street, me, 2] = gained[at + 1 :, me].sum()
    return points


def _discards(state: DealState, me: int) -> int:
    """Return a bit for each card that the others have discarded."""
    return sum(1 << card for index, hand in enumerate(state.hands) if index != me for card in hand.discards)


def _shown_value(search: _kernel.Analysis, rows: Sequence[Sequence[str]], seed: int) -> float:
    """Return what a placement is worth by rollouts that had no part in its choice, nor in the order of the search."""
    wanted = [{*map(parse_card, row)} for row in rows]
    table = search.table()
    chosen = next(at for at, row in enumerate(table) if [{*map(Card, part)} for part in row[:3]] == wanted)
    if not search.exact():
        search.reset_samples()
        search.measure(0, ROLLOUTS, seed, 0, [chosen])
    return search.table()[chosen][5]


def _block(options: Options, first: int, count: int) -> list[NDArray[np.float64]]:
    return [play_deal(options, number) for number in range(first, first + count)]


def measure(options: Options, deals: int, jobs: int) -> NDArray[np.float64]:
    """Return (deals, streets, players, 3) as `play_deal`; the same however many processes there are."""
    blocks = ((options, first, min(BLOCK, deals - first)) for first in range(0, deals, BLOCK))
    with Pool(Parallelism(jobs)) as pool:
        return np.array([points for block in pool.map(_block, blocks) for points in block])


def rows_of(points: NDArray[np.float64]) -> list[tuple[str, ...]]:
    """Return a row a street: what the seats got less what they were shown, without and with luck taken out."""
    deals, count, players, _ = points.shape
    off = points[..., 1] - points[..., 0]
    less = off - points[..., 2]
    return [
        (
            str(players),
            str(street + 1),
            f"{deals:,}",
            interval(off[:, street].mean(axis=1)),
            interval(less[:, street].mean(axis=1)),
            *(interval(less[:, street, seat]) for seat in (0, players - 1)),
        )
        for street in range(count)
    ]


def main() -> None:
    """Measure and write the section."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", nargs="*", default=PRESETS)
    parser.add_argument("--players", type=int, nargs="+", default=[2])
    parser.add_argument("--level", default="medium")
    parser.add_argument("--deals", type=int, default=1_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--discards-known", action="store_true", help="the cards that others discarded are known")
    args = parser.parse_args()
    for preset in args.preset:
        for players in args.players:
            options = Options(preset, players, args.level, args.seed, args.discards_known)
            _write(options, measure(options, args.deals, args.jobs))


def _write(options: Options, points: NDArray[np.float64]) -> None:
    suffix = ", discards known" if options.discards_known else ""
    command = (
        f"uv run python -m bench.calibration {options.preset} --players {options.players} --level {options.level}"
    )
    command += f" --deals {len(points)} --seed {options.seed}{' --discards-known' if options.discards_known else ''}"
    title = f"Calibration of {options.level}, {options.preset}, {options.players} players{suffix}"
    write(title, command, [HEAD, *rows_of(points)], NOTE)


if __name__ == "__main__":
    main()
