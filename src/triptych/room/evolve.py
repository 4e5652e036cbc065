"""What each event changes at a table: one small function per event; nothing is checked again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from triptych.deal import evolve as deal
from triptych.deal.events import DealStarted
from triptych.room import events as e
from triptych.room import match as matches
from triptych.room.absence import becomes_absent
from triptych.room.accounts import with_accounts
from triptych.room.clock import SECOND, bank_resets, deal_ms, opening_bank, refilled
from triptych.room.hosting import owner
from triptych.room.manners import with_asked
from triptych.room.narrate import narrate
from triptych.room.state import Clock, Coming, Match, Place, Seat, Stake, TableState, Talk
from triptych.room.tournament import level_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TALK_KEPT = 60


def evolve(state: TableState | None, event: e.TableEvent) -> TableState:
    """Return the table after an event; `None` before the first one, which is `TableOpened`."""
    happened: Any = event.event
    if isinstance(happened, e.TableOpened):
        return _opened(happened)
    if state is None:
        message = f"a table begins with TableOpened, not {type(happened).__name__}"
        raise ValueError(message)
    change = _CHANGES.get(type(happened))
    if change is None:
        before = None if isinstance(happened, DealStarted) else state.deal
        return replace(state, version=state.version + 1, deal=deal.evolve(before, event))  # type: ignore[arg-type]
    after = change(state, happened)
    line = narrate(state, happened)
    talk = after.talk if line is None else _with_line(after.talk, Talk(happened.at, "", "", line))
    return replace(
        after,
        version=state.version + 1,
        at=max(state.at, happened.at),
        talk=talk,
        asked=with_asked(state, happened),
        accounts=with_accounts(state, happened),
    )


def evolve_all(state: TableState | None, events: Iterable[e.TableEvent]) -> TableState | None:
    """Return the table after several events, in their order."""
    for event in events:
        state = evolve(state, event)
    return state


def _opened(event: e.TableOpened) -> TableState:
    seats = tuple(Seat(number) for number in range(event.config.rules.seats.max))
    return TableState(event.config, version=1, at=event.at, seats=seats, begun=event.config.start == "full")


def _with_seat(state: TableState, seat: int, **changes: object) -> TableState:
    seats = state.seats
    changed = replace(seats[seat], **changes)
    return replace(state, seats=(*seats[:seat], changed, *seats[seat + 1 :]))


def _with_line(talk: tuple[Talk, ...], line: Talk) -> tuple[Talk, ...]:
    return (*talk[-(TALK_KEPT - 1) :], line)


def _player_sat(state: TableState, event: e.PlayerSat) -> TableState:
    seat = Seat(
        event.seat,
        event.player,
        event.name,
        since=state.version + 1,
        bot=event.bot,
        level=event.level,
        stack=event.buy_in,
        buy_in=event.buy_in,
        bank_ms=event.bank_ms,
    )
    seats = (*state.seats[: event.seat], seat, *state.seats[event.seat + 1 :])
    old = state.deal if state.settled else None
    if old is not None and any(hand.seat == event.seat for hand in old.hands):
        # Another player's board must not lie before the newcomer.
        return replace(state, seats=seats, deal=None)
    return replace(state, seats=seats)


def _topped_up(state: TableState, event: e.ToppedUp) -> TableState:
    return _with_seat(state, event.seat, stack=state.seats[event.seat].stack + event.points)


def _leave_asked(state: TableState, event: e.LeaveAsked) -> TableState:
    unseated = event.by_host or state.seats[event.seat].unseated
    return _with_seat(state, event.seat, leaving=True, unseated=unseated)


def _player_left(state: TableState, event: e.PlayerLeft) -> TableState:
    seats = (*state.seats[: event.seat], Seat(event.seat), *state.seats[event.seat + 1 :])
    stakes = tuple(one for one in state.stakes if event.seat not in (one.a, one.b))
    return replace(state, seats=seats, stakes=stakes)


def _sat_out(state: TableState, event: e.SatOut) -> TableState:
    return _with_seat(state, event.seat, sitting_out=True, ready=False)


def _sat_in(state: TableState, event: e.SatIn) -> TableState:
    unseated = state.seats[event.seat].unseated
    return _with_seat(state, event.seat, sitting_out=False, leaving=unseated, late=False, absent=False)


def _ready_said(state: TableState, event: e.ReadySaid) -> TableState:
    return _with_seat(state, event.seat, ready=True)


def _presence(state: TableState, player: str, *, here: bool) -> TableState:
    seats = tuple(replace(seat, connected=here) if seat.player == player else seat for seat in state.seats)
    return replace(state, seats=seats, host_here=here if player == owner(state) else state.host_here)


def _player_connected(state: TableState, event: e.PlayerConnected) -> TableState:
    named = tuple(
        replace(seat, name=event.name) if event.name and seat.player == event.player else seat for seat in state.seats
    )
    return _presence(replace(state, seats=named), event.player, here=True)


def _player_disconnected(state: TableState, event: e.PlayerDisconnected) -> TableState:
    return _presence(state, event.player, here=False)


def _said(state: TableState, event: e.Said) -> TableState:
    return replace(
        state, talk=_with_line(state.talk, Talk(event.at, event.player, event.name, event.text, event.seat))
    )


def _stake_offered(state: TableState, event: e.StakeOffered) -> TableState:
    a, b = sorted((event.seat, event.to))
    kept = tuple(one for one in state.stakes if (one.a, one.b, one.offered_by) != (a, b, event.seat))
    return replace(state, stakes=(*kept, Stake(a, b, event.stake, event.seat)))


def _stake_agreed(state: TableState, event: e.StakeAgreed) -> TableState:
    kept = tuple(one for one in state.stakes if (one.a, one.b) != (event.a, event.b))
    return replace(state, stakes=(*kept, Stake(event.a, event.b, event.stake)))


def _close_asked(state: TableState, _: e.CloseAsked) -> TableState:
    return replace(state, closing=True)


def _table_closed(state: TableState, _: e.TableClosed) -> TableState:
    return replace(state, closed=True, next_at=None)


def _scheduled(state: TableState, event: e.NextDealScheduled) -> TableState:
    return replace(state, next_at=event.next_at, held=event.held)


def _cancelled(state: TableState, _: e.NextDealCancelled) -> TableState:
    return replace(state, next_at=None, held=False)


def _match_began(state: TableState, event: e.MatchBegan) -> TableState:
    match = Match(event.number, event.seats, (0,) * len(event.seats))
    # A tournament deals in also who stays away; for them nobody waits again.
    seats = tuple(
        replace(seat, late=False, absent=False) if seat.connected and not seat.sitting_out else seat
        for seat in state.seats
    )
    return replace(state, matches=event.number, match=match, seats=seats)


def _cut_short(state: TableState, _: e.MatchCutShort) -> TableState:
    return state if state.match is None else replace(state, match=replace(state.match, cut_short=True))


def _match_ended(state: TableState, event: e.MatchEnded) -> TableState:
    verdict = "" if state.match is None else matches.verdict(state, state.match, event.payments)
    won = dict.fromkeys((seat.player for seat in state.seats), 0)
    for paid in event.payments:
        won[paid.payer] -= paid.points
        won[paid.payee] += paid.points
    seats = tuple(replace(seat, stack=seat.stack + won[seat.player]) if seat.player else seat for seat in state.seats)
    return _with_coming(replace(state, seats=seats, match=None, verdict=verdict))


def _place_taken(state: TableState, event: e.PlaceTaken) -> TableState:
    place = Place(event.player, state.seats[event.seat].name, event.place)
    return replace(state, places=(*state.places, place))


def _deal_began(state: TableState, event: e.DealBegan) -> TableState:
    rules = state.config.rules
    match = state.match or Match(state.matches, event.seats, (0,) * len(event.seats))
    match = replace(
        match,
        deals=match.deals + 1,
        rounds=match.rounds + (not matches.fantasyland_pending(state)),
        first=event.button if match.first is None else match.first,
        round_done=match.round_done or matches.passes(state, match, event.button),
        last=event.seats,
    )
    started = event.at if state.started is None else state.started
    resets = bank_resets(rules, event.number, event.at - started)
    hands = matches.hands_per_seat(rules)
    full = opening_bank(rules, None) if resets > state.bank_resets else 0
    one_hand = matches.fantasyland_pending(state)
    seats = tuple(
        replace(
            seat,
            ready=False,
            bank_ms=max(full, refilled(rules, seat.bank_ms)),
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
        seats=seats,
        button=event.button,
        match=match,
        deals=event.number,
        deal=None,
        settled=False,
        waited=(),
        next_at=None,
        held=False,
        verdict="",
        started=started,
        level=level_at(rules, event.number, event.at - started),
        bank_resets=resets,
        deal_stakes=tuple(one for one in state.stakes if one.offered_by is None),
    )


def _clock_started(state: TableState, event: e.ClockStarted) -> TableState:
    clock = Clock(event.seat, event.hands, event.started, event.street_ends, event.bank_ends)
    others = tuple(one for one in state.clocks if one.seat != event.seat)
    return replace(state, clocks=(*others, clock))


def _clock_stopped(state: TableState, event: e.ClockStopped) -> TableState:
    clocks = tuple(one for one in state.clocks if one.seat != event.seat)
    return _with_seat(replace(state, clocks=clocks), event.seat, bank_ms=event.bank_ms, deal_ms=event.deal_ms)


def _time_ran_out(state: TableState, event: e.TimeRanOut) -> TableState:
    seat = state.seats[event.seat]
    absent = seat.absent or becomes_absent(state.config.rules, seat)
    return _with_seat(state, event.seat, late=True, absent=absent)


def _came_back(state: TableState, event: e.CameBack) -> TableState:
    return _with_seat(state, event.seat, late=False, absent=False)


def _later(state: TableState, away: int) -> TableState:
    """Return a table whose clocks and next deal stood still for a time (ms)."""
    clocks = tuple(
        replace(one, started=one.started + away, street_ends=one.street_ends + away, bank_ends=one.bank_ends + away)
        for one in state.clocks
    )
    next_at = None if state.next_at is None else state.next_at + away
    started = None if state.started is None else state.started + away
    return replace(state, clocks=clocks, next_at=next_at, started=started)


def _resumed(state: TableState, event: e.TableResumed) -> TableState:
    away = event.downtime
    state = _later(state, away)
    paused = None if state.paused is None else state.paused + away
    moved = replace(state, paused=paused)
    if event.why != "restart":
        return moved
    seats = tuple(replace(seat, connected=False) if seat.person else seat for seat in state.seats)
    return replace(moved, seats=seats, host_here=False)


def _deal_settled(state: TableState, event: e.DealSettled) -> TableState:
    stacks = {one.seat: one.after for one in event.sheet.stacks}
    lands = {land.seat: land for land in event.fantasylands}
    seats = tuple(
        replace(
            seat,
            stack=stacks.get(seat.seat, seat.stack),
            fantasyland=lands[seat.seat].cards if seat.seat in lands else 0,
            in_row=lands[seat.seat].in_row if seat.seat in lands else 0,
        )
        for seat in state.seats
    )
    match = state.match
    if match is not None:
        won = {one.seat: one.points for one in event.points}
        points = tuple(points + won.get(seat, 0) for seat, points in zip(match.seats, match.points, strict=True))
        match = replace(match, points=points)
    return replace(state, seats=seats, match=match, settled=True, sheet=event.sheet, sheet_match=state.matches)


def _host_changed(state: TableState, event: e.HostChanged) -> TableState:
    return replace(state, owner=event.player, host_here=True)


def _play_started(state: TableState, _: e.PlayStarted) -> TableState:
    return replace(state, begun=True)


def _paused(state: TableState, event: e.TablePaused) -> TableState:
    return replace(state, paused=event.at)


def _went_on(state: TableState, event: e.TableWentOn) -> TableState:
    return replace(_later(state, event.lasted), paused=None)


def _locked(state: TableState, event: e.SeatsLocked) -> TableState:
    return replace(state, locked=event.locked)


def _banned(state: TableState, event: e.PlayerBanned) -> TableState:
    return replace(state, banned=(*state.banned, event.player))


def _time_added(state: TableState, event: e.TimeAdded) -> TableState:
    """Add to the bank; a clock that runs has it at its end, and leaves what is not used."""
    clocks = tuple(
        replace(one, bank_ends=one.bank_ends + event.ms) if one.seat == event.seat else one for one in state.clocks
    )
    bank_ms = state.seats[event.seat].bank_ms + event.ms
    return _with_seat(replace(state, clocks=clocks), event.seat, bank_ms=bank_ms)


def _rules_chosen(state: TableState, event: e.RulesChosen) -> TableState:
    coming = replace(state, coming=Coming(event.rules, event.pause))
    return coming if state.match is not None else _with_coming(coming)


def _with_coming(state: TableState) -> TableState:
    """Return the table under the rules that were chosen for the next match."""
    coming = state.coming
    if coming is None:
        return state
    config = replace(state.config, rules=coming.rules, pause=coming.pause)
    kept = state.seats[: coming.rules.seats.max]
    more = tuple(Seat(number) for number in range(len(kept), coming.rules.seats.max))
    full = coming.rules.clock.bank * SECOND
    seats = tuple(replace(seat, bank_ms=full) if seat.player else seat for seat in kept)
    # A board whose seat is gone cannot be shown any more.
    seen = state.deal is None or all(hand.seat < len(kept) for hand in state.deal.hands)
    return replace(state, config=config, seats=(*seats, *more), coming=None, deal=state.deal if seen else None)


def _wait_asked(state: TableState, event: e.WaitAsked) -> TableState:
    seats = tuple(replace(seat, ready=False) if seat.seat == event.seat else seat for seat in state.seats)
    return replace(state, seats=seats, next_at=event.next_at, waited=(*state.waited, event.seat))


_CHANGES: dict[type, Callable[[TableState, Any], TableState]] = {
    e.PlayerSat: _player_sat,
    e.ToppedUp: _topped_up,
    e.LeaveAsked: _leave_asked,
    e.PlayerLeft: _player_left,
    e.SatOut: _sat_out,
    e.SatIn: _sat_in,
    e.ReadySaid: _ready_said,
    e.PlayerConnected: _player_connected,
    e.PlayerDisconnected: _player_disconnected,
    e.Said: _said,
    e.StakeOffered: _stake_offered,
    e.StakeAgreed: _stake_agreed,
    e.CloseAsked: _close_asked,
    e.TableClosed: _table_closed,
    e.NextDealScheduled: _scheduled,
    e.NextDealCancelled: _cancelled,
    e.MatchBegan: _match_began,
    e.MatchCutShort: _cut_short,
    e.MatchEnded: _match_ended,
    e.PlaceTaken: _place_taken,
    e.DealBegan: _deal_began,
    e.ClockStarted: _clock_started,
    e.ClockStopped: _clock_stopped,
    e.TimeRanOut: _time_ran_out,
    e.CameBack: _came_back,
    e.TableResumed: _resumed,
    e.DealSettled: _deal_settled,
    e.HostChanged: _host_changed,
    e.PlayStarted: _play_started,
    e.TablePaused: _paused,
    e.TableWentOn: _went_on,
    e.SeatsLocked: _locked,
    e.PlayerBanned: _banned,
    e.TimeAdded: _time_added,
    e.RulesChosen: _rules_chosen,
    e.WaitAsked: _wait_asked,
}
