"""Bodies of the daily deal's ranking."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

# More than a deal and its fantasylands can bring against one opponent.
MAX_POINTS: Final = 1_000


class ShareDailyResult(Struct, frozen=True, forbid_unknown_fields=True):
    """The points that a player has made in the deal of a day, as their device counted them."""

    points: Annotated[int, Meta(ge=-MAX_POINTS, le=MAX_POINTS)]


class DailyLine(Struct, frozen=True):
    """A player's line in a ranking; `days`: how many deals it counts; `mine`: that player sent the request."""

    place: int
    name: str
    points: int
    days: int
    mine: bool


class DailyRanking(Struct, frozen=True):
    """The best players and the player who sent the request, the best first; equal points share a place.

    `players`: how many there are in all. `place`: that player's; None when they have not shared.
    """

    lines: tuple[DailyLine, ...]
    players: int
    place: int | None


class DailyRankings(Struct, frozen=True):
    """Rankings of a day and of its week, from Monday on.

    `streak`: so many days in a row up to this one the player has shared; `longest`: the most so far.
    """

    day: DailyRanking
    week: DailyRanking
    streak: int
    longest: int
