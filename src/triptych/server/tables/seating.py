"""The first players of a new table: who opens it and the bots that they want, seated before anybody else comes."""

from __future__ import annotations

from typing import NamedTuple

from triptych.rulesets.model import Ruleset, bankroll_mode
from triptych.server.content.bot_levels import verify_level
from triptych.server.tables.actor import TableActor
from triptych.server.wire.errors import ApiError
from triptych.table.commands import Command, SeatBot, Sit


class FirstPlayers(NamedTuple):
    """Whether the opener sits down, the levels of the bots beside them, and the points that each brings."""

    sits: bool
    bots: tuple[str, ...]
    points: int


async def verify_first_players(
    sits: bool,  # noqa: FBT001 - the fields of FirstPlayers in their order
    bots: tuple[str, ...],
    buy_in: int | None,
    rules: Ruleset,
    *,
    bots_allowed: bool,
) -> FirstPlayers:
    """Return who sits down first, with their buy-in. Raises ApiError for what the table would refuse."""
    if bots and not bots_allowed:
        raise ApiError("bots.not_allowed", "Bots aren’t allowed at this table.", "$.bots")
    for level in dict.fromkeys(bots):
        await verify_level(level, "$.bots")
    wanted = sits + len(bots)
    if wanted > rules.seats.max:
        raise ApiError("table.seats", f"These rules have {rules.seats.max} seats, not {wanted}.", "$.bots")
    if bankroll_mode(rules) != "stacks":
        if buy_in:
            raise ApiError("points.buy_in", "This table has no buy-in.", "$.buy_in")
        return FirstPlayers(sits, bots, 0)
    low, high = rules.seats.buy_in_min, rules.seats.buy_in_max
    points = high if buy_in is None else buy_in
    if not low <= points <= high:
        raise ApiError("points.buy_in", f"Your buy-in must be {low} to {high} points, not {points}.", "$.buy_in")
    return FirstPlayers(sits, bots, points)


async def seat_first_players(table: TableActor, opener: str, name: str, first: FirstPlayers) -> None:
    """Seat the opener and their bots at a new table; once no seat is free, the first deal begins. Raises ApiError."""
    if first.sits:
        await table.execute(Command(opener, Sit(0, first.points, ready=True), name=name))
    for seat, level in enumerate(first.bots, start=int(first.sits)):
        await table.execute(Command(opener, SeatBot(seat, level, first.points)))
