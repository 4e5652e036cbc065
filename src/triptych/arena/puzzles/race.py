"""Decide whether a placement is the best for certain, with few rollouts: racing (Maron and Moore 1994).

All placements get the same cards. One that is far enough behind for certain is not sampled any more; the race ends
as soon as a placement is unlikely to get there.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np

from triptych import _kernel
from triptych.solve.analysis.gaps import PairedLoss, paired_loss

MIN_Z: Final = 3
"""Standard errors by which a margin must exceed the required one."""

_ROLLOUTS_AT_CHECKS: Final = (250, 500, 1_000, 2_000, 4_000, 8_000)  # rollouts of each placement at the checks
_MIN_ROLLOUTS: Final = 2_000  # before a placement can be behind for certain: an error needs samples too


def certain_margin(search: _kernel.Analysis, width: int, minimum: float, seed: int) -> PairedLoss | None:
    """Return the margin of the first placement over the nearest of `width`; None unless it is surely `minimum`.

    `seed` must not be that of the samples that chose the first: they are biased in its favour.
    """
    table = search.table()
    if search.exact():
        exact = PairedLoss(table[0].value - max(row.value for row in table[1:]), 0.0)
        return exact if exact.points >= minimum else None
    candidates = np.arange(1, min(len(table), width))
    totals, squares = np.zeros(len(table)), np.zeros(len(table))
    behind: list[PairedLoss] = []
    done = 0
    for rollouts in _ROLLOUTS_AT_CHECKS:
        points = search.sample_points([0, *candidates.tolist()], rollouts - done, seed, done).astype(float)
        done = rollouts
        differences = points[:, :1] - points[:, 1:]
        totals[candidates] += differences.sum(axis=0)
        squares[candidates] += (differences * differences).sum(axis=0)
        losses = {int(other): paired_loss(done, float(totals[other]), float(squares[other])) for other in candidates}
        # The ratio of the error at the last check to that now: a placement that is unlikely to be behind for certain
        # even then ends the race.
        error_ratio = sqrt(done / _ROLLOUTS_AT_CHECKS[-1])
        if any(gap.points + gap.error < minimum + MIN_Z * gap.error * error_ratio for gap in losses.values()):
            return None
        clearly_behind = {
            other: gap
            for other, gap in losses.items()
            if done >= _MIN_ROLLOUTS and gap.points - MIN_Z * gap.error >= minimum
        }
        behind += clearly_behind.values()
        candidates = np.array([other for other in losses if other not in clearly_behind], dtype=int)
        if len(candidates) == 0:
            return min(behind, key=lambda gap: gap.points)
    return None
