"""What a best response gains against the closed strategy. Issue 4, shown by 5.

uv run python -m bench.closed_gain [PRESET ...] [--players 2 4] [--deals 100000] [--seed 7]

How it is measured: triptych.solve.closed.training.
Without presets: all that have a strategy of their own, with the numbers of players these were made for.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bench.report import write
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import is_closed
from triptych.solve.closed.strategy import nearest_strategy, relevant_opponent_counts
from triptych.solve.closed.training import DEALS, Exploitability, measure

if TYPE_CHECKING:
    from collections.abc import Iterator

PRESETS = tuple(name for name in preset_names() if is_closed(resolve(name)))


def measured(gains: Iterator[Exploitability]) -> Exploitability:
    """Say how far a measurement is, and return what it comes to."""
    gain = Exploitability(0.0, 0.0, 0)
    for gain in gains:
        print(f"\r{gain.deals:,} deals: {gain.mean:+.4f} ± {gain.half_width:.4f}", end="", flush=True)
    print()
    return gain


def main() -> None:
    """Measure and write the section."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", nargs="*", default=PRESETS)
    parser.add_argument("--players", type=int, nargs="*", default=[])
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    rows = [("preset", "players", "duplicate deals", "gain, points a deal", "95 % interval")]
    for preset in args.preset:
        rules = resolve(preset)
        for players in args.players or [opponents + 1 for opponents in relevant_opponent_counts(rules)]:
            print(f"{preset}, {players} players")
            strategy = nearest_strategy(rules, players - 1)
            gain = measured(measure(rules, strategy.kernel, strategy.size, players, deals=args.deals, seed=args.seed))
            rows.append((preset, str(players), f"{gain.deals:,}", f"{gain.mean:+.4f}", f"± {gain.half_width:.4f}"))
    command = f"uv run python -m bench.closed_gain {' '.join(args.preset)} --deals {args.deals} --seed {args.seed}"
    write("Closed strategies, measured again", command, rows)


if __name__ == "__main__":
    main()
