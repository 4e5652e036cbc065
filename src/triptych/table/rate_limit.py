"""Nobody floods a table: requests other than moves in a deal are limited, since each is stored for ever."""

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
    """Return whether a player may ask for more."""
    return sum(one.player == player and one.at > now - WINDOW_MS for one in state.recent_requests) < MAX_REQUESTS


def verify_rate(state: TableState, player: str, now: int) -> None:
    """Raise TableError `request.too_fast` when a player has asked too much of the table in the last seconds."""
    if not is_within_limit(state, player, now):
        raise TableError("request.too_fast", Message("error.request.too_fast"))


def with_recent_request(state: TableState, event: e.TableOwnEvent) -> tuple[RecentRequest, ...]:
    """Return the recent requests, with this event when somebody asked for it; `state` is the table before it."""
    find = _ASKERS.get(type(event))
    if find is None:
        return state.recent_requests
    recent = tuple(one for one in state.recent_requests if one.at > event.at - WINDOW_MS)
    return (*recent, RecentRequest(event.at, find(state, event)))


def _sat(state: TableState, event: e.PlayerSat) -> str:
    return acting_host(state) if event.bot else event.player


def _of_seat(
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


def _offer_remover(state: TableState, event: e.StakeOfferRemoved) -> str:
    return state.seats[event.to if event.declined else event.seat].player


def _of_player(_: TableState, event: e.PlayerLeft | e.ToppedUp | e.PlayerConnected) -> str:
    return event.player


def _host(state: TableState, _: e.TableOwnEvent) -> str:
    return acting_host(state)


_ASKERS: dict[type, Callable[[TableState, Any], str]] = {
    e.PlayerSat: _sat,
    e.PlayerLeft: _of_player,
    e.ToppedUp: _of_player,
    e.PlayerConnected: _of_player,
    e.SatOut: _of_seat,
    e.SatIn: _of_seat,
    e.LeaveRequested: _of_seat,
    e.StakeOffered: _of_seat,
    e.StakeOfferRemoved: _offer_remover,
    e.BuyInPlanned: _of_seat,
    e.DelayRequested: _of_seat,
    e.HintRequested: _of_seat,
    e.ChainCommitted: _of_seat,
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
