"""Small words: numbers with their nouns, lists, and points by rank."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from triptych.cards import RANKS


def count_text(count: int, noun: str) -> str:
    """Return `1 point`, `2 points`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def join_with_and(parts: Sequence[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`; empty for nothing."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def points_by_rank(points: Sequence[int], count: int) -> list[str]:
    """Return points by rank 2..A of `count` equal cards as `66 to AA 1 to 9`, runs of even steps together."""
    paid = [(rank, value) for rank, value in enumerate(points) if value]
    runs: list[list[tuple[int, int]]] = []
    for entry in paid:
        if runs and _continues_run(runs[-1], entry):
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return [_run(run, count) for run in runs]


def _continues_run(run: list[tuple[int, int]], entry: tuple[int, int]) -> bool:
    *_, last = run
    steps = {later[1] - earlier[1] for earlier, later in pairwise([*run, entry])}
    return entry[0] == last[0] + 1 and len(steps) == 1 and steps <= {0, 1}


def _run(run: list[tuple[int, int]], count: int) -> str:
    (first, low), (last, high) = run[0], run[-1]
    names = RANKS[first] * count if first == last else f"{RANKS[first] * count} to {RANKS[last] * count}"
    return f"{names} {low}" if low == high else f"{names} {low} to {high}"
