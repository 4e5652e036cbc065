"""Seats: verifying that a player may take one, and freeing seats."""

from __future__ import annotations

from triptych.i18n.messages import Message
from triptych.table import events as e
from triptych.table.draft import Draft
from triptych.table.errors import TableError
from triptych.table.levels import is_placed, is_tournament_started, remaining_seats
from triptych.table.state import Seat, TableState, in_match, seat_of


def own_seat(state: TableState, player: str) -> Seat:
    """Return the seat of a player. Raises TableError `player.not_seated` for a spectator."""
    seat = seat_of(state, player)
    if seat is None:
        raise TableError("player.not_seated", Message("error.player.not_seated"))
    return seat


def verify_not_banned(state: TableState, player: str) -> None:
    """Raise TableError `player.banned` if the host has banned the player."""
    if player in state.banned:
        raise TableError("player.banned", Message("error.player.banned"))


def verify_free(state: TableState, seat: int) -> None:
    """Raise TableError `seat.unknown` or `seat.taken` unless a seat is free."""
    if not 0 <= seat < len(state.seats):
        raise TableError(
            "seat.unknown", Message("error.seat.unknown", seat=seat, last=len(state.seats) - 1), "$.seat"
        )
    if state.seats[seat].player:
        raise TableError("seat.taken", Message("error.seat.taken", name=state.seats[seat].name), "$.seat")


def occupied_seat(state: TableState, number: int) -> Seat:
    """Return the seat with a number. Raises TableError `seat.empty` if nobody sits there."""
    if not 0 <= number < len(state.seats) or not state.seats[number].player:
        raise TableError("seat.empty", Message("error.seat.empty", number=number), "$.seat")
    return state.seats[number]


def verify_joining(state: TableState) -> None:
    """Raise TableError `table.closed` or `table.tournament` if nobody can join any more."""
    if state.closing:
        raise TableError("table.closed", Message("error.table.closing"))
    if is_tournament_started(state):
        raise TableError("table.tournament", Message("error.cup.started"))


def free_seat(draft: Draft, seat: Seat, *, by_host: bool) -> None:
    """Free a seat now, or when the match in which it takes part is over."""
    if not in_match(draft.state, seat.seat):
        leave_seat(draft, seat)
        return
    if seat.unseated or (seat.leaving and not by_host):
        message = (
            Message("error.player.already_leaving", name=seat.name)
            if by_host
            else Message("error.player.you_already_leave")
        )
        raise TableError("request.repeated", message)
    draft.emit(e.LeaveRequested(draft.now, seat.seat, by_host))


def leave_seat(draft: Draft, seat: Seat) -> None:
    """Free the seat of a player who leaves; in a tournament they are out, behind all who have chips."""
    if is_tournament_started(draft.state) and not draft.state.config.cup and not is_placed(draft.state, seat.player):
        draft.emit(e.PlaceTaken(draft.now, seat.seat, seat.player, len(remaining_seats(draft.state))))
    vacate_seat(draft, seat)


def vacate_seat(draft: Draft, seat: Seat) -> None:
    """Free a seat and give its stack back to its player."""
    config = draft.state.config
    draft.emit(e.PlayerLeft(draft.now, config.table, seat.seat, seat.player, seat.stack, config.cup))
