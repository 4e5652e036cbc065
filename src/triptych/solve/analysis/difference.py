"""The parts of the difference between two placements, in points. Client: src/features/analyse/model/difference.ts.

Royalties, fantasyland and fouls are split by side: the hand's own and its opponents'. A row that one side wins is
lost by the other, so rows are not split.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from triptych.solve.analysis.analyse import PlacementValue

_MAX_PARTS: Final = 3
# A part is named if it has at least so many points, and at least this share of the largest part.
_MIN_POINTS: Final = 0.005
_MIN_SHARE: Final = 0.15
_SPLIT: Final = ("royalties", "fantasyland", "fouls")


class Difference(Struct, frozen=True):
    """One part of a difference: `points` of the other placement less those of the best, as the hand receives them.

    `side`: whose royalties, fantasyland or fouls they are from, the hand's `own` or its `opponents`; `both` for rows.

    >>> Difference("royalties", "own", -6.1).text
    'own royalties -6.10'
    """

    part: str
    side: Literal["own", "opponents", "both"]
    points: float

    @property
    def text(self) -> str:
        """The part in words: `own royalties -6.10`, `opponents' fouls +0.40`, `rows -1.20`."""
        prefix = {"own": "own ", "opponents": "opponents' ", "both": ""}[self.side]
        return f"{prefix}{self.part} {self.points:+.2f}"


def largest_differences(best: PlacementValue, other: PlacementValue) -> tuple[Difference, ...]:
    """Return the largest parts of the difference between two placements, at most three, the largest first."""
    parts = [Difference("rows", "both", other.rows - best.rows)]
    for part in _SPLIT:
        own = getattr(other.own, part) - getattr(best.own, part)
        opponents = getattr(other.opponents, part) - getattr(best.opponents, part)
        parts += [Difference(part, "own", own), Difference(part, "opponents", -opponents)]
    parts.sort(key=lambda part: -abs(part.points))
    smallest = max(_MIN_POINTS, _MIN_SHARE * abs(parts[0].points))
    return tuple(part for part in parts[:_MAX_PARTS] if abs(part.points) >= smallest)
