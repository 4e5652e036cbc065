"""What it brings to know what places are worth: three players left, two are paid; prize money on duplicate decks.

uv run python -m bench.bubble [--level medium] [--preset pineapple] [--stacks 20 20 20] [--prizes 65 35] [--decks 500]

A tournament is played from these stacks, a point a chip, until somebody is out. The two who are left have what their
chips then promise of the prizes, which between equals is fair. Everybody knows the stacks; each seat in turn
knows the prizes too, with the same cards. If that brought nothing, its prize money would on average over the seats be
a third of all.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct

from bench.deals import InformedBot, play_deal, stacks_after, without_luck
from bench.decks import each_deck
from bench.report import write
from triptych.arena.seeds import bot_seed, deck_for
from triptych.bots.levels import get_level
from triptych.deal.engine import start
from triptych.deal.result import next_fantasyland
from triptych.deal.state import HandStart
from triptych.deal.view_types import Stacks
from triptych.rulesets.load import resolve
from triptych.solve.exact.places import icm_value
from triptych.stats import estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triptych.bots.levels import Bot
    from triptych.rulesets.model import Ruleset

ORDERS = 100  # of the deck behind each draw, for what the cards brought
MOST_DEALS = 60  # of one tournament; then all have what their chips promise
HEAD = (
    "stacks",
    "prizes",
    "decks",
    "gain, share of all prizes",
    "gain, less luck",
    "deals a tournament",
    "tournaments that went otherwise",
)
NOTE = (
    "Prize money of the seat that knows the prizes above its part, 95 % intervals; above 0 where it brings something"
)


class Options(Struct, frozen=True):
    """What is measured."""

    preset: str
    level: str
    stacks: tuple[int, ...]
    prizes: tuple[float, ...]
    seed: str


class SeatResult(NamedTuple):
    """What a tournament brought a seat, what its cards had brought it in the first deal and later, and its deals."""

    money: float
    first: float
    later: float
    deals: int


def seat_results(options: Options, number: int) -> list[SeatResult]:
    """Return by seat its prize money when it alone knew the prizes."""
    rules = resolve(options.preset)
    return [_play_tournament(rules, options, number, knows) for knows in range(len(options.stacks))]


def _play_tournament(rules: Ruleset, options: Options, number: int, knows: int) -> SeatResult:
    stacks = before = options.stacks
    fantasylands: dict[int, tuple[int, int]] = {}
    order = tuple(range(len(stacks)))
    lucks: list[float] = []
    while all(stacks) and len(lucks) < MOST_DEALS:
        hands = tuple(HandStart(seat, *fantasylands.get(seat, (0, 0))) for seat in order)
        cards = deck_for(rules.deal.jokers, options.seed, number, len(lucks))
        course = start(rules, len(lucks) + 1, hands, cards)
        state, luck = play_deal(
            course, _bots(options, f"{options.seed}/{number}/{len(lucks)}", order, stacks, knows), ORDERS
        )
        worth = _worth_of_a_point(stacks, options.prizes, knows)
        lucks.append(sum(worth[seat] * gained for seat, gained in zip(order, luck, strict=True)))
        before, stacks, fantasylands = stacks, stacks_after(state, stacks), next_fantasyland(state)
        if not fantasylands or rules.fantasyland.button == "move":
            order = (*order[1:], order[0])
    return SeatResult(icm_value(stacks, options.prizes, before)[knows], lucks[0], sum(lucks[1:]), len(lucks))


def _bots(options: Options, seed: str, order: Sequence[int], stacks: Sequence[int], knows: int) -> dict[int, Bot]:
    """Return the bots by seat: all know the stacks, one of them the prizes too."""
    chips = tuple(stacks[seat] for seat in order)
    bots = {seat: get_level(options.level).factory(bot_seed(seed, 0, 0, seat)) for seat in order}
    return {
        seat: InformedBot(bot, Stacks(chips, prizes=options.prizes if seat == knows else ()))
        for seat, bot in bots.items()
    }


def _worth_of_a_point(stacks: Sequence[int], prizes: Sequence[float], me: int) -> list[float]:
    """Return by seat what a point that this seat gains is worth to `me`: a weight for its luck, no more."""
    now = icm_value(stacks, prizes)[me]
    more = [[stack + (seat == gains) for seat, stack in enumerate(stacks)] for gains in range(len(stacks))]
    return [icm_value(changed, prizes)[me] - now for changed in more]


def row_of(options: Options, results: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the row of the report."""
    money = results[..., 0]
    decks = results.mean(axis=1)[:, :3] / sum(options.prizes)
    decks[:, 0] -= 1 / len(options.stacks)
    differ = (np.abs(money.sum(axis=1) - sum(options.prizes)) > 1e-9).mean()
    return (
        ", ".join(map(str, options.stacks)),
        ", ".join(f"{prize:g}" for prize in options.prizes),
        f"{len(results):,}",
        *(f"{gain.mean:+.2%} ± {gain.half:.2%}" for gain in map(estimate, (decks[:, 0], without_luck(decks)))),
        f"{results[..., 3].mean():.1f}",
        f"{differ:.0%}",
    )


def main() -> None:
    """Measure and write the section."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="pineapple")
    parser.add_argument("--level", default="medium")
    parser.add_argument("--stacks", type=int, nargs=3, default=[20, 20, 20])
    parser.add_argument("--prizes", type=float, nargs="+", default=[65, 35])
    parser.add_argument("--decks", type=int, default=500)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    options = Options(args.preset, args.level, tuple(args.stacks), tuple(args.prizes), args.seed)
    results = np.array(each_deck(seat_results, options, args.decks, args.jobs))
    command = f"uv run python -m bench.bubble --level {args.level} --preset {args.preset}"
    command += (
        f" --stacks {' '.join(map(str, args.stacks))} --prizes {' '.join(f'{prize:g}' for prize in args.prizes)}"
    )
    command += f" --decks {args.decks} --seed {args.seed}"
    title = f"Prizes known to {args.level} on a bubble, {args.preset}, {', '.join(map(str, args.stacks))} points"
    write(title, command, [HEAD, row_of(options, results)], NOTE)


if __name__ == "__main__":
    # By its name: what other processes are sent is found there.
    from bench import bubble

    bubble.main()
