"""Ranks of rows by counting, the slow and obvious way. Shares nothing with the kernel.

Cards are ints as in triptych.cards. A row's strength is `(category, ranks)` with ranks 2..14, groups first.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache

import numpy as np

HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, FIVE = range(10)
Strength = tuple[int, tuple[float, ...]]
SHAPES = {
    (5,): FIVE,
    (4, 1): QUADS,
    (3, 2): FULL_HOUSE,
    (3, 1, 1): TRIPS,
    (2, 2, 1): TWO_PAIR,
    (2, 1, 1, 1): PAIR,
    (1, 1, 1, 1, 1): HIGH,
    (3,): TRIPS,
    (2, 1): PAIR,
    (1, 1, 1): HIGH,
}


def rank(card: int) -> int:
    """Return 2..14."""
    return card // 4 + 2


def suit(card: int) -> int:
    return card % 4


@lru_cache(maxsize=10_000)
def strength(row: tuple[int, ...], wheel: str = "lowest") -> Strength:
    """Return the strength of a row of three or five cards; cards may repeat, as jokers can make them."""
    suits = {card % 4 for card in row}
    return _strength(tuple(sorted([card // 4 + 2 for card in row])), len(suits) == 1, wheel)


@cache  # there are few: 6,630 of ranks, one suit or not, two wheels
def _strength(row: tuple[int, ...], flush: bool, wheel: str) -> Strength:  # noqa: FBT001 - never called by its name
    groups = sorted(((count, value) for value, count in Counter(row).items()), reverse=True)
    category = SHAPES[tuple(count for count, _ in groups)]
    ranks: tuple[float, ...] = tuple(value for _, value in groups)
    if len(row) == 3:
        return category, ranks
    height = straight_height(ranks, wheel) if len(ranks) == 5 else None
    if flush and height:
        return STRAIGHT_FLUSH, (height,)
    if flush and category < FLUSH:
        return FLUSH, row[::-1]
    if height:
        return STRAIGHT, (height,)
    return category, ranks


def straight_height(ranks: tuple[float, ...], wheel: str) -> float | None:
    """Return the top of a straight of different ranks; A2345 is 5, or 13.5 where it ranks second."""
    heights = sorted(ranks)
    if len(set(heights)) != len(heights):
        return None
    if heights == list(range(int(heights[0]), int(heights[0]) + len(heights))):
        return heights[-1]
    if heights == [*range(2, len(heights) + 1), 14]:
        return len(heights) if wheel == "lowest" else 13.5
    return None


def exceeds(upper: Strength, lower: Strength) -> bool:
    """Return whether a front outranks a five-card row: category, then the front's own slots; equal: it does not."""
    if upper[0] != lower[0]:
        return upper[0] > lower[0]
    for mine, theirs in zip(upper[1], lower[1], strict=False):
        if mine != theirs:
            return mine > theirs
    return False


def low_weakness(row: tuple[int, ...]) -> Strength:
    """Return a five-card row as a deuce-to-seven hand: the lower strength is the better low; aces are high only."""
    category, ranks = strength(row)
    if category in (STRAIGHT, STRAIGHT_FLUSH) and ranks[0] == 5:
        return (FLUSH if category == STRAIGHT_FLUSH else HIGH), (14, 5, 4, 3, 2)
    return category, ranks


def is_ten_low(row: tuple[int, ...]) -> bool:
    category, ranks = low_weakness(row)
    return category == HIGH and ranks[0] <= 10


def all_strengths(rows: np.ndarray) -> np.ndarray:
    """Return one comparable integer a five-card row (n, 5), by sorting counts; A2345 the lowest straight."""
    ranks = np.sort(rows.astype(np.int64) // 4 + 2, axis=1)[:, ::-1]
    flush = (rows % 4 == rows[:, :1] % 4).all(axis=1)
    counts = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    order = np.argsort(-(counts * 100 + ranks), axis=1, kind="stable")
    grouped = np.take_along_axis(ranks, order, axis=1)
    same = counts.sum(axis=1)  # sum of squares of the group sizes
    category = np.select([same == 17, same == 13, same == 11, same == 9, same == 7], [7, 6, 3, 2, 1], 0)
    different = same == 5
    wheel = different & (ranks == np.array([14, 5, 4, 3, 2])).all(axis=1)
    straight = (different & (ranks[:, 0] - ranks[:, 4] == 4)) | wheel
    category = np.where(straight, 4, category)
    category = np.where(flush & (category < 5), np.where(straight, 8, 5), category)
    top = np.where(wheel, 5, ranks[:, 0])
    tie = (grouped * np.array([15**4, 15**3, 15**2, 15, 1])).sum(axis=1)
    return category * 15**5 + np.where(straight, top, tie)
