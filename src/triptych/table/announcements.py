"""The table's own lines in the talk, which announce events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from triptych.deal.state import phase
from triptych.i18n.messages import Message, join_with_and, join_with_commas, join_with_dots
from triptych.rulesets.describe.match import price
from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.describe.summary import summary
from triptych.rulesets.model import Ruleset, bankroll_mode
from triptych.scoring.money import PointPrice
from triptych.table import events as e
from triptych.table.absence import makes_absent
from triptych.table.host import acting_host
from triptych.table.match import signed, standings
from triptych.table.state import TableState, in_match, seat_of


def announce(state: TableState, event: e.TableOwnEvent) -> str | None:
    """Return the line for an event, None if it has none; `state`: the table before the event."""
    make_line = _LINES.get(type(event))
    return None if make_line is None else make_line(state, event)


def _name(state: TableState, seat: int) -> str:
    return state.seats[seat].name


def _player_sat(_: TableState, event: e.PlayerSat) -> str:
    if event.buy_in:
        return Message("announce.joined_with", name=event.name, points=event.buy_in)
    return Message("announce.joined", name=event.name)


def _order_accepted(state: TableState, event: e.OrderAccepted) -> str | None:
    old = 0 if state.cup_level is None else state.cup_level.number
    if event.closes or old == event.level.number:
        return None
    return Message("announce.level", level=event.level.number, chips=event.level.chips)


def _player_left(state: TableState, event: e.PlayerLeft) -> str:
    mode, name = bankroll_mode(state.config.rules), _name(state, event.seat)
    if mode == "stacks":
        return Message("announce.left_with", name=name, points=event.stack)
    if mode == "book":
        return Message("announce.left_balance", name=name, points=signed(event.stack))
    return Message("announce.left", name=name)


def _sat_out(state: TableState, event: e.SatOut) -> str:
    return Message(
        "announce.sits_out_late" if event.timed_out else "announce.sits_out", name=_name(state, event.seat)
    )


def _time_ran_out(state: TableState, event: e.TimeRanOut) -> str:
    seat = state.seats[event.seat]
    if event.by:
        return Message("announce.placed_by", name=event.by, other=seat.name)
    now = None if state.deal is None else phase(state.deal)
    if now == "announcing":
        return Message("announce.out_of_time_plays", name=seat.name)
    if now == "declaring":
        return Message("announce.out_of_time_declares", name=seat.name)
    away = makes_absent(state.config.rules, seat)
    return Message("announce.out_of_time_away" if away else "announce.out_of_time", name=seat.name)


def _leave_requested(state: TableState, event: e.LeaveRequested) -> str | None:
    seat = state.seats[event.seat]
    if not (event.by_host and seat.person) or seat.player in state.banned:
        return None
    if state.config.cup:
        return Message("announce.removed_tournament", name=seat.name)
    return Message("announce.removed", host=_host_name(state), name=seat.name)


def _player_disconnected(state: TableState, event: e.PlayerDisconnected) -> str | None:
    seat = seat_of(state, event.player)
    if seat is None or not seat.leaving or seat.unseated or not in_match(state, seat.seat):
        return None
    return Message("announce.left_in_match", name=seat.name)


def _stake_offered(state: TableState, event: e.StakeOffered) -> str:
    name, other = _name(state, event.seat), _name(state, event.to)
    return Message("announce.stake_offered", name=name, other=other, stake=event.stake)


def _stake_offer_removed(state: TableState, event: e.StakeOfferRemoved) -> str:
    return Message(
        "announce.stake_declined" if event.declined else "announce.stake_withdrawn",
        name=_name(state, event.seat),
        other=_name(state, event.to),
    )


def _stake_agreed(state: TableState, event: e.StakeAgreed) -> str:
    name, other = _name(state, event.a), _name(state, event.b)
    return Message("announce.stake_agreed", name=name, other=other, stake=event.stake)


def _buy_in_planned(state: TableState, event: e.BuyInPlanned) -> str:
    return Message("announce.buy_in_planned", name=_name(state, event.seat), points=event.points)


def _fantasylands_dropped(state: TableState, event: e.FantasylandsDropped) -> str:
    names = join_with_and([_name(state, seat) for seat in event.seats])
    return Message("announce.fantasylands_dropped", names=names)


def _deal_settled(state: TableState, event: e.DealSettled) -> str:
    if state.config.rules.scoring.rows == "first_to_11":
        # The table pays no chips for these points: they count for the match.
        points = {result.seat: result.points for result in event.points}
        changes = ", ".join(f"{stack.player} {signed(points[stack.seat])}" for stack in event.sheet.stacks)
    else:
        changes = ", ".join(f"{stack.player} {signed(int(stack.change))}" for stack in event.sheet.stacks)
    return Message("announce.deal", number=event.sheet.deal, changes=changes)


def _match_ended(state: TableState, event: e.MatchEnded) -> str | None:
    """Return the standings if a match is more than one deal and its fantasylands."""
    match = state.match
    if match is None or state.config.rules.match.kind == "deal_group":
        return None
    names = {seat.player: seat.name for seat in state.seats}
    result = standings(state, match)
    if not event.payments:
        return Message("announce.match_over", number=event.number, standings=result)
    texts = [
        Message("announce.pays", payer=names[payment.payer], payee=names[payment.payee], points=payment.points)
        for payment in event.payments
    ]
    payments = join_with_commas(texts)
    return Message("announce.match_over_paid", number=event.number, standings=result, payments=payments)


def _place_taken(state: TableState, event: e.PlaceTaken) -> str | None:
    if state.config.cup:  # the tournament announces the place over all its tables later
        return None
    name = _name(state, event.seat)
    if event.place == 1:
        return Message("announce.won_tournament", name=name)
    return Message("announce.finished", name=name, place=event.place)


def _duration(ms: int) -> str:
    seconds = max(1, round(ms / 1000))
    if seconds >= 120:
        return Message("duration.minutes", count=round(seconds / 60))
    return Message("duration.seconds", count=seconds)


def _downtime_compensated(_: TableState, event: e.DowntimeCompensated) -> str:
    duration = _duration(event.downtime)
    match event.why:
        case "still":
            return Message("announce.server_paused", time=duration)
        case "store":
            return Message("announce.not_saved", time=duration)
    return Message("announce.server_restarted")


def _pause_started(state: TableState, _: e.PauseStarted) -> str:
    if state.config.cup:
        return Message("announce.tournament_paused")
    return Message("announce.paused", host=_host_name(state))


def _player_banned(state: TableState, event: e.PlayerBanned) -> str:
    return Message("announce.banned", host=_host_name(state), name=_name(state, event.seat))


def _viewer_muted(state: TableState, event: e.ViewerMuted) -> str:
    return Message(
        "announce.viewer_muted" if event.muted else "announce.viewer_unmuted",
        host=_host_name(state),
    )


def _time_added(state: TableState, event: e.TimeAdded) -> str:
    arguments = {"host": _host_name(state), "name": _name(state, event.seat), "time": _duration(event.ms)}
    return Message("announce.time_added", **arguments)


def _rules_chosen(state: TableState, event: e.RulesChosen) -> str:
    return Message(
        "announce.rules_now" if state.match is None else "announce.rules_next",
        title=title_text(event.rules.title),
        rules=rules_line(state, event.rules),
    )


def rules_line(state: TableState, rules: Ruleset) -> str:
    """Return chosen rules in one line, with the price of a point if they or the rules before have one."""
    has_price = any(not PointPrice.from_rules(each).is_plain for each in (rules, state.config.rules))
    if not has_price:
        return summary(rules)
    return join_with_dots([summary(rules), Message("summary.price", price=price(rules))])


def _arranging_allowed(_: TableState, event: e.ArrangingAllowed) -> str:
    return Message("announce.arranging_on" if event.allowed else "announce.arranging_off")


def _details_changed(state: TableState, event: e.DetailsChanged) -> str:
    if event.name != state.config.name:
        return Message("announce.renamed", title=event.name)
    return Message("announce.unlisted" if event.private else "announce.listed")


def _delay_requested(state: TableState, event: e.DelayRequested) -> str | None:
    if event.seat in state.delayed_seats:  # announced once before each deal
        return None
    return Message("announce.delay", name=_name(state, event.seat))


def _host_name(state: TableState) -> str:
    seat = seat_of(state, acting_host(state))
    return Message("announce.the_host") if seat is None else seat.name


_LINES: dict[type, Callable[[TableState, Any], str | None]] = {
    e.PlayerSat: _player_sat,
    e.OrderAccepted: _order_accepted,
    e.ToppedUp: lambda state, event: Message("announce.added", name=_name(state, event.seat), points=event.points),
    e.PlayerLeft: _player_left,
    e.LeaveRequested: _leave_requested,
    e.PlayerDisconnected: _player_disconnected,
    e.SatOut: _sat_out,
    e.SatIn: lambda state, event: Message("announce.back", name=_name(state, event.seat)),
    e.TimeRanOut: _time_ran_out,
    e.StakeOffered: _stake_offered,
    e.StakeOfferRemoved: _stake_offer_removed,
    e.StakeAgreed: _stake_agreed,
    e.BuyInPlanned: _buy_in_planned,
    e.FantasylandsDropped: _fantasylands_dropped,
    e.DealSettled: _deal_settled,
    e.MatchEnded: _match_ended,
    e.PlaceTaken: _place_taken,
    e.PlaceAnnounced: lambda _, event: Message("announce.finished", name=event.name, place=event.place),
    e.DowntimeCompensated: _downtime_compensated,
    e.TableClosed: lambda _, __: Message("announce.closed"),
    e.HostChanged: lambda state, event: Message("announce.host", name=_name(state, event.seat)),
    e.PlayStarted: lambda _, __: Message("announce.play_started"),
    e.PauseStarted: _pause_started,
    e.PauseEnded: lambda _, event: Message("announce.resumed", time=_duration(event.lasted)),
    e.SeatsLocked: lambda _, event: Message("announce.seats_locked" if event.locked else "announce.seats_unlocked"),
    e.PlayerBanned: _player_banned,
    e.ViewerMuted: _viewer_muted,
    e.ViewerRemoved: lambda state, _: Message("announce.viewer_removed", host=_host_name(state)),
    e.TimeAdded: _time_added,
    e.RulesChosen: _rules_chosen,
    e.PasswordSet: lambda _, event: Message("announce.password_on" if event.password else "announce.password_off"),
    e.ArrangingAllowed: _arranging_allowed,
    e.HintsAllowed: lambda _, event: Message("announce.hints_on" if event.allowed else "announce.hints_off"),
    e.DetailsChanged: _details_changed,
    e.HintRequested: lambda state, event: Message("announce.hint", name=_name(state, event.seat)),
    e.DelayRequested: _delay_requested,
}
