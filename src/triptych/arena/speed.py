"""Times of very many moves in little memory: counts by size class, each class two per cent wide."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log
from typing import Final

from msgspec import Struct

_STEPS: Final = 50  # classes for each factor of e


class Speed(Struct, frozen=True):
    """Microseconds a move: mean, median and 99th percentile, the last two within one per cent."""

    moves: int
    mean: float
    p50: float
    p99: float


class LatencyHistogram:
    """Collects times in nanoseconds."""

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        self.total = 0

    def add(self, nanoseconds: int) -> None:
        """Record one move."""
        self.total += nanoseconds
        size = int(log(nanoseconds) * _STEPS) if nanoseconds > 0 else 0
        self.counts[size] = self.counts.get(size, 0) + 1

    def merge(self, counts: Mapping[int, int], total: int) -> None:
        """Add the times of another process."""
        self.total += total
        for size, count in counts.items():
            self.counts[size] = self.counts.get(size, 0) + count

    def speed(self) -> Speed:
        """Return the figures so far; zeros before the first move."""
        moves = sum(self.counts.values())
        mean = self.total / moves / 1000 if moves else 0.0
        return Speed(moves, mean, self._quantile(moves, 0.5), self._quantile(moves, 0.99))

    def _quantile(self, moves: int, share: float) -> float:
        passed = 0
        for size in sorted(self.counts):
            passed += self.counts[size]
            if passed >= share * moves:
                return exp((size + 0.5) / _STEPS) / 1000
        return 0.0
