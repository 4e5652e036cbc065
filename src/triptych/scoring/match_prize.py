"""What the winner of a match of several deals gets from the others. Rule: Rules §6 (match.prize); source 004 L150."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct

from triptych.rulesets.model import Ruleset

Player = TypeVar("Player", int, str)


class MatchTarget(Struct, frozen=True):
    """The points that win a match, and its prize as `match.prize` says it; 0 points: a match is no race."""

    points: int = 0
    prize: int | str = 0

    @classmethod
    def from_rules(cls, rules: Ruleset) -> MatchTarget:
        """Return the goal of a match under some rules."""
        kind, _, number = rules.match.kind.partition(":")
        return cls(int(number), rules.match.prize) if kind == "points" else cls()

    def is_reached(self, points: Mapping[Player, int]) -> bool:
        """Return whether somebody has the points that win the match."""
        return bool(self.points) and max(points.values(), default=0) >= self.points


def prizes(goal: MatchTarget, points: Mapping[Player, int]) -> tuple[tuple[Player, Player, int], ...]:
    """Return who pays whom how many points when a match is won, before stakes; none as long as nobody has won it.

    Each loser pays `match.prize`, or under `short` as many points as they are short of the goal. Winners with equal
    points share what each loser pays, without the rest.
    """
    if not goal.prize or not goal.is_reached(points):
        return ()
    best = max(points.values())
    winners = [player for player, own in points.items() if own == best]
    due = {
        player: max(0, goal.points - own) if goal.prize == "short" else int(goal.prize)
        for player, own in points.items()
        if own != best
    }
    return tuple((loser, winner, owed // len(winners)) for loser, owed in due.items() for winner in winners)
