"""Trains the strategies of closed games that come with the package, and measures each. issue 4, part 3.

uv run python -m bench.closed_strategies [PRESET ...] [--seed N] [--deals N]

A strategy's header keeps what a best response gains against it (bench.closed_gain), the first thing to ask of it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from msgspec import structs

from bench.closed_gain import PRESETS, measured
from triptych.rulesets.load import resolve
from triptych.solve.closed.strategy import (
    SUFFIX,
    ClosedStrategy,
    StrategyHeader,
    kernel_fields,
    pack,
    relevant_opponent_counts,
)
from triptych.solve.closed.training import DEALS, DECKS, ROUNDS, measure, train

FOLDER = Path(__file__).parents[1] / "src/triptych/solve/closed/strategies"
MEASURED_WITH = 1000  # added to the seed: the deals that measure are not those that trained


def main() -> None:
    """Train and write every strategy asked for; Ctrl-C keeps the files that are finished."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", nargs="*", default=PRESETS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=DEALS)
    args = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for preset in args.preset:
        for opponents in relevant_opponent_counts(resolve(preset)):
            make(preset, opponents, args.seed, args.deals)


def make(preset: str, opponents: int, seed: int, deals: int) -> None:
    """Train one strategy, measure it and write its file."""
    rules = resolve(preset)
    hands = b""
    fewer = "" if deals == DEALS else f" --deals {deals}"
    for number, (kinds, cards, mean) in enumerate(train(rules, opponents, seed), 1):
        print(f"\r{preset} against {opponents}: round {number}/{ROUNDS}, fresh deals {mean:+.3f} points", end="")
        hands = np.column_stack((kinds, cards)).astype(np.uint8).tobytes()
    head = StrategyHeader(
        name=preset,
        rules=kernel_fields(rules),
        opponents=opponents,
        seed=seed,
        decks=DECKS,
        rounds=ROUNDS,
        command=f"uv run python -m bench.closed_strategies {preset} --seed {seed}{fewer}",
    )
    print()
    strategy = ClosedStrategy(rules, head, hands)
    gain = measured(
        measure(rules, strategy.kernel, strategy.size, opponents + 1, deals=deals, seed=seed + MEASURED_WITH)
    )
    head = structs.replace(head, gain=gain.mean, interval=gain.half_width, deals=gain.deals)
    file = FOLDER / f"{preset}-{opponents}{SUFFIX}"
    file.write_bytes(pack(head, hands))
    print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
