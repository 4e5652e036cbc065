"""Makes the fields of closed games that come with the package. issue 4, part 3.

uv run python -m bench.closed_fields [PRESET ...] [--seed N]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from triptych.bots.closed_train import DECKS, ROUNDS, train
from triptych.rules.compile import flat
from triptych.rules.load import preset_names, resolve
from triptych.rules.model import is_closed
from triptych.solve.closed_field import SUFFIX, FieldHead, pack, seats_that_matter

FOLDER = Path(__file__).parents[1] / "src/triptych/solve/closed_fields"
PRESETS = tuple(name for name in preset_names() if is_closed(resolve(name)))


def main() -> None:
    """Train and write every field asked for; Ctrl-C keeps the files that are finished."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", nargs="*", default=PRESETS)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for preset in asked.preset:
        for opponents in seats_that_matter(resolve(preset)):
            make(preset, opponents, asked.seed)


def make(preset: str, opponents: int, seed: int) -> None:
    """Train one field and write its file."""
    rules = resolve(preset)
    hands = b""
    for number, (kinds, cards, mean) in enumerate(train(rules, opponents, seed), 1):
        print(f"\r{preset} against {opponents}: round {number}/{ROUNDS}, fresh deals {mean:+.3f} points", end="")
        hands = np.column_stack((kinds, cards)).astype(np.uint8).tobytes()
    head = FieldHead(
        name=preset,
        rules=tuple(flat(rules)),
        opponents=opponents,
        seed=seed,
        decks=DECKS,
        rounds=ROUNDS,
        command=f"uv run python -m bench.closed_fields {preset} --seed {seed}",
    )
    file = FOLDER / f"{preset}-{opponents}{SUFFIX}"
    file.write_bytes(pack(head, hands))
    print(f"\n{file.name}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
