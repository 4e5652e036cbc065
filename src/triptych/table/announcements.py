"""The table's own lines among the talk: what happened, in a few words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from triptych.rulesets.describe.match import price
from triptych.rulesets.describe.summary import SEPARATOR, summary
from triptych.rulesets.model import Ruleset, bankroll_mode
from triptych.scoring.money import PointPrice
from triptych.table import events as e
from triptych.table.absence import makes_absent
from triptych.table.host import acting_host
from triptych.table.match import signed, standings
from triptych.table.state import TableState, in_match, seat_of


def announce(state: TableState, event: e.TableOwnEvent) -> str | None:
    """Return one line about an event at the table as it was before, None when it is not worth a line."""
    teller = _LINES.get(type(event))
    return None if teller is None else teller(state, event)


def _name(state: TableState, seat: int) -> str:
    return state.seats[seat].name


def _sat(_: TableState, event: e.PlayerSat) -> str:
    return f"{event.name} joined{f' with {event.buy_in} points' if event.buy_in else ''}"


def _ordered(state: TableState, event: e.OrderAccepted) -> str | None:
    old = 0 if state.cup_level is None else state.cup_level.number
    if event.closes or old == event.level.number:
        return None
    chips = "1 chip" if event.level.chips == 1 else f"{event.level.chips} chips"
    return f"Level {event.level.number}: 1 point = {chips}"


def _topped_up(state: TableState, event: e.ToppedUp) -> str:
    return f"{_name(state, event.seat)} added {event.points} points"


def _left(state: TableState, event: e.PlayerLeft) -> str:
    brings = bankroll_mode(state.config.rules)
    if brings == "stacks":
        return f"{_name(state, event.seat)} left with {event.stack} points"
    balance = f" with a balance of {signed(event.stack)}" if brings == "book" else ""
    return f"{_name(state, event.seat)} left{balance}"


def _sat_out(state: TableState, event: e.SatOut) -> str:
    why = "ran out of time and is" if event.timed_out else "is"
    return f"{_name(state, event.seat)} {why} sitting out"


def _sat_in(state: TableState, event: e.SatIn) -> str:
    return f"{_name(state, event.seat)} is back in the game"


def _time_ran_out(state: TableState, event: e.TimeRanOut) -> str:
    seat = state.seats[event.seat]
    if event.by:
        return f"{event.by} had {seat.name}’s cards placed automatically"
    until = " until they return" if makes_absent(state.config.rules, seat) else ""
    return f"{seat.name} ran out of time. Their cards are placed automatically{until}."


def _leave_asked(state: TableState, event: e.LeaveRequested) -> str | None:
    seat = state.seats[event.seat]
    if not (event.by_host and seat.person) or seat.player in state.banned:
        return None
    if state.config.cup:
        return f"{seat.name} was removed from the tournament. Their cards are placed automatically."
    return f"{_host_name(state)} removed {seat.name} from the seat. Their cards are placed automatically."


def _disconnected(state: TableState, event: e.PlayerDisconnected) -> str | None:
    seat = seat_of(state, event.player)
    if seat is None or not seat.leaving or seat.unseated or not in_match(state, seat.seat):
        return None
    return f"{seat.name} left. Their cards are placed automatically."


def _stake_offered(state: TableState, event: e.StakeOffered) -> str:
    return f"{_name(state, event.seat)} offered {_name(state, event.to)} a side stake of × {event.stake}"


def _stake_agreed(state: TableState, event: e.StakeAgreed) -> str:
    start = "" if state.settled else " (from the next deal)"
    return f"{_name(state, event.a)} and {_name(state, event.b)} now play for × {event.stake}{start}"


def _deal_settled(state: TableState, event: e.DealSettled) -> str:
    if state.config.rules.scoring.rows == "first_to_11":
        # The table pays no chips for these points: they count for the match.
        points = {one.seat: one.points for one in event.points}
        changes = ", ".join(f"{stack.player} {signed(points[stack.seat])}" for stack in event.sheet.stacks)
    else:
        changes = ", ".join(f"{stack.player} {signed(int(stack.change))}" for stack in event.sheet.stacks)
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


def _place_taken(state: TableState, event: e.PlaceTaken) -> str | None:
    if state.config.cup:  # the place in the whole tournament is announced when that knows it
        return None
    name = _name(state, event.seat)
    return f"{name} won the tournament" if event.place == 1 else f"{name} finished in place {event.place}"


def _place_announced(_: TableState, event: e.PlaceAnnounced) -> str:
    return f"{event.name} finished in place {event.place}"


def _lasted(ms: int) -> str:
    seconds = max(1, round(ms / 1000))
    if seconds >= 120:
        return f"{round(seconds / 60)} minutes"
    return f"{seconds} second{'s' * (seconds != 1)}"


def _resumed(_: TableState, event: e.DowntimeCompensated) -> str:
    lasted = _lasted(event.downtime)
    match event.why:
        case "still":
            return f"The server paused for {lasted}. Clocks were stopped."
        case "store":
            return f"Moves couldn’t be saved for {lasted}. Clocks were stopped."
    return "The server restarted. Clocks were stopped."


def _closed(_: TableState, __: e.TableClosed) -> str:
    return "The table is closed"


def _host_changed(state: TableState, event: e.HostChanged) -> str:
    return f"{_name(state, event.seat)} is now the host"


def _play_started(_: TableState, __: e.PlayStarted) -> str:
    return "The first match begins"


def _paused(state: TableState, _: e.PauseStarted) -> str:
    if state.config.cup:
        return "The tournament is paused. Clocks are stopped."
    return f"{_host_name(state)} paused the table. Clocks are stopped."


def _went_on(_: TableState, event: e.PauseEnded) -> str:
    return f"The table resumed after {_lasted(event.lasted)}"


def _locked(_: TableState, event: e.SeatsLocked) -> str:
    return "Seats are locked" if event.locked else "Seats are unlocked"


def _banned(state: TableState, event: e.PlayerBanned) -> str:
    return f"{_host_name(state)} banned {_name(state, event.seat)}"


def _time_added(state: TableState, event: e.TimeAdded) -> str:
    return f"{_host_name(state)} gave {_name(state, event.seat)} {_lasted(event.ms)} more"


def _rules_chosen(state: TableState, event: e.RulesChosen) -> str:
    when = "Now" if state.match is None else "New rules from the next match"
    return f"{when}: {event.rules.title}, {rules_line(state, event.rules)}"


def rules_line(state: TableState, rules: Ruleset) -> str:
    """Return rules that are chosen at a table in one line, with their price where there is one, or was."""
    priced = any(not PointPrice.from_rules(one).is_plain for one in (rules, state.config.rules))
    return f"{summary(rules)}{SEPARATOR}each point is worth {price(rules)}" if priced else summary(rules)


def _password_chosen(_: TableState, event: e.PasswordSet) -> str:
    return "New visitors now need a password" if event.password else "The table no longer has a password"


def _arranging(_: TableState, event: e.ArrangingAllowed) -> str:
    return "Auto-arrange is on" if event.allowed else "Auto-arrange is off"


def _hints(_: TableState, event: e.HintsAllowed) -> str:
    return "Hints are on" if event.allowed else "Hints are off"


def _details(state: TableState, event: e.DetailsChanged) -> str:
    if event.name != state.config.name:
        return f"This table is now called {event.name}"
    return "Only people with the link can find this table now" if event.private else "The lobby lists this table now"


def _hint_asked(state: TableState, event: e.HintRequested) -> str:
    return f"{_name(state, event.seat)} asked for a hint"


def _wait_asked(state: TableState, event: e.DelayRequested) -> str | None:
    if event.seat in state.delayed_seats:  # said once before each deal
        return None
    return f"{_name(state, event.seat)} asked for one more minute"


def _host_name(state: TableState) -> str:
    seat = seat_of(state, acting_host(state))
    return "The host" if seat is None else seat.name


_LINES: dict[type, Callable[[TableState, Any], str | None]] = {
    e.PlayerSat: _sat,
    e.OrderAccepted: _ordered,
    e.ToppedUp: _topped_up,
    e.PlayerLeft: _left,
    e.LeaveRequested: _leave_asked,
    e.PlayerDisconnected: _disconnected,
    e.SatOut: _sat_out,
    e.SatIn: _sat_in,
    e.TimeRanOut: _time_ran_out,
    e.StakeOffered: _stake_offered,
    e.StakeAgreed: _stake_agreed,
    e.DealSettled: _deal_settled,
    e.MatchEnded: _match_ended,
    e.PlaceTaken: _place_taken,
    e.PlaceAnnounced: _place_announced,
    e.DowntimeCompensated: _resumed,
    e.TableClosed: _closed,
    e.HostChanged: _host_changed,
    e.PlayStarted: _play_started,
    e.PauseStarted: _paused,
    e.PauseEnded: _went_on,
    e.SeatsLocked: _locked,
    e.PlayerBanned: _banned,
    e.TimeAdded: _time_added,
    e.RulesChosen: _rules_chosen,
    e.PasswordSet: _password_chosen,
    e.ArrangingAllowed: _arranging,
    e.HintsAllowed: _hints,
    e.DetailsChanged: _details,
    e.HintRequested: _hint_asked,
    e.DelayRequested: _wait_asked,
}
