"""Presence at the table: players' connections, and the server's downtime."""

from __future__ import annotations

from triptych.table import events as e
from triptych.table.commands import ReportDowntime
from triptych.table.draft import Draft
from triptych.table.host import owner
from triptych.table.names import unique_name
from triptych.table.rate_limit import is_within_limit
from triptych.table.state import TableState, other_names, seat_of


def connected(draft: Draft, player: str, name: str) -> None:
    """Record that a player or the owner is connected, or has another name; not for other spectators."""
    is_here = _is_here(draft.state, player)
    seat = seat_of(draft.state, player)
    if seat is not None and name:
        name = unique_name(name, other_names(draft.state, player))
    renamed = seat is not None and bool(name) and name != seat.name
    # A player who changes names too often gets the newest one when they connect again.
    if is_here is False or (renamed and is_within_limit(draft.state, player, draft.now)):
        draft.emit(e.PlayerConnected(draft.now, player, name))


def disconnected(draft: Draft, player: str) -> None:
    """Record that a player is not connected.

    Their clock goes on, then the bank. Rule: Rules §6 (disconnect).
    """
    seat = seat_of(draft.state, player)
    # After a restart nobody counts as connected; a player who had asked to leave is recorded all the same.
    is_leaving = seat is not None and seat.leaving and not seat.gone
    if _is_here(draft.state, player) or is_leaving:
        draft.emit(e.PlayerDisconnected(draft.now, player))


def compensate_downtime(draft: Draft, request: ReportDowntime) -> None:
    """Move the running clocks by the downtime, which is never charged."""
    state = draft.state
    until = draft.now if request.until is None else min(request.until, draft.now)
    downtime = max(0, until - max(request.since, state.at))
    runs = bool(state.clocks) or state.next_at is not None
    if request.why == "restart":
        has_people = state.host_here or any(seat.person and seat.connected for seat in state.seats)
        is_relevant = runs or has_people
    else:
        is_relevant = runs and downtime > 0
    if is_relevant:
        draft.emit(e.DowntimeCompensated(draft.now, downtime, request.why))


def _is_here(state: TableState, player: str) -> bool | None:
    """Return whether a player or the owner is connected; None for other spectators, who are not recorded."""
    seat = seat_of(state, player)
    if seat is not None and player == owner(state):
        return seat.connected and state.host_here
    if seat is not None:
        return seat.connected
    return state.host_here if player == owner(state) else None
