"""The prize that the others pay to the winner of a match. Rule: Rules §6 (match.prize); source 004 L150."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct

from triptych.rulesets.model import Ruleset

Player = TypeVar("Player", int, str)


class MatchTarget(Struct, frozen=True):
    """The points that win a match, and its prize as in `match.prize`; 0 points: the match is not a race."""

    points: int = 0
    prize: int | str = 0

    @classmethod
    def from_rules(cls, rules: Ruleset) -> MatchTarget:
        """Return the target of a match under some rules."""
        kind, _, number = rules.match.kind.partition(":")
        return cls(int(number), rules.match.prize) if kind == "points" else cls()

    def is_reached(self, points: Mapping[Player, int]) -> bool:
        """Return whether a player has the points that win the match."""
        return bool(self.points) and max(points.values(), default=0) >= self.points


def prizes(target: MatchTarget, points: Mapping[Player, int]) -> tuple[tuple[Player, Player, int], ...]:
    """Return the prizes of a won match as (loser, winner, points before stakes); empty before it is won.

    Each loser pays `match.prize`, or under `short` the points that they lack to the target. Winners with equal
    points share what each loser pays, rounded down.
    """
    if not target.prize or not target.is_reached(points):
        return ()
    highest = max(points.values())
    winners = [player for player, total in points.items() if total == highest]
    due = {
        player: max(0, target.points - total) if target.prize == "short" else int(target.prize)
        for player, total in points.items()
        if total != highest
    }
    return tuple((loser, winner, amount // len(winners)) for loser, amount in due.items() for winner in winners)
