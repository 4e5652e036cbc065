"""What it brings to know the stacks: a level that knows them against itself without, on duplicate decks.

uv run python -m bench.stacks [--level strong] [--preset pineapple] [--players 2] [--stacks 10 20 30] [--decks 500]

Everybody begins each deck with the same stack, and nobody adds points: the deal, and the fantasylands that it
brings, are paid as far as the stacks reach. Each seat in turn knows, with the same cards, while the others play the
same level as if nothing bounded what is paid. The gain is the knowing seat's points a deck, over all seats.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct

from bench.deals import InformedBot, play_deal, stacks_after, without_luck
from bench.decks import each_deck
from bench.report import interval, write
from triptych.arena.seeds import bot_seed, deck_for
from triptych.bots.levels import get_level
from triptych.deal.engine import start
from triptych.deal.result import next_fantasyland
from triptych.deal.state import HandStart
from triptych.deal.view_types import Stacks
from triptych.rulesets.load import resolve

if TYPE_CHECKING:
    from triptych.rulesets.model import Ruleset

MOST_DEALS = 20  # of one deck: a chain of fantasylands that does not end is cut here, for both sides alike
HEAD = ("players", "points a seat", "decks", "gain", "gain, less luck", "decks that went otherwise")
NOTE = "Points a deck of the seat that knows, 95 % intervals; above 0 where it brings something"


class Options(Struct, frozen=True):
    """What is measured."""

    preset: str
    players: int
    level: str
    stack: int
    seed: str


class SeatResult(NamedTuple):
    """What a seat won with a deck, and what its cards had brought it in the first deal and in its fantasylands."""

    points: float
    first: float
    later: float


def seat_results(options: Options, number: int) -> list[SeatResult]:
    """Return by seat what it won with one deck, its fantasylands included, when it alone knew the stacks."""
    rules = resolve(options.preset)
    return [_play_deck(rules, options, number, knows) for knows in range(options.players)]


def _play_deck(rules: Ruleset, options: Options, number: int, knows: int) -> SeatResult:
    order = tuple(range(options.players))
    stacks: tuple[int, ...] = (options.stack,) * options.players
    fantasylands: dict[int, tuple[int, int]] = {}
    lucks: list[float] = []
    for step in range(MOST_DEALS):
        bots = {seat: get_level(options.level).factory(bot_seed(options.seed, number, step, seat)) for seat in order}
        bots[knows] = InformedBot(bots[knows], Stacks(tuple(stacks[seat] for seat in order)))
        hands = tuple(HandStart(seat, *fantasylands.get(seat, (0, 0))) for seat in order)
        cards = deck_for(rules.deal.jokers, options.seed, number, step)
        state, luck = play_deal(start(rules, number + 1, hands, cards), bots)
        lucks.append(luck[order.index(knows)])
        stacks = stacks_after(state, stacks)
        fantasylands = next_fantasyland(state)
        if not fantasylands or sum(stack > 0 for stack in stacks) == 1:
            break
        if rules.fantasyland.button == "move":
            order = (*order[1:], order[0])
    return SeatResult(float(stacks[knows] - options.stack), lucks[0], sum(lucks[1:]))


def main() -> None:
    """Measure and write the section."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="pineapple")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--level", default="strong")
    parser.add_argument("--stacks", type=int, nargs="+", default=[10, 20, 30])
    parser.add_argument("--decks", type=int, default=500)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    rows = [HEAD]
    for stack in args.stacks:
        options = Options(args.preset, args.players, args.level, stack, args.seed)
        decks = np.array(each_deck(seat_results, options, args.decks, args.jobs))
        differ = float((np.abs(decks[..., 0].sum(axis=1)) > 0).mean())
        mean = decks.mean(axis=1)
        rows.append(
            (
                str(args.players),
                str(stack),
                f"{len(decks):,}",
                interval(mean[:, 0]),
                interval(without_luck(mean)),
                f"{differ:.0%}",
            )
        )
    command = f"uv run python -m bench.stacks --level {args.level} --preset {args.preset} --players {args.players}"
    command += f" --stacks {' '.join(map(str, args.stacks))} --decks {args.decks} --seed {args.seed}"
    write(f"Stacks known to {args.level}, {args.preset}, {args.players} players", command, rows, NOTE)


if __name__ == "__main__":
    # By its name: what other processes are sent is found there.
    from bench import stacks

    stacks.main()
