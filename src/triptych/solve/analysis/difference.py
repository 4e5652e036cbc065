"""What makes the difference between two placements, in points. Client: src/core/analyse/difference.ts.

Royalties, fantasyland and fouls are told by side: what the hand brings itself, and what its opponents bring. A row
that one side wins is lost by the other, so rows have no sides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from triptych.solve.analysis.analyse import PlacementValue

_MOST: Final = 3
_LEAST_POINTS: Final = 0.005  # a part that is smaller,
_LEAST_SHARE: Final = 0.15  # or smaller beside the largest one, is not named
_SIDED: Final = ("royalties", "fantasyland", "fouls")


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
        whose = {"own": "own ", "opponents": "opponents' ", "both": ""}[self.side]
        return f"{whose}{self.part} {self.points:+.2f}"


def largest_differences(best: PlacementValue, other: PlacementValue) -> tuple[Difference, ...]:
    """Return the largest parts of what is between two placements, the largest first."""
    found = [Difference("rows", "both", other.rows - best.rows)]
    for part in _SIDED:
        own = getattr(other.own, part) - getattr(best.own, part)
        opponents = getattr(other.opponents, part) - getattr(best.opponents, part)
        found += [Difference(part, "own", own), Difference(part, "opponents", -opponents)]
    found.sort(key=lambda one: -abs(one.points))
    least = max(_LEAST_POINTS, _LEAST_SHARE * abs(found[0].points))
    return tuple(one for one in found[:_MOST] if abs(one.points) >= least)
