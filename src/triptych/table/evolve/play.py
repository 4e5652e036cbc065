"""How the events of play change a table: matches, deals, clocks; one small function per event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from triptych.rulesets.model import hands_per_seat
from triptych.table import events as e
from triptych.table import match as matches
from triptych.table.absence import makes_absent
from triptych.table.accounts import net
from triptych.table.clock import MS_PER_SECOND, bank_resets, deal_ms, opening_bank, refilled_bank
from triptych.table.levels import level_at
from triptych.table.settlement import with_prizes
from triptych.table.state import Clock, LastPlayer, Match, NextRules, Place, Premove, Seat, TableState, with_seat


def _match_began(state: TableState, event: e.MatchBegan) -> TableState:
    match = _new_match(event.number, event.seats)
    # A tournament also deals in players who are away; the table does not wait for them again.
    seats = tuple(
        replace(seat, late=False, absent=False) if seat.connected and not seat.sitting_out else seat
        for seat in state.seats
    )
    return replace(state, matches=event.number, match=match, seats=seats)


def _new_match(number: int, seats: tuple[int, ...]) -> Match:
    return Match(number, seats, points=(0,) * len(seats), paid=(0,) * len(seats))


def _match_cut_short(state: TableState, _: e.MatchCutShort) -> TableState:
    return state if state.match is None else replace(state, match=replace(state.match, cut_short=True))


def _match_ended(state: TableState, event: e.MatchEnded) -> TableState:
    verdict = "" if state.match is None else matches.result_text(state, state.match, event.payments)
    won = net(event.payments)
    seats = tuple(replace(seat, stack=seat.stack + won.get(seat.player, 0)) for seat in state.seats)
    sheet = state.sheet
    if sheet is not None and event.payments:
        sheet = with_prizes(sheet, event.payments, state.seats)
    # A tournament orders each match of its tables.
    begun = state.begun and not state.config.cup
    return _apply_next_rules(replace(state, seats=seats, match=None, verdict=verdict, begun=begun, sheet=sheet))


def _fantasylands_dropped(state: TableState, event: e.FantasylandsDropped) -> TableState:
    seats = (replace(seat, fantasyland=0, in_row=0) if seat.seat in event.seats else seat for seat in state.seats)
    return replace(state, seats=tuple(seats))


def _place_taken(state: TableState, event: e.PlaceTaken) -> TableState:
    place = Place(event.player, state.seats[event.seat].name, event.place)
    return replace(state, places=(*state.places, place))


def _place_announced(state: TableState, event: e.PlaceAnnounced) -> TableState:
    same = state.cup_places if state.cup_places_order == event.order else ()
    place = Place(event.player, event.name, event.place)
    return replace(state, cup_places=(*same, place), cup_places_order=event.order)


def _deal_began(state: TableState, event: e.DealBegan) -> TableState:
    rules = state.config.rules
    match = state.match or _new_match(state.matches, event.seats)
    match = replace(
        match,
        deals=match.deals + 1,
        rounds=match.rounds + (not matches.fantasyland_pending(state)),
        first=event.button if match.first is None else match.first,
        round_done=match.round_done or matches.passes_first_button(state, match, event.button),
        last=event.seats,
    )
    started = event.at if state.started is None else state.started
    resets = bank_resets(rules, event.number, event.at - started)
    hands = hands_per_seat(rules)
    full = opening_bank(rules, None) if resets > state.bank_resets else 0
    one_hand = matches.fantasyland_pending(state)
    seats = tuple(
        replace(
            seat,
            ready=False,
            bank_ms=max(full, refilled_bank(rules, seat.bank_ms)),
            deal_ms=deal_ms(rules, seat.fantasyland, hands),
            fantasyland=0,
            in_row=0,
            brought=(seat.stack, *(seat.brought if one_hand else ())),
        )
        if seat.seat in event.seats
        else replace(seat, ready=False, bank_ms=max(full, seat.bank_ms))
        for seat in state.seats
    )
    return replace(
        state,
        premoves=(),
        dropped=(),
        seats=seats,
        last_players=tuple(LastPlayer(state.seats[seat].player, state.seats[seat].level) for seat in event.seats),
        button=event.button,
        match=match,
        deals=event.number,
        deal=None,
        settled=False,
        turns=(),
        delayed_seats=(),
        next_at=None,
        held=False,
        verdict="",
        started=started,
        level=level_at(rules, event.number, event.at - started),
        bank_resets=resets,
        fair=replace(state.fair, dealt=None),
        deal_stakes=tuple(stake for stake in state.stakes if stake.offered_by is None),
    )


def _clock_started(state: TableState, event: e.ClockStarted) -> TableState:
    started = Clock(event.seat, event.hands, event.started, event.street_ends, event.bank_ends)
    others = tuple(clock for clock in state.clocks if clock.seat != event.seat)
    return replace(state, clocks=(*others, started))


def _clock_stopped(state: TableState, event: e.ClockStopped) -> TableState:
    clocks = tuple(clock for clock in state.clocks if clock.seat != event.seat)
    return with_seat(replace(state, clocks=clocks), event.seat, bank_ms=event.bank_ms, deal_ms=event.deal_ms)


def _time_ran_out(state: TableState, event: e.TimeRanOut) -> TableState:
    seat = state.seats[event.seat]
    absent = seat.absent or makes_absent(state.config.rules, seat)
    return with_seat(state, event.seat, late=True, absent=absent)


def _shift_clocks(state: TableState, ms: int) -> TableState:
    """Return a table whose clocks and next deal are moved by a time (ms)."""
    clocks = tuple(
        replace(clock, started=clock.started + ms, street_ends=clock.street_ends + ms, bank_ends=clock.bank_ends + ms)
        for clock in state.clocks
    )
    turns = tuple(replace(turn, since=turn.since + ms) for turn in state.turns)
    next_at = None if state.next_at is None else state.next_at + ms
    started = None if state.started is None else state.started + ms
    level = state.cup_level
    if level is not None and level.next_at is not None:
        level = replace(level, next_at=level.next_at + ms)
    return replace(state, clocks=clocks, turns=turns, next_at=next_at, started=started, cup_level=level)


def _downtime_compensated(state: TableState, event: e.DowntimeCompensated) -> TableState:
    downtime = event.downtime
    paused = None if state.paused is None else state.paused + downtime
    after = replace(_shift_clocks(state, downtime), paused=paused)
    if event.why == "store":  # the tournament's own clock went on
        after = replace(after, cup_level=state.cup_level)
    if event.why != "restart":
        return after
    seats = tuple(replace(seat, connected=False) if seat.person else seat for seat in state.seats)
    return replace(after, seats=seats, host_here=False)


def _deal_settled(state: TableState, event: e.DealSettled) -> TableState:
    stacks = {stack.seat: int(stack.after) for stack in event.sheet.stacks}
    fantasylands = {fantasyland.seat: fantasyland for fantasyland in event.fantasylands}
    seats = tuple(
        replace(
            seat,
            stack=stacks.get(seat.seat, seat.stack),
            fantasyland=fantasylands[seat.seat].cards if seat.seat in fantasylands else 0,
            in_row=fantasylands[seat.seat].in_row if seat.seat in fantasylands else 0,
        )
        for seat in state.seats
    )
    match = state.match
    if match is not None:
        scored = {result.seat: result.points for result in event.points}
        paid = {stack.seat: int(stack.change) for stack in event.sheet.stacks}
        match = replace(
            match,
            points=_add_by_seat(match.points, match.seats, scored),
            paid=_add_by_seat(match.paid, match.seats, paid),
        )
    after = replace(state, seats=seats, match=match, settled=True, turns=())
    return replace(after, sheet=event.sheet, sheet_match=state.matches)


def _add_by_seat(points: tuple[int, ...], seats: tuple[int, ...], added: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(before + added.get(seat, 0) for seat, before in zip(seats, points, strict=True))


def _time_added(state: TableState, event: e.TimeAdded) -> TableState:
    """Add to the time bank; a running clock ends later, and stopping it returns the unused rest to the bank."""
    clocks = tuple(
        replace(clock, bank_ends=clock.bank_ends + event.ms) if clock.seat == event.seat else clock
        for clock in state.clocks
    )
    bank_ms = state.seats[event.seat].bank_ms + event.ms
    return with_seat(replace(state, clocks=clocks), event.seat, bank_ms=bank_ms)


def _rules_chosen(state: TableState, event: e.RulesChosen) -> TableState:
    after = replace(state, next_rules=NextRules(event.rules, event.pause))
    return after if state.match is not None else _apply_next_rules(after)


def _apply_next_rules(state: TableState) -> TableState:
    """Return the table under the rules that were chosen for the next match."""
    chosen = state.next_rules
    if chosen is None:
        return state
    config = replace(state.config, rules=chosen.rules, pause=chosen.pause)
    remaining = state.seats[: chosen.rules.seats.max]
    new_seats = tuple(Seat(number) for number in range(len(remaining), chosen.rules.seats.max))
    full = chosen.rules.clock.bank * MS_PER_SECOND
    seats = tuple(replace(seat, bank_ms=full) if seat.player else seat for seat in remaining)
    # The last deal cannot be shown if the seat of one of its boards no longer exists.
    can_show = state.deal is None or all(hand.seat < len(remaining) for hand in state.deal.hands)
    deal = state.deal if can_show else None
    return replace(state, config=config, seats=(*seats, *new_seats), next_rules=None, deal=deal)


def _delay_requested(state: TableState, event: e.DelayRequested) -> TableState:
    delayed = state.delayed_seats if event.seat in state.delayed_seats else (*state.delayed_seats, event.seat)
    after = replace(state, next_at=event.next_at, delayed_seats=delayed)
    return with_seat(after, event.seat, ready=False)


def _premove_set(state: TableState, event: e.PremoveSet) -> TableState:
    others = tuple(premove for premove in state.premoves if premove.hand != event.hand)
    own = () if event.action is None else (Premove(event.hand, event.action),)
    return replace(state, premoves=(*others, *own))


def _premove_dropped(state: TableState, event: e.PremoveDropped) -> TableState:
    others = tuple(premove for premove in state.premoves if premove.hand != event.hand)
    return replace(state, premoves=others, dropped=(*state.dropped, event.seat))


HANDLERS: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    e.NextDealScheduled: lambda state, event: replace(state, next_at=event.next_at, held=event.held),
    e.NextDealCancelled: lambda state, _: replace(state, next_at=None, held=False),
    e.MatchBegan: _match_began,
    e.MatchCutShort: _match_cut_short,
    e.MatchEnded: _match_ended,
    e.FantasylandsDropped: _fantasylands_dropped,
    e.PlaceTaken: _place_taken,
    e.PlaceAnnounced: _place_announced,
    e.DealBegan: _deal_began,
    e.ClockStarted: _clock_started,
    e.ClockStopped: _clock_stopped,
    e.TimeRanOut: _time_ran_out,
    e.TurnsBegan: lambda state, event: replace(state, turns=event.turns),
    e.PlayerReturned: lambda state, event: with_seat(state, event.seat, late=False, absent=False),
    e.DowntimeCompensated: _downtime_compensated,
    e.DealSettled: _deal_settled,
    e.PauseStarted: lambda state, event: replace(state, paused=event.at),
    e.PauseEnded: lambda state, event: replace(_shift_clocks(state, event.lasted), paused=None),
    e.TimeAdded: _time_added,
    e.RulesChosen: _rules_chosen,
    e.DelayRequested: _delay_requested,
    e.PremoveSet: _premove_set,
    e.PremoveDropped: _premove_dropped,
}
