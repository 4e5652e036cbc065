"""Nobody floods a table: requests other than moves in a deal are limited, since each is stored for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triptych.table import events as e
from triptych.table.errors import RoomError
from triptych.table.host import host
from triptych.table.state import Asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from triptych.table.state import TableState

WINDOW_MS = 10_000
MOST = 12


def is_calm(state: TableState, player: str, now: int) -> bool:
    """Tell whether a player may ask for more."""
    return sum(one.player == player and one.at > now - WINDOW_MS for one in state.asked) < MOST


def verify_calm(state: TableState, player: str, now: int) -> None:
    """Raise RoomError `request.too_fast` when a player has asked too much of the table in the last seconds."""
    if not is_calm(state, player, now):
        raise RoomError("request.too_fast", "that was a lot in a short time; wait a few seconds")


def with_asked(state: TableState, event: e.RoomEvent) -> tuple[Asked, ...]:
    """Return the recent requests, with this event when somebody asked for it; `state` is the table before it."""
    find = _ASKERS.get(type(event))
    if find is None:
        return state.asked
    recent = tuple(one for one in state.asked if one.at > event.at - WINDOW_MS)
    return (*recent, Asked(event.at, find(state, event)))


def _sat(state: TableState, event: e.PlayerSat) -> str:
    return host(state) if event.bot else event.player


def _of_seat(
    state: TableState,
    event: e.SatOut | e.SatIn | e.LeaveAsked | e.StakeOffered | e.WaitAsked | e.ChainFixed | e.HintAsked,
) -> str:
    return state.seats[event.seat].player


def _of_player(_: TableState, event: e.PlayerLeft | e.ToppedUp | e.PlayerConnected) -> str:
    return event.player


def _host(state: TableState, _: e.RoomEvent) -> str:
    return host(state)


_ASKERS: dict[type, Callable[[TableState, Any], str]] = {
    e.PlayerSat: _sat,
    e.PlayerLeft: _of_player,
    e.ToppedUp: _of_player,
    e.PlayerConnected: _of_player,
    e.SatOut: _of_seat,
    e.SatIn: _of_seat,
    e.LeaveAsked: _of_seat,
    e.StakeOffered: _of_seat,
    e.WaitAsked: _of_seat,
    e.HintAsked: _of_seat,
    e.ChainFixed: _of_seat,
    e.TablePaused: _host,
    e.TableWentOn: _host,
    e.SeatsLocked: _host,
    e.TimeAdded: _host,
    e.RulesChosen: _host,
    e.PasswordChosen: _host,
    e.ArrangingAllowed: _host,
    e.HintsAllowed: _host,
}
