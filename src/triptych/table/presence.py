"""Who is at the table: connections that come and go, and the server's own absence."""

from __future__ import annotations

from triptych.table import events as e
from triptych.table.commands import ReportDowntime
from triptych.table.draft import Draft
from triptych.table.host import owner
from triptych.table.names import unique_name
from triptych.table.rate_limit import is_within_limit
from triptych.table.state import TableState, other_names, seat_of


def connected(draft: Draft, player: str, name: str) -> None:
    """Note that a player is there, or has another name; spectators other than the host leave no trace."""
    here = _is_here(draft.state, player)
    seat = seat_of(draft.state, player)
    if seat is not None and name:
        name = unique_name(name, other_names(draft.state, player))
    renamed = seat is not None and bool(name) and name != seat.name
    # A player who keeps changing names gets the newest one when they next come in.
    if here is False or (renamed and is_within_limit(draft.state, player, draft.now)):
        draft.emit(e.PlayerConnected(draft.now, player, name))


def disconnected(draft: Draft, player: str) -> None:
    """Note that a player is gone. The clock goes on, then the bank. Rule: Rules §6 (disconnect)."""
    seat = seat_of(draft.state, player)
    # After a restart nobody counts as connected; of who had asked to leave it is told that they did not come back.
    left = seat is not None and seat.leaving and not seat.gone
    if _is_here(draft.state, player) or left:
        draft.emit(e.PlayerDisconnected(draft.now, player))


def compensate_downtime(draft: Draft, request: ReportDowntime) -> None:
    """Move the running clocks by the time when nobody could move. Downtime is never charged."""
    state = draft.state
    until = draft.now if request.until is None else min(request.until, draft.now)
    downtime = max(0, until - max(request.since, state.at))
    runs = bool(state.clocks) or state.next_at is not None
    if request.why == "restart":
        people_here = state.host_here or any(seat.person and seat.connected for seat in state.seats)
        worth_telling = runs or people_here
    else:
        worth_telling = runs and downtime > 0
    if worth_telling:
        draft.emit(e.DowntimeCompensated(draft.now, downtime, request.why))


def _is_here(state: TableState, player: str) -> bool | None:
    """Return whether a player's presence is known, and if so whether they are there; None for other spectators."""
    seat = seat_of(state, player)
    if seat is not None and player == owner(state):
        return seat.connected and state.host_here
    if seat is not None:
        return seat.connected
    return state.host_here if player == owner(state) else None
