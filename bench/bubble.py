"""What it brings to know what places are worth: three players left, two are paid; prize money on duplicate decks.

uv run python -m bench.bubble [--level medium] [--preset pineapple] [--stacks 20 20 20] [--prizes 65 35] [--decks 500]

A tournament is played from these stacks, a point a chip, until somebody is out. The two who are left have what their
chips then promise of the prizes, which between equals is fair. Everybody is told the stacks; each seat in turn is
told the prizes too, with the same cards. If that brought nothing, its prize money would on average over the seats be
a third of all.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from bench.decks import each_deck
from bench.report import write
from bench.stacks import decided_by, paid
from triptych.arena.seeds import bot_seed, shuffled
from triptych.bots.levels import level
from triptych.deal.engine import finished, started
from triptych.deal.result import next_fantasyland
from triptych.deal.stacks import Stacks
from triptych.deal.state import HandStart
from triptych.rules.load import resolve
from triptych.solve.exact.places import place_worth
from triptych.stats import figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from triptych.deal.state import DealState
    from triptych.rules.model import Ruleset

MOST_DEALS = 60  # of one tournament; then all have what their chips promise
HEAD = (
    "stacks",
    "prizes",
    "decks",
    "gain, share of all prizes",
    "deals a tournament",
    "tournaments that went otherwise",
)
NOTE = (
    "Prize money of the seat that knows the prizes above its part, 95 % intervals; above 0 where it brings something"
)


class Asked(Struct, frozen=True):
    """What is measured."""

    preset: str
    level: str
    stacks: tuple[int, ...]
    prizes: tuple[float, ...]
    seed: str


def played(asked: Asked, number: int) -> list[tuple[float, int]]:
    """Return by seat its prize money when it alone was told the prizes, and how many deals that took."""
    rules = resolve(asked.preset)
    return [_played(rules, asked, number, knows) for knows in range(len(asked.stacks))]


def _played(rules: Ruleset, asked: Asked, number: int, knows: int) -> tuple[float, int]:
    stacks = before = asked.stacks
    lands: dict[int, tuple[int, int]] = {}
    order = tuple(range(len(stacks)))
    step = 0
    while all(stacks) and step < MOST_DEALS:
        state = _dealt(rules, asked, number, step, [HandStart(seat, *lands.get(seat, (0, 0))) for seat in order])
        state = _placed(state, asked, stacks, knows, f"{number}/{step}")
        before, stacks, lands = stacks, paid(state, stacks), next_fantasyland(state)
        if not lands or rules.fantasyland.button == "move":
            order = (*order[1:], order[0])
        step += 1
    return place_worth(stacks, asked.prizes, before)[knows], step


def _dealt(rules: Ruleset, asked: Asked, number: int, step: int, hands: Sequence[HandStart]) -> DealState:
    return started(rules, step + 1, tuple(hands), shuffled(rules.deal.jokers, asked.seed, number, step)).state


def _placed(state: DealState, asked: Asked, stacks: tuple[int, ...], knows: int, number: str) -> DealState:
    chips = tuple(stacks[hand.seat] for hand in state.hands)
    told = {hand.seat: Stacks(chips, prizes=asked.prizes if hand.seat == knows else ()) for hand in state.hands}
    bots = [level(asked.level).factory(bot_seed(f"{asked.seed}/{number}", 0, 0, hand.seat)) for hand in state.hands]
    while not finished(state):
        state = decided_by(state, bots, told).state
    return state


def row_of(asked: Asked, found: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the row of the report."""
    money = found[..., 0]
    gain = figure((money.mean(axis=1) - sum(asked.prizes) / len(asked.stacks)) / sum(asked.prizes))
    differ = (np.abs(money.sum(axis=1) - sum(asked.prizes)) > 1e-9).mean()
    return (
        ", ".join(map(str, asked.stacks)),
        ", ".join(f"{prize:g}" for prize in asked.prizes),
        f"{len(found):,}",
        f"{gain.mean:+.2%} ± {gain.half:.2%}",
        f"{found[..., 1].mean():.1f}",
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
    asked = parser.parse_args()
    what = Asked(asked.preset, asked.level, tuple(asked.stacks), tuple(asked.prizes), asked.seed)
    found = np.array(each_deck(played, what, asked.decks, asked.jobs))
    command = f"uv run python -m bench.bubble --level {asked.level} --preset {asked.preset}"
    command += f" --stacks {' '.join(map(str, asked.stacks))} --prizes {' '.join(f'{one:g}' for one in asked.prizes)}"
    command += f" --decks {asked.decks} --seed {asked.seed}"
    title = f"Prizes known to {asked.level} on a bubble, {asked.preset}, {', '.join(map(str, asked.stacks))} points"
    write(title, command, [HEAD, row_of(what, found)], NOTE)


if __name__ == "__main__":
    # By its name: what other processes are sent is found there.
    from bench import bubble

    bubble.main()
