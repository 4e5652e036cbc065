"""What a best response gains against the closed strategy. MEASURES 2; issue 4, shown by 5.

uv run python -m bench.closed_gain [PRESET ...] [--players 2 4] [--deals 100000] [--seed 7]

Duplicate deals: every deal is played twice with the same cards, once with the strategy in all seats and once with its
best response in one of them; the difference is the gain. The response knows the strategy: it answers a pool of fresh
hands as the strategy plays them, four times as many as the strategy's own field. Announcements go round in turn.
Without presets: all that have a field of their own, with the numbers of players these were made for.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from bench.report import write
from triptych import _kernel
from triptych.rules.compile import compile_rules
from triptych.rules.load import preset_names, resolve
from triptych.rules.model import is_closed
from triptych.solve.closed.field import field_for, seats_that_matter
from triptych.train.closed import DECK_HANDS, deal, packed, play

if TYPE_CHECKING:
    from triptych.rules.model import Ruleset

DEALS = 100_000
POOL = 4  # times the hands of the field
CHUNK = 500  # decks
PRESETS = tuple(name for name in preset_names() if is_closed(resolve(name)))


class Gain(Struct, frozen=True):
    """Points a deal that a best response wins above the strategy: mean and half of the 95 % interval."""

    mean: float
    half: float
    deals: int


def measure(rules: Ruleset, field: _kernel.ClosedField, hands: int, players: int, *, deals: int, seed: int) -> Gain:
    """Return what a best response gains against a field of so many hands, on at least so many duplicate deals."""
    per_deal = players * (2 if rules.deal.game == "criss_cross" else 1)
    random = np.random.default_rng(seed)
    pool = play(field, deal(random, POOL * hands // DECK_HANDS), per_deal - per_deal // players)
    rival = _kernel.ClosedField(compile_rules(rules), packed(pool.kinds, pool.cards))
    groups = DECK_HANDS // per_deal
    found: list[float] = []  # by deck: deals of one deck are not independent
    while len(found) * groups < deals:
        cards = deal(random, CHUNK).reshape(CHUNK, DECK_HANDS, 13)[:, : groups * per_deal]
        gains = field.gains(rival, np.ascontiguousarray(cards.reshape(-1, 13)), players, per_deal)
        found += gains.reshape(CHUNK, groups).mean(axis=1).tolist()
        gain = _gain(found, groups)
        print(f"\r{gain.deals:,} deals: {gain.mean:+.4f} ± {gain.half:.4f}", end="", flush=True)
    print()
    return _gain(found, groups)


def _gain(found: list[float], groups: int) -> Gain:
    return Gain(float(np.mean(found)), float(1.96 * np.std(found, ddof=1) / len(found) ** 0.5), len(found) * groups)


def main() -> None:
    """Measure and write the section."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", nargs="*", default=PRESETS)
    parser.add_argument("--players", type=int, nargs="*", default=[])
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    rows = [("preset", "players", "duplicate deals", "gain, points a deal", "95 % interval")]
    for preset in asked.preset:
        rules = resolve(preset)
        for players in asked.players or [opponents + 1 for opponents in seats_that_matter(rules)]:
            print(f"{preset}, {players} players")
            field = field_for(rules, players - 1)
            gain = measure(rules, field.kernel, field.size, players, deals=asked.deals, seed=asked.seed)
            rows.append((preset, str(players), f"{gain.deals:,}", f"{gain.mean:+.4f}", f"± {gain.half:.4f}"))
    command = f"uv run python -m bench.closed_gain {' '.join(asked.preset)} --deals {asked.deals} --seed {asked.seed}"
    write("Closed strategies, measured anew", command, rows)


if __name__ == "__main__":
    main()
