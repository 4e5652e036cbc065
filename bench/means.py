"""Exact answers beside reference figures: mean most royalties, shares that can repeat. Issue 4, 3.

uv run python -m bench means
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from statistics import fmean, stdev

import numpy as np
from msgspec import Struct

from bench.report import write
from triptych import _kernel
from triptych.cards import deck
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve

COMMAND = "uv run python -m bench means"
NOTE = "Within three standard errors of both samples together: met"
DEALS = 20_000
EMPTY = (b"", b"", b"")
REPEATS = 1000.0  # more than any royalties: a setting that can repeat does
# High card, pair, two pair, trips, straight, flush, full house, quads, straight flush, royal flush.
CATEGORIES = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)


class Reference(Struct, frozen=True):
    """Reference figures: cards, preset, and mean and share with their standard errors; 0 where none is given."""

    cards: int
    preset: str
    jokers: int
    mean: float
    mean_error: float
    share: float
    share_error: float


REFERENCES = (
    Reference(13, "ofc_american", 0, 8.911, 0.031, 0.0826, 0.0018),
    Reference(14, "pineapple", 0, 12.354, 0.020, 0.1042, 0.0011),
    Reference(15, "pineapple", 0, 16.300, 0.052, 0.1959, 0.0032),
    Reference(16, "pineapple", 0, 20.303, 0.054, 0.3475, 0.0037),
    Reference(17, "pineapple", 0, 24.341, 0.078, 0.5420, 0.0054),
)
# Two jokers in the deck, any public source: unverified there, so they are shown and not judged.
JOKERS = tuple(
    Reference(cards, "pineapple_joker", 2, 0, 0, share, 0)
    for cards, share in ((14, 0.377), (15, 0.497), (16, 0.639), (17, 0.777))
)


def main() -> None:
    """Solve 20,000 deals a row and write the section."""
    table: list[tuple[str, ...]] = [
        ("cards", "rules", "mean most royalties", "reference", "share that can repeat", "reference", "")
    ]
    table += [_row(reference) for reference in (*REFERENCES, *JOKERS)]
    counts = _counts()
    table.append(
        (
            "5",
            "every row",
            " ".join(map(str, counts)),
            " ".join(map(str, CATEGORIES)),
            "",
            "",
            "met" if counts == CATEGORIES else "missed",
        )
    )
    write("Reference means", COMMAND, table, NOTE)


def _row(row: Reference) -> tuple[str, ...]:
    rules = compile_rules(resolve(row.preset))
    royalties = _kernel.Objective(rules, row.cards, 1, [0.0] * 18)
    repeats = _kernel.Objective(rules, row.cards, 1, [REPEATS] * 18)
    random = Random(1000 + row.cards)
    deals = [bytes(random.sample(deck(row.jokers), row.cards)) for _ in range(DEALS)]
    most = [_kernel.complete(royalties, EMPTY, deal).value for deal in deals]
    mean, error = fmean(most), stdev(most) / DEALS**0.5
    share = fmean(_kernel.complete(repeats, EMPTY, deal).value >= REPEATS for deal in deals)
    share_error = (share * (1 - share) / DEALS) ** 0.5
    verdict = ""
    if row.mean:
        off = abs(mean - row.mean) / (error**2 + row.mean_error**2) ** 0.5
        off_share = abs(share - row.share) / (share_error**2 + row.share_error**2) ** 0.5
        verdict = f"{'met' if max(off, off_share) < 3 else 'missed'}: {off:.1f} and {off_share:.1f} standard errors"
    return (
        str(row.cards),
        row.preset,
        f"{mean:.3f} ± {error:.3f}",
        f"{row.mean:.3f} ± {row.mean_error:.3f}" if row.mean else "–",
        f"{share:.2%} ± {share_error:.2%}",
        f"{row.share:.2%} ± {row.share_error:.2%}" if row.mean else f"{row.share:.1%}, unverified",
        verdict,
    )


def _counts() -> tuple[int, ...]:
    """Count the categories of all 2,598,960 rows; a royal flush is the straight flush up to the ace."""
    ranks = _kernel.rank5_batch(np.array(list(combinations(range(52), 5)), dtype=np.uint8))
    counts = np.bincount(ranks >> 20, minlength=9)
    royal = int((ranks == ranks.max()).sum())
    return (*map(int, counts[:8]), int(counts[8]) - royal, royal)


if __name__ == "__main__":
    main()
