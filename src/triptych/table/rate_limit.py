"""Limits requests other than actions in a deal, since each is stored permanently."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from triptych.i18n.messages import Message
from triptych.table import events as e
from triptych.table.errors import TableError
from triptych.table.host import acting_host
from triptych.table.state import RecentRequest, TableState

WINDOW_MS = 10_000
MAX_REQUESTS = 12


def is_within_limit(state: TableState, player: str, now: int) -> bool:
    """Return whether a player may make another request."""
    window_start = now - WINDOW_MS
    count = sum(request.player == player and request.at > window_start for request in state.recent_requests)
    return count < MAX_REQUESTS


def verify_rate(state: TableState, player: str, now: int) -> None:
    """Raise TableError `request.too_fast` if a player has made too many requests in the last seconds."""
    if not is_within_limit(state, player, now):
        raise TableError("request.too_fast", Message("error.request.too_fast"))


def with_recent_request(state: TableState, event: e.TableOwnEvent) -> tuple[RecentRequest, ...]:
    """Return the recent requests, with this event's if a player requested it.

    `state`: the table before it.
    """
    requester_of = _REQUESTERS.get(type(event))
    if requester_of is None:
        return state.recent_requests
    recent = tuple(request for request in state.recent_requests if request.at > event.at - WINDOW_MS)
    return (*recent, RecentRequest(event.at, requester_of(state, event)))


def _player_of_event(_: TableState, event: e.PlayerLeft | e.ToppedUp | e.PlayerConnected) -> str:
    return event.player


def _player_of_seat(
    state: TableState,
    event: e.SatOut
    | e.SatIn
    | e.LeaveRequested
    | e.BuyInPlanned
    | e.StakeOffered
    | e.DelayRequested
    | e.ChainCommitted
    | e.HintRequested,
) -> str:
    return state.seats[event.seat].player


def _host(state: TableState, _: e.TableOwnEvent) -> str:
    return acting_host(state)


_REQUESTERS: dict[type, Callable[[TableState, Any], str]] = {
    e.PlayerSat: lambda state, event: acting_host(state) if event.bot else event.player,
    e.PlayerLeft: _player_of_event,
    e.ToppedUp: _player_of_event,
    e.PlayerConnected: _player_of_event,
    e.SatOut: _player_of_seat,
    e.SatIn: _player_of_seat,
    e.LeaveRequested: _player_of_seat,
    e.StakeOffered: _player_of_seat,
    e.StakeOfferRemoved: lambda state, event: state.seats[event.to if event.declined else event.seat].player,
    e.BuyInPlanned: _player_of_seat,
    e.DelayRequested: _player_of_seat,
    e.HintRequested: _player_of_seat,
    e.ChainCommitted: _player_of_seat,
    e.PauseStarted: _host,
    e.PauseEnded: _host,
    e.SeatsLocked: _host,
    e.TimeAdded: _host,
    e.ViewerMuted: _host,
    e.ViewerRemoved: _host,
    e.RulesChosen: _host,
    e.PasswordSet: _host,
    e.ArrangingAllowed: _host,
    e.HintsAllowed: _host,
    e.DetailsChanged: _host,
}
