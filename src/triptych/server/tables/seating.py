"""Seats the first players of a table: its opener and their bots, or the players of a rematch."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from triptych.i18n.messages import Message
from triptych.rulesets.model import Ruleset
from triptych.server.content.bot_levels import verify_level
from triptych.server.tables.actor import TableActor
from triptych.server.wire.errors import ApiError
from triptych.table.buy_in import usual_buy_in, verify_buy_in
from triptych.table.commands import Command, SeatBot, Sit, Start
from triptych.table.state import TableState, seat_of


class FirstPlayers(NamedTuple):
    """Whether the opener sits down, the levels of their bots, and the buy-in of each in points."""

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
    """Return the first players with their buy-in. Raises ApiError or TableError if they cannot be seated."""
    if bots and not bots_allowed:
        raise ApiError("bots.not_allowed", Message("error.bots.not_allowed"), "$.bots")
    for level in dict.fromkeys(bots):
        await verify_level(level, "$.bots")
    seat_count = sits + len(bots)
    if seat_count > rules.seats.max:
        raise ApiError(
            "table.seats", Message("error.table.rules_seat_count", seats=rules.seats.max, wanted=seat_count), "$.bots"
        )
    points = usual_buy_in(rules) if buy_in is None else buy_in
    verify_buy_in(rules, points)
    return FirstPlayers(sits, bots, points)


async def seat_first_players(table: TableActor, opener: str, name: str, first: FirstPlayers) -> None:
    """Seat the opener and their bots at a new table; once no seat is free, the first deal begins.

    Raises ApiError.
    """
    if first.sits:
        await table.execute(Command(opener, Sit(0, first.points, ready=True), name=name))
    for seat, level in enumerate(first.bots, start=int(first.sits)):
        await table.execute(Command(opener, SeatBot(seat, level, first.points)))


async def seat_rematch_bots(table: TableActor, old: TableState) -> None:
    """Seat the bots of a closed table's last deal at its rematch, if their level is offered and a seat is free."""
    for player in old.last_players:
        free = [seat.seat for seat in table.state.seats if not seat.player]
        if player.level and free:
            with suppress(ApiError):
                await verify_level(player.level)
                points = usual_buy_in(table.state.config.rules)
                await table.execute(Command(table.state.config.host, SeatBot(free[-1], player.level, points)))


async def seat_rematch_player(table: TableActor, player: str, name: str, old: TableState) -> None:
    """Seat a player of a rematch in the first free seat; play begins once all people of the last deal are back.

    A player who cannot sit down (the table is full, or locked) watches.
    """
    free = next((seat.seat for seat in table.state.seats if not seat.player), None)
    if free is None or seat_of(table.state, player) is not None:
        return
    with suppress(ApiError):
        points = usual_buy_in(table.state.config.rules)
        await table.execute(Command(player, Sit(free, points, ready=True), name=name))
        people = [participant.player for participant in old.last_players if not participant.level]
        if not table.state.begun and people and all(seat_of(table.state, person) is not None for person in people):
            await table.execute(Command(table.state.config.host, Start()))
