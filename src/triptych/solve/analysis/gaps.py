"""The losses of placements against one of them, from common samples (common random numbers)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Final

from msgspec import Struct

from triptych import _kernel

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
