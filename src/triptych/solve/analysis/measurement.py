"""The final measurement of a decision's placements: all of them a little, then the best ones to the end.

Every placement gets the same cards, rollout by rollout, so that what is between two of them is known better than what
either is worth. Client: src/engine/decision.ts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf, sqrt
from typing import Final

from triptych import _kernel
from triptych.solve.analysis.gaps import PairedLoss

SIGNIFICANT_Z: Final = 2.0
"""Standard errors beyond which two placements are told apart."""

EXACT_TOLERANCE: Final = 1e-6
"""Points that are no difference between exact values."""

_FIRST_BATCHES: Final = 4  # batches of the first, short measurement
_BATCH: Final = 200  # rollouts, later
_CANDIDATE_Z: Final = 1.5  # standard errors above the best, then a placement is measured to the end as well


class Measurement:
    """Which placements are measured to the end, by their places in the search's table, and what is between them."""

    def __init__(self, search: _kernel.Analysis, measured: Sequence[int], seed: int, wide: int) -> None:
        """Measure all placements by `wide` rollouts; `measured`: those that go on."""
        self.measured = list(dict.fromkeys(measured))
        self._search = search
        self._seed = seed
        self._sizes: list[int] = []  # of the batches so far
        self._points: dict[int, list[float]] = {}  # of a placement, by batch
        self._wide = wide
        self._extend(range(len(search.table())), wide, max(1, -(-wide // _FIRST_BATCHES)))
        self._add_candidates()

    @property
    def error(self) -> float:
        """The largest standard error of those that are measured to the end."""
        table = self._search.table()
        return max(table[at].error for at in self.measured)

    @property
    def loss_error(self) -> float:
        """The largest standard error of a loss against the best, over the placements within the error of it."""
        table = self._search.table()
        best = max(self.measured, key=lambda at: table[at].value)
        losses = [self.paired_loss(best, at) for at in self.measured if at != best]
        return max((one.error for one in losses if one.points <= SIGNIFICANT_Z * one.error), default=0.0)

    def extend(self, rollouts: int) -> None:
        """Measure the best ones longer."""
        self._extend(self.measured, rollouts, _BATCH)
        self._add_candidates()

    def paired_loss(self, best: int, other: int) -> PairedLoss:
        """Return how far a placement is behind another one, from the batches that both were measured in."""
        both = list(zip(self._sizes, self._points[best], self._points[other], strict=False))
        done = sum(size for size, _, _ in both)
        mean = sum(one - two for _, one, two in both) / done
        if len(both) < 2:
            return PairedLoss(mean, inf)
        squares = sum(size * ((one - two) / size - mean) ** 2 for size, one, two in both)
        return PairedLoss(mean, sqrt(squares / (len(both) - 1) / done))

    def _extend(self, places: Sequence[int], rollouts: int, batch: int) -> None:
        for start in range(0, rollouts, batch):
            size = min(batch, rollouts - start)
            self._measure(places, size, sum(self._sizes))
            self._sizes.append(size)

    def _measure(self, places: Sequence[int], size: int, first: int) -> None:
        before = self._search.table()
        self._search.measure(0, size, self._seed, first, list(places))
        after = self._search.table()
        for at in places:
            gained = after[at].value * after[at].rollouts - before[at].value * before[at].rollouts
            self._points.setdefault(at, []).append(gained)

    def _add_candidates(self) -> None:
        """Measure to the end what the short measurement puts clearly before the best of those that are."""
        while True:
            table = self._search.table()
            best = table[max(self.measured, key=lambda at: table[at].value)]
            more = [
                at
                for at, row in enumerate(table)
                if at not in self.measured and row.value - best.value > _CANDIDATE_Z * hypot(row.error, best.error)
            ]
            if not more:
                return
            first = self._wide
            for size in self._sizes[len(self._points[more[0]]) :]:
                self._measure(more, size, first)
                first += size
            self.measured += more
