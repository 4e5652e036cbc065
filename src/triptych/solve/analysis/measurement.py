"""The final measurement of a decision's placements: all of them a little, then the best ones to the end.

Every placement gets the same cards, rollout by rollout, so the difference of two values is known better than either
value. Client: src/engine/decision.ts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot, inf, sqrt
from typing import Final

from msgspec import Struct

from triptych import _kernel

SIGNIFICANT_Z: Final = 2.0
"""Standard errors from which a difference of two placements is significant."""

EXACT_TOLERANCE: Final = 1e-6
"""Differences of exact values up to so many points count as 0."""

_FIRST_BATCHES: Final = 4  # batches of the first, short measurement
_BATCH: Final = 200  # rollouts, later
_CANDIDATE_Z: Final = 1.5  # standard errors above the best; then a placement is measured to the end too


SLICE: Final = 2_000
"""Rollouts between two estimates."""


class PairedLoss(Struct, frozen=True):
    """The loss of a placement against another, and its standard error."""

    points: float
    error: float


def paired_losses(search: _kernel.Analysis, indices: Sequence[int], seed: int) -> Iterator[tuple[PairedLoss, ...]]:
    """Yield ever better estimates of the losses of the other placements against the first of `indices`.

    All get the same cards, those of the seed; the search must not be exact. The iterator never ends.
    """
    others = range(1, len(indices))
    done, totals, squares = 0, [0.0] * len(indices), [0.0] * len(indices)
    while True:
        points = search.sample_points(indices, SLICE, seed, done)
        done += SLICE
        for other in others:
            losses = points[:, 0].astype(float) - points[:, other]
            totals[other] += float(losses.sum())
            squares[other] += float((losses * losses).sum())
        yield tuple(paired_loss(done, totals[other], squares[other]) for other in others)


def paired_loss(done: int, total: float, squares: float) -> PairedLoss:
    """Return the mean of `done` differences and its error, from their sum and the sum of their squares."""
    mean = total / done
    return PairedLoss(mean, sqrt(max(0.0, squares / done - mean**2) / (done - 1)))


class Measurement:
    """The placements that are measured to the end, by their indices in the search's table, and their differences."""

    def __init__(self, search: _kernel.Analysis, measured: Sequence[int], seed: int, width: int) -> None:
        """Measure all placements by `width` rollouts; `measured`: those that are measured to the end."""
        self.measured = list(dict.fromkeys(measured))
        self._search = search
        self._seed = seed
        self._sizes: list[int] = []  # of the batches so far
        self._points: dict[int, list[float]] = {}  # of a placement, by batch
        self._width = width
        self._extend(range(len(search.table())), width, max(1, -(-width // _FIRST_BATCHES)))
        self._add_candidates()

    @property
    def error(self) -> float:
        """The largest standard error of the placements that are measured to the end."""
        table = self._search.table()
        return max(table[index].error for index in self.measured)

    @property
    def loss_error(self) -> float:
        """The largest standard error of a loss against the best, over the placements within the error of it."""
        table = self._search.table()
        best = max(self.measured, key=lambda index: table[index].value)
        losses = [self.paired_loss(best, index) for index in self.measured if index != best]
        return max((loss.error for loss in losses if loss.points <= SIGNIFICANT_Z * loss.error), default=0.0)

    def extend(self, rollouts: int) -> None:
        """Measure the best placements longer."""
        self._extend(self.measured, rollouts, _BATCH)
        self._add_candidates()

    def paired_loss(self, best: int, other: int) -> PairedLoss:
        """Return how far a placement is behind another, from the batches that measured both."""
        batches = list(zip(self._sizes, self._points[best], self._points[other], strict=False))
        done = sum(size for size, _, _ in batches)
        mean = sum(best_points - other_points for _, best_points, other_points in batches) / done
        if len(batches) < 2:
            return PairedLoss(mean, inf)
        squares = sum(
            size * ((best_points - other_points) / size - mean) ** 2 for size, best_points, other_points in batches
        )
        return PairedLoss(mean, sqrt(squares / (len(batches) - 1) / done))

    def _extend(self, indices: Sequence[int], rollouts: int, batch: int) -> None:
        for start in range(0, rollouts, batch):
            size = min(batch, rollouts - start)
            self._measure(indices, size, sum(self._sizes))
            self._sizes.append(size)

    def _measure(self, indices: Sequence[int], size: int, first: int) -> None:
        before = self._search.table()
        self._search.measure(0, size, self._seed, first, list(indices))
        after = self._search.table()
        for index in indices:
            points = after[index].value * after[index].rollouts - before[index].value * before[index].rollouts
            self._points.setdefault(index, []).append(points)

    def _add_candidates(self) -> None:
        """Add the placements that the short measurement puts clearly before the best of those in `measured`."""
        while True:
            table = self._search.table()
            best = table[max(self.measured, key=lambda index: table[index].value)]
            candidates = [
                index
                for index, row in enumerate(table)
                if index not in self.measured and row.value - best.value > _CANDIDATE_Z * hypot(row.error, best.error)
            ]
            if not candidates:
                return
            first = self._width
            for size in self._sizes[len(self._points[candidates[0]]) :]:
                self._measure(candidates, size, first)
                first += size
            self.measured += candidates
