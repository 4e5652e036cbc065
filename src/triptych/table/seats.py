"""Seats: who may take one, and how one becomes free."""

from __future__ import annotations

from triptych.table import events as e
from triptych.table.draft import Draft
from triptych.table.errors import TableError
from triptych.table.levels import is_placed, is_tournament_started, remaining_seats
from triptych.table.state import Seat, TableState, in_match


def verify_not_banned(state: TableState, player: str) -> None:
    """Raise TableError `player.banned` when the host wants a player here no more."""
    if player in state.banned:
        raise TableError("player.banned", "The host has banned you from this table.")


def verify_free(state: TableState, seat: int) -> None:
    """Raise TableError `seat.unknown`, `seat.taken`."""
    if not 0 <= seat < len(state.seats):
        message = f"There is no seat {seat} at this table; seats go from 0 to {len(state.seats) - 1}."
        raise TableError("seat.unknown", message, "$.seat")
    if state.seats[seat].player:
        raise TableError("seat.taken", f"{state.seats[seat].name} is sitting there. Choose an empty seat.", "$.seat")


def occupied_seat(state: TableState, number: int) -> Seat:
    """Return a seat in which somebody sits. Raises TableError `seat.empty`."""
    if not 0 <= number < len(state.seats) or not state.seats[number].player:
        raise TableError("seat.empty", f"Seat {number} is empty.", "$.seat")
    return state.seats[number]


def verify_joining(state: TableState) -> None:
    """Raise TableError `table.closed`, `table.tournament` when nobody joins any more."""
    if state.closing:
        raise TableError("table.closed", "The table is about to close; no new players are seated.")
    if is_tournament_started(state):
        raise TableError("table.tournament", "The tournament has started; you can’t join.")


def free_seat(draft: Draft, seat: Seat, *, by_host: bool) -> None:
    """Free a seat now, or when the match in which it takes part is over."""
    if not in_match(draft.state, seat.seat):
        leave_seat(draft, seat)
        return
    if seat.unseated or (seat.leaving and not by_host):
        who = f"{seat.name} leaves" if by_host else "You leave"
        raise TableError("request.repeated", f"{who} as soon as the match is over.")
    draft.emit(e.LeaveRequested(draft.now, seat.seat, by_host))


def leave_seat(draft: Draft, seat: Seat) -> None:
    """Free the seat of a player who leaves; in a tournament they are out of it, behind all who have chips."""
    if is_tournament_started(draft.state) and not draft.state.config.cup and not is_placed(draft.state, seat.player):
        draft.emit(e.PlaceTaken(draft.now, seat.seat, seat.player, len(remaining_seats(draft.state))))
    vacate_seat(draft, seat)


def vacate_seat(draft: Draft, seat: Seat) -> None:
    """Free a seat and give its stack back to its player."""
    config = draft.state.config
    draft.emit(e.PlayerLeft(draft.now, config.table, seat.seat, seat.player, seat.stack, config.cup))
