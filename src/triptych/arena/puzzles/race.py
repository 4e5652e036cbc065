"""Whether a placement is surely the best, with as few rollouts as that takes: a race (Maron and Moore 1994).

All get the same cards. Whoever is surely behind by enough is not sampled any more, and the race ends with the first
one that will hardly be.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np

from triptych import _kernel
from triptych.solve.analysis.gaps import PairedLoss, paired_loss

MIN_Z: Final = 3
"""Standard errors by which a lead must be beyond what is asked."""

_ROLLOUTS_AT_CHECKS: Final = (250, 500, 1_000, 2_000, 4_000, 8_000)  # rollouts of each after which it is judged
_MIN_ROLLOUTS: Final = 2_000  # of these before anybody is surely behind: an error needs samples too


def certain_margin(search: _kernel.Analysis, width: int, least: float, seed: int) -> PairedLoss | None:
    """Return by how much the first placement is ahead of the nearest of `width`; None where it is not surely `least`.

    `seed` must not be that of the samples that chose the first: they flatter it.
    """
    table = search.table()
    if search.exact():
        exact = PairedLoss(table[0].value - max(row.value for row in table[1:]), 0.0)
        return exact if exact.points >= least else None
    left = np.arange(1, min(len(table), width))
    totals, squares = np.zeros(len(table)), np.zeros(len(table))
    behind: list[PairedLoss] = []
    done = 0
    for laps in _ROLLOUTS_AT_CHECKS:
        points = search.sample_points([0, *left.tolist()], laps - done, seed, done).astype(float)
        done = laps
        apart = points[:, :1] - points[:, 1:]
        totals[left] += apart.sum(axis=0)
        squares[left] += (apart * apart).sum(axis=0)
        now = {int(other): paired_loss(done, float(totals[other]), float(squares[other])) for other in left}
        # What the error will be after the last lap: who will hardly be surely behind even then ends the race.
        last = sqrt(done / _ROLLOUTS_AT_CHECKS[-1])
        if any(gap.points + gap.error < least + MIN_Z * gap.error * last for gap in now.values()):
            return None
        sure = {
            other: gap
            for other, gap in now.items()
            if done >= _MIN_ROLLOUTS and gap.points - MIN_Z * gap.error >= least
        }
        behind += sure.values()
        left = np.array([other for other in now if other not in sure], dtype=int)
        if len(left) == 0:
            return min(behind, key=lambda gap: gap.points)
    return None
