"""A table of a tournament over several tables: it obeys numbered orders, plays one match, and says how it ended.

What crosses between the two is idempotent: an order that comes again does nothing, and a result has the number of the
order that it answers, so that after a crash both may say again what they said last.
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
    """How a player came out of a match, in chips. `out`: the place among those of the table who went out, 0: none.

    `bank_ms`, `absent`, `sitting_out` go with the player to another table.
    """

    player: str
    chips: int
    out: int = 0
    bank_ms: int = 0
    absent: bool = False
    sitting_out: bool = False


def apply_order(draft: Draft, order: MatchOrder) -> None:
    """Seat whom the order names and let its match begin, or close. Raises TableError `table.order` inside a match."""
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


def apply_pause(draft: Draft, wanted: SetTournamentPause) -> None:
    """Let every clock of the table stand, or run again, as its tournament wants."""
    since = draft.state.paused
    if wanted.still and since is None:
        draft.emit(e.PauseStarted(draft.now))
    elif not wanted.still and since is not None:
        draft.emit(e.PauseEnded(draft.now, max(0, draft.now - since)))


def remove(draft: Draft, player: str) -> None:
    """Wait no more for a player whom the host of the tournament has removed; said again, it does nothing."""
    seat = seat_of(draft.state, player)
    if seat is not None and not seat.unseated and in_match(draft.state, seat.seat):
        draft.emit(e.LeaveRequested(draft.now, seat.seat, by_host=True))


def announce(draft: Draft, news: TellPlaces) -> None:
    """Say which places in the tournament the players have who went out in an order's match."""
    if news.order <= draft.state.cup_places_order:
        return
    for one in news.places:
        draft.emit(e.PlaceAnnounced(draft.now, news.order, one.player, one.name, one.place))


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
    """Return how the ordered match ended for each player; empty while it is not over."""
    if not state.order or state.closed or state.begun or state.match is not None or not state.settled:
        return ()
    out = {one.player: one.place for one in state.places}
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
