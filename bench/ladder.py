"""How far a level is ahead of the one below it: duplicate decks, and what the cards brought taken out.

uv run python -m bench.ladder [strong medium] [--preset pineapple] [--decks 1000] [--seed 1]

Each deck is played in both seatings, the next fantasylands at their value. What a draw brought is taken out (its mean
is zero, however well the choice that measures it plays: triptych.solve.analysis.luck), so that as few decks tell two
levels apart as twenty times as many results do.
"""

from __future__ import annotations

import argparse
from statistics import median

import numpy as np
from msgspec import Struct

from bench.deals import TimedBot, play_deal
from bench.decks import each_deck
from bench.learned import learned
from bench.report import interval, write
from triptych.arena.referee import deal_values
from triptych.arena.seeds import bot_seed, deck_for
from triptych.bots.levels import get_level
from triptych.deal.engine import start
from triptych.deal.state import HandStart
from triptych.rulesets.load import resolve

HEAD = ("levels", "decks", "ahead", "ahead, less luck", "CPU ms a move: mean, median")
NOTE = "Points a deal of the first one, 95 % intervals over decks"


class Options(Struct, frozen=True):
    """What is measured: the first of the levels against the second."""

    levels: tuple[str, str]
    preset: str
    seed: str


class DeckResult(Struct, frozen=True):
    """A deck in both seatings: points of the first level, and what its cards brought it; CPU seconds of all moves."""

    points: tuple[float, float]
    luck: tuple[float, float]
    seconds: tuple[tuple[float, ...], tuple[float, ...]]


def play_deck(options: Options, number: int) -> DeckResult:
    """Play a deck in both seatings."""
    rules = resolve(options.preset)
    fantasyland_values = learned(options.preset)[0].fantasyland_values
    points: list[float] = []
    lucks: list[float] = []
    seconds: tuple[list[float], list[float]] = ([], [])
    for first in (0, 1):
        bots = [
            TimedBot(get_level(options.levels[first ^ seat]).factory(bot_seed(options.seed, number, 0, seat)))
            for seat in (0, 1)
        ]
        course = start(rules, 1, (HandStart(0), HandStart(1)), deck_for(rules.deal.jokers, options.seed, number, 0))
        state, luck = play_deal(course, dict(enumerate(bots)))
        points.append(deal_values(state, fantasyland_values)[first])
        lucks.append(luck[first])
        for seat in (0, 1):
            seconds[first ^ seat].extend(bots[seat].seconds)
    return DeckResult((points[0], points[1]), (lucks[0], lucks[1]), (tuple(seconds[0]), tuple(seconds[1])))


def row_of(options: Options, decks: list[DeckResult]) -> tuple[str, ...]:
    """Return the row of the report."""
    points = np.array([deck.points for deck in decks])
    luck = np.array([deck.luck for deck in decks])
    times = [[1000 * second for deck in decks for second in deck.seconds[player]] for player in (0, 1)]
    return (
        f"{options.levels[0]}, {options.levels[1]}",
        f"{len(decks):,}",
        interval(points.mean(axis=1)),
        interval((points - luck).mean(axis=1)),
        "; ".join(f"{np.mean(some):.3f}, {median(some):.3f}" for some in times),
    )


def main() -> None:
    """Measure and write the section."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="*", default=["strong", "medium"])
    parser.add_argument("--preset", default="pineapple")
    parser.add_argument("--decks", type=int, default=1_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    above, below = args.levels
    options = Options((above, below), args.preset, args.seed)
    command = f"uv run python -m bench.ladder {above} {below} --preset {args.preset} --decks {args.decks}"
    command += f" --seed {args.seed}"
    rows = [HEAD, row_of(options, each_deck(play_deck, options, args.decks, args.jobs))]
    write(f"Ladder, {args.preset}: {above} and {below}", command, rows, NOTE)


if __name__ == "__main__":
    # By its name: what other processes are sent is found there.
    from bench import ladder

    ladder.main()
