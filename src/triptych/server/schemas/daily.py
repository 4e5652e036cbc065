"""The bodies of the daily deal's rankings."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

# More than anybody can win in a deal and its fantasylands against one opponent.
MAX_POINTS: Final = 1_000


class ShareDailyResult(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's points in the deal of a day, computed on their device."""

    points: Annotated[int, Meta(ge=-MAX_POINTS, le=MAX_POINTS)]


class DailyLine(Struct, frozen=True):
    """A player's line in a ranking.

    `days`: how many deals it counts; `mine`: that player sent the request.
    """

    place: int
    name: str
    points: int
    days: int
    mine: bool


class DailyRanking(Struct, frozen=True):
    """The best players and the player who sent the request, the best first; equal points share a place.

    `players`: how many there are in all. `place`: of the player who sent the request, None if they have not shared.
    """

    lines: tuple[DailyLine, ...]
    players: int
    place: int | None


class DailyRankings(Struct, frozen=True):
    """Rankings of a day and of its week, from Monday on.

    `streak`: how many days in a row, up to this day, the player has shared; `longest`: their longest streak.
    """

    day: DailyRanking
    week: DailyRanking
    streak: int
    longest: int
