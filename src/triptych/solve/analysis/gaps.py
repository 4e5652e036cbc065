"""By how many points placements are behind one of them, from samples that all of them share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Final

from msgspec import Struct

from triptych import _kernel

SLICE: Final = 2_000
"""Rollouts between two answers."""


class PairedLoss(Struct, frozen=True):
    """How far a placement is behind, and the standard error of that."""

    points: float
    error: float


def paired_losses(search: _kernel.Analysis, chosen: Sequence[int], seed: int) -> Iterator[tuple[PairedLoss, ...]]:
    """Yield better and better how far each placement of a search is behind the first that is chosen.

    All get the same cards, those of the seed; the search must not be exact. It never ends by itself.
    """
    others = range(1, len(chosen))
    done, totals, squares = 0, [0.0] * len(chosen), [0.0] * len(chosen)
    while True:
        points = search.sample_points(chosen, SLICE, seed, done)
        done += SLICE
        for other in others:
            behind = points[:, 0].astype(float) - points[:, other]
            totals[other] += float(behind.sum())
            squares[other] += float((behind * behind).sum())
        yield tuple(paired_loss(done, totals[other], squares[other]) for other in others)


def paired_loss(done: int, total: float, squares: float) -> PairedLoss:
    """Return what so many differences, their sum and the sum of their squares tell."""
    mean = total / done
    return PairedLoss(mean, sqrt(max(0.0, squares / done - mean**2) / (done - 1)))
