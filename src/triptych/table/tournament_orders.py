"""A table of a tournament over several tables: it executes numbered orders and reports the results.

Orders and results are idempotent: a repeated order does nothing, and a result has the number of its order, so that
after a crash both sides may repeat their last message.
"""

from __future__ import annotations

from msgspec import Struct

from triptych.table import events as e
from triptych.table.absence import is_away
from triptych.table.clock import opening_bank
from triptych.table.commands import MatchOrder, SeatAssignment, SetTournamentPause, TellPlaces
from triptych.table.draft import Draft
from triptych.table.errors import TableError
from triptych.table.seats import vacate_seat
from triptych.table.state import Seat, TableState, in_match, seat_of


class MatchResult(Struct, frozen=True, gc=False):
    """A player's chips after a match.

    `out`: the place among the table's players if eliminated, otherwise 0. `bank_ms`, `absent`, `sitting_out` are
    carried to the player's next table.
    """

    player: str
    chips: int
    out: int = 0
    bank_ms: int = 0
    absent: bool = False
    sitting_out: bool = False


def apply_order(draft: Draft, order: MatchOrder) -> None:
    """Seat the order's players and let its match begin, or close.

    Raises TableError `table.order` during a match.
    """
    state = draft.state
    if order.number <= state.order:
        return
    if state.match is not None:
        raise TableError("table.order", "a match is being played; the order comes when it is over")
    chairs = {chair.player: chair for chair in order.chairs}
    for seat in state.seats:
        if seat.player and not _stays(seat, chairs.get(seat.player)):
            vacate_seat(draft, seat)
    draft.emit(e.OrderAccepted(draft.now, order.number, order.level, order.button, closes=not order.chairs))
    for chair in order.chairs:
        if draft.state.seats[chair.seat].player != chair.player:
            _seat(draft, chair)


def apply_pause(draft: Draft, request: SetTournamentPause) -> None:
    """Pause or resume the table as its tournament requests."""
    since = draft.state.paused
    if request.still and since is None:
        draft.emit(e.PauseStarted(draft.now))
    elif not request.still and since is not None:
        draft.emit(e.PauseEnded(draft.now, max(0, draft.now - since)))


def remove(draft: Draft, player: str) -> None:
    """Stop waiting for a player whom the tournament's host has removed; repeated, it does nothing."""
    seat = seat_of(draft.state, player)
    if seat is not None and not seat.unseated and in_match(draft.state, seat.seat):
        draft.emit(e.LeaveRequested(draft.now, seat.seat, by_host=True))


def announce(draft: Draft, request: TellPlaces) -> None:
    """Announce the places in the tournament of the players eliminated in an order's match."""
    if request.order <= draft.state.cup_places_order:
        return
    for place in request.places:
        draft.emit(e.PlaceAnnounced(draft.now, request.order, place.player, place.name, place.place))


def _stays(seat: Seat, chair: SeatAssignment | None) -> bool:
    return chair is not None and (chair.seat, chair.chips) == (seat.seat, seat.stack)


def _seat(draft: Draft, chair: SeatAssignment) -> None:
    config = draft.state.config
    draft.emit(
        e.PlayerSat(
            draft.now,
            config.table,
            chair.seat,
            chair.player,
            chair.name,
            chair.chips,
            opening_bank(config.rules, chair.bank_ms),
            bot=chair.bot,
            level=chair.level,
            cup=config.cup,
            here=chair.bot,
            absent=chair.absent,
            sitting_out=chair.sitting_out,
        )
    )


def match_results(state: TableState) -> tuple[MatchResult, ...]:
    """Return each player's result of the ordered match; empty while it is not over."""
    if not state.order or state.closed or state.begun or state.match is not None or not state.settled:
        return ()
    out = {place.player: place.place for place in state.places}
    return tuple(
        MatchResult(
            seat.player,
            seat.stack,
            out.get(seat.player, 0),
            seat.bank_ms,
            absent=is_away(seat),
            sitting_out=seat.sitting_out,
        )
        for seat in state.seats
        if seat.player
    )
