"""Where the bands of a review begin: what the levels lose at most in 49 of 50 placements of the fixed positions.

client/src/features/review/model/grades.svelte.ts has the figures:
up to what `strong` loses so seldom a placement is good, up to
`medium` an inaccuracy, up to `fast` a mistake, and from there on a blunder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.decisions.regret import choices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.decisions.referee import Verdict

LEVELS = ("strong", "medium", "fast")
SHARES = (0.9, 0.95, 0.98, 0.99)


def rows_of(verdicts: Sequence[Verdict]) -> list[tuple[str, ...]]:
    """Return the table: of each level the points that it stays within in so many of its placements."""
    rows: list[tuple[str, ...]] = [("level", "placements", "lost nothing", *(f"{share:.0%}" for share in SHARES))]
    for name in LEVELS:
        lost = np.array([choice.lost for choice in choices(name, verdicts)])
        quantiles = (f"{quantile:.2f}" for quantile in np.quantile(lost, SHARES))
        rows.append((name, str(len(lost)), f"{np.mean(lost <= 0):.0%}", *quantiles))
    return rows
