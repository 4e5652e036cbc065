"""The first players of a new table: who opens it and the bots that they want, seated before anybody else comes."""

from __future__ import annotations

from typing import NamedTuple

from triptych.rulesets.model import Ruleset
from triptych.server.content.bot_levels import verify_level
from triptych.server.tables.actor import TableActor
from triptych.server.wire.errors import ApiError
from triptych.table.buy_in import usual_buy_in, verify_buy_in
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
    """Return who sits down first, with their buy-in. Raises ApiError or TableError for what it would refuse."""
    if bots and not bots_allowed:
        raise ApiError("bots.not_allowed", "Bots aren’t allowed at this table.", "$.bots")
    for level in dict.fromkeys(bots):
        await verify_level(level, "$.bots")
    wanted = sits + len(bots)
    if wanted > rules.seats.max:
        raise ApiError("table.seats", f"These rules have {rules.seats.max} seats, not {wanted}.", "$.bots")
    points = usual_buy_in(rules) if buy_in is None else buy_in
    verify_buy_in(rules, points)
    return FirstPlayers(sits, bots, points)


async def seat_first_players(table: TableActor, opener: str, name: str, first: FirstPlayers) -> None:
    """Seat the opener and their bots at a new table; once no seat is free, the first deal begins. Raises ApiError."""
    if first.sits:
        await table.execute(Command(opener, Sit(0, first.points, ready=True), name=name))
    for seat, level in enumerate(first.bots, start=int(first.sits)):
        await table.execute(Command(opener, SeatBot(seat, level, first.points)))
