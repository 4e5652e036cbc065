"""The table's own lines among the talk: what happened, in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triptych.room import events as e
from triptych.room.absence import becomes_absent
from triptych.room.match import signed, standings
from triptych.rules.model import purse

if TYPE_CHECKING:
    from collections.abc import Callable

    from triptych.room.state import TableState


def narrate(state: TableState, event: e.RoomEvent) -> str | None:
    """Return one line about an event at the table as it was before, None when it is not worth a line."""
    teller = _LINES.get(type(event))
    return None if teller is None else teller(state, event)


def _name(state: TableState, seat: int) -> str:
    return state.seats[seat].name


def _sat(_: TableState, event: e.PlayerSat) -> str:
    return f"{event.name} sits down{f' with {event.buy_in} points' if event.buy_in else ''}"


def _topped_up(state: TableState, event: e.ToppedUp) -> str:
    return f"{_name(state, event.seat)} adds {event.points} points"


def _left(state: TableState, event: e.PlayerLeft) -> str:
    brings = purse(state.config.rules)
    if brings == "stacks":
        return f"{_name(state, event.seat)} leaves with {event.stack} points"
    book = f" with {signed(event.stack)} points on the book" if brings == "book" else ""
    return f"{_name(state, event.seat)} leaves{book}"


def _sat_out(state: TableState, event: e.SatOut) -> str:
    why = " after running out of time" if event.timed_out else ""
    return f"{_name(state, event.seat)} sits out{why}"


def _sat_in(state: TableState, event: e.SatIn) -> str:
    return f"{_name(state, event.seat)} is back in the game"


def _time_ran_out(state: TableState, event: e.TimeRanOut) -> str:
    seat = state.seats[event.seat]
    until = " until they are back" if becomes_absent(state.config.rules, seat) else ""
    return f"{seat.name} ran out of time; the cards are laid out automatically{until}"


def _stake_offered(state: TableState, event: e.StakeOffered) -> str:
    return f"{_name(state, event.seat)} offers {_name(state, event.to)} a stake of {event.stake} a point"


def _stake_agreed(state: TableState, event: e.StakeAgreed) -> str:
    start = "" if state.settled else ", from the next deal on"
    return f"{_name(state, event.a)} and {_name(state, event.b)} play for {event.stake} a point between them{start}"


def _deal_settled(_: TableState, event: e.DealSettled) -> str:
    if not event.payments and any(one.points for one in event.points):
        # The table pays no chips for these points: they count for the match.
        points = {one.seat: one.points for one in event.points}
        changes = ", ".join(f"{stack.player} {signed(points[stack.seat])}" for stack in event.sheet.stacks)
    else:
        changes = ", ".join(f"{stack.player} {signed(stack.change)}" for stack in event.sheet.stacks)
    return f"Deal {event.sheet.deal}: {changes}"


def _match_ended(state: TableState, event: e.MatchEnded) -> str | None:
    """Tell the standings where a match is more than one deal and its fantasylands."""
    match = state.match
    if match is None or state.config.rules.match.kind == "deal_group":
        return None
    names = {seat.player: seat.name for seat in state.seats}
    paid = [f"{names[one.payer]} pays {names[one.payee]} {one.points}" for one in event.payments]
    prize = f"; {', '.join(paid)}" if paid else ""
    return f"Match {event.number} is over: {standings(state, match)}{prize}"


def _place_taken(state: TableState, event: e.PlaceTaken) -> str:
    name = _name(state, event.seat)
    return f"{name} wins the tournament" if event.place == 1 else f"{name} is out in place {event.place}"


def _resumed(_: TableState, event: e.TableResumed) -> str:
    seconds = max(1, round(event.downtime / 1000))
    lasted = f"{seconds} second{'s' * (seconds != 1)}"
    match event.why:
        case "still":
            return f"The server stood still for {lasted}; no clock was charged"
        case "store":
            return f"For {lasted} no move could be stored; no clock was charged"
    return "The server was away for a moment; no clock was charged"


def _closed(_: TableState, __: e.TableClosed) -> str:
    return "The table is closed"


_LINES: dict[type, Callable[[TableState, Any], str | None]] = {
    e.PlayerSat: _sat,
    e.ToppedUp: _topped_up,
    e.PlayerLeft: _left,
    e.SatOut: _sat_out,
    e.SatIn: _sat_in,
    e.TimeRanOut: _time_ran_out,
    e.StakeOffered: _stake_offered,
    e.StakeAgreed: _stake_agreed,
    e.DealSettled: _deal_settled,
    e.MatchEnded: _match_ended,
    e.PlaceTaken: _place_taken,
    e.TableResumed: _resumed,
    e.TableClosed: _closed,
}
