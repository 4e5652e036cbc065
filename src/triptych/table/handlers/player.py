"""Handles the requests of players: one small function per request, which emits events or raises an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from triptych.deal.events import Hinted
from triptych.deal.state import acting_hands
from triptych.i18n.messages import Message
from triptych.rulesets.model import is_closed
from triptych.table import commands as c
from triptych.table import events as e
from triptych.table.buy_in import counts_after_match, top_up_bounds, verify_buy_in
from triptych.table.clock import opening_bank
from triptych.table.deck_commitment import commit_chain, reveal_link
from triptych.table.draft import Draft
from triptych.table.errors import TableError
from triptych.table.handlers.host import handle_host_command
from triptych.table.host import acting_host
from triptych.table.match import lineup
from triptych.table.names import readable_line, unique_name
from triptych.table.rate_limit import verify_rate
from triptych.table.seats import free_seat, occupied_seat, own_seat, verify_free, verify_joining, verify_not_banned
from triptych.table.state import Seat, TableState, other_names, seat_of

TALK_LENGTH = 240
TALK_LINES = 5
TALK_WINDOW = 10_000
MAX_STAKE = 10_000
WAIT_MS = 60_000
# The requests that players may make at a tournament's table; `may` of view.py has their tags.
TOURNAMENT_REQUESTS = (c.SitOut, c.SitIn, c.Ready, c.Say, c.PlaceFor, c.CommitChain, c.RevealLink)


def handle_player_command(draft: Draft, command: c.Command) -> None:
    """Add the events of a player's request (other than an action in the deal) to the draft.

    Raises TableError.
    """
    if not isinstance(command.request, c.Ready | c.Say | c.RevealLink):
        verify_rate(draft.state, command.player, draft.now)
    if draft.state.config.cup and not isinstance(command.request, TOURNAMENT_REQUESTS):
        raise TableError("table.tournament", Message("error.cup.decides"))
    if isinstance(command.request, c.HostRequest):
        handle_host_command(draft, command)
    else:
        _HANDLERS[type(command.request)](draft, command, command.request)


def _sit(draft: Draft, command: c.Command, request: c.Sit) -> None:
    state = draft.state
    verify_joining(state)
    verify_not_banned(state, command.player)
    if seat_of(state, command.player) is not None:
        raise TableError("player.already_seated", Message("error.player.already_seated"))
    if state.locked and command.player != acting_host(state):
        raise TableError("table.locked", Message("error.table.locked"))
    verify_free(state, request.seat)
    verify_buy_in(state.config.rules, request.buy_in)
    bank = opening_bank(state.config.rules, command.bank_ms)
    name = unique_name(command.name or f"Player {request.seat + 1}", other_names(state, command.player))
    table = state.config.table
    program = command.program
    draft.emit(
        e.PlayerSat(draft.now, table, request.seat, command.player, name, request.buy_in, bank, program=program)
    )
    if request.head is not None:
        commit_chain(draft, command.player, request.head)
    if request.ready and not state.begun:
        draft.emit(e.ReadyDeclared(draft.now, request.seat))


def _leave(draft: Draft, command: c.Command, _: c.Leave) -> None:
    seat = own_seat(draft.state, command.player)
    free_seat(draft, seat, by_host=False)


def _top_up(draft: Draft, command: c.Command, request: c.TopUp) -> None:
    state = draft.state
    seat = own_seat(state, command.player)
    minimum, maximum = top_up_bounds(state, seat)
    if 1 <= request.points < minimum:
        message = Message("error.points.too_few", least=minimum, most=maximum, points=request.points)
        raise TableError("points.too_few", message, "$.points")
    if not minimum <= request.points <= maximum:
        message = (
            Message("error.points.top_up_range", most=maximum) if maximum > 0 else Message("error.points.stack_full")
        )
        raise TableError("points.too_many", message, "$.points")
    if not counts_after_match(state, seat):
        draft.emit(e.ToppedUp(draft.now, state.config.table, seat.seat, seat.player, request.points))
    elif seat.planned_buy_in == request.points:
        raise TableError("request.repeated", Message("error.points.already_planned"), "$.points")
    else:
        draft.emit(e.BuyInPlanned(draft.now, seat.seat, request.points))


def _sit_out(draft: Draft, command: c.Command, _: c.SitOut) -> None:
    seat = own_seat(draft.state, command.player)
    if seat.sitting_out:
        raise TableError("request.repeated", Message("error.seat.already_out"))
    draft.emit(e.SatOut(draft.now, seat.seat))


def mark_returned(draft: Draft, seat: Seat) -> None:
    """Record that a player whose time had run out acts again."""
    if seat.late:
        draft.emit(e.PlayerReturned(draft.now, seat.seat))


def may_sit_in(seat: Seat) -> bool:
    """Return whether a player can end sitting out, leaving or being away; not if the host freed their seat."""
    return not seat.unseated and (seat.sitting_out or seat.absent or seat.leaving)


def _sit_in(draft: Draft, command: c.Command, _: c.SitIn) -> None:
    seat = own_seat(draft.state, command.player)
    if not may_sit_in(seat):
        raise TableError("request.repeated", Message("error.seat.not_out"))
    draft.emit(e.SatIn(draft.now, seat.seat))


def _ready(draft: Draft, command: c.Command, _: c.Ready) -> None:
    seat = own_seat(draft.state, command.player)
    if draft.state.next_at is None and draft.state.begun:
        raise TableError("ready.nothing", Message("error.ready.nothing"))
    if seat.ready:
        raise TableError("request.repeated", Message("error.ready.already"))
    mark_returned(draft, seat)
    draft.emit(e.ReadyDeclared(draft.now, seat.seat))


def _say(draft: Draft, command: c.Command, request: c.Say) -> None:
    verify_not_banned(draft.state, command.player)
    if command.player in draft.state.muted:
        raise TableError("player.muted", Message("error.player.muted"))
    text = readable_line(request.text)
    if not text:
        raise TableError("talk.empty", Message("error.talk.empty"), "$.text")
    if len(text) > TALK_LENGTH:
        raise TableError("talk.too_long", Message("error.talk.too_long", most=TALK_LENGTH), "$.text")
    since = draft.now - TALK_WINDOW
    recent = sum(line.player == command.player and line.at > since for line in draft.state.talk)
    if recent >= TALK_LINES:
        raise TableError("talk.too_fast", Message("error.talk.too_fast"))
    seat = seat_of(draft.state, command.player)
    if seat is None:
        name = unique_name(command.name or "Guest", other_names(draft.state, command.player))
        draft.emit(e.ChatSent(draft.now, command.player, name, text))
    else:
        draft.emit(e.ChatSent(draft.now, command.player, seat.name, text, seat.seat))


def _offer_stake(draft: Draft, command: c.Command, request: c.OfferStake) -> None:
    state = draft.state
    seat = own_seat(state, command.player)
    other = occupied_seat(state, request.seat)
    if other.seat == seat.seat:
        raise TableError("stake.self", Message("error.stake.self"), "$.seat")
    if other.bot:
        raise TableError("stake.bot", Message("error.stake.bot"), "$.seat")
    if not 1 <= request.stake <= MAX_STAKE:
        raise TableError("stake.range", Message("error.stake.range", most=MAX_STAKE), "$.stake")
    a, b = sorted((seat.seat, other.seat))
    offers = {stake.offered_by: stake.stake for stake in state.stakes if (stake.a, stake.b) == (a, b)}
    if offers.get(seat.seat) == request.stake:
        raise TableError("request.repeated", Message("error.stake.already_offered", name=other.name), "$.stake")
    if offers.get(None, 1) == request.stake and other.seat not in offers:
        raise TableError("request.repeated", Message("error.stake.unchanged"), "$.stake")
    if offers.get(other.seat) == request.stake:
        draft.emit(e.StakeAgreed(draft.now, a, b, request.stake))
    else:
        draft.emit(e.StakeOffered(draft.now, seat.seat, other.seat, request.stake))


def _decline_stake(draft: Draft, command: c.Command, request: c.DeclineStake) -> None:
    seat = own_seat(draft.state, command.player)
    _remove_offer(draft, request.seat, seat.seat, declined=True)


def _withdraw_stake(draft: Draft, command: c.Command, request: c.WithdrawStake) -> None:
    seat = own_seat(draft.state, command.player)
    _remove_offer(draft, seat.seat, request.seat, declined=False)


def _remove_offer(draft: Draft, seat: int, to: int, *, declined: bool) -> None:
    pair = (min(seat, to), max(seat, to))
    if not any((stake.a, stake.b) == pair and stake.offered_by == seat for stake in draft.state.stakes):
        raise TableError("stake.none", Message("error.stake.none"), "$.seat")
    draft.emit(e.StakeOfferRemoved(draft.now, seat, to, declined))


def may_delay(state: TableState, seat: Seat) -> bool:
    """Return whether a player may request a minute more: once a deal, without a clock any number of times."""
    return seat.seat not in state.delayed_seats or state.config.rules.clock.kind == "none"


def _request_delay(draft: Draft, command: c.Command, _: c.RequestDelay) -> None:
    state = draft.state
    seat = own_seat(state, command.player)
    if state.next_at is None or seat.seat not in lineup(state):
        raise TableError("ready.nothing", Message("error.ready.nothing"))
    if not may_delay(state, seat):
        raise TableError("request.repeated", Message("error.ready.already_delayed"))
    draft.emit(e.DelayRequested(draft.now, seat.seat, max(state.next_at, draft.now) + WAIT_MS))


def _request_hint(draft: Draft, command: c.Command, request: c.RequestHint) -> None:
    """Record a hint; the player's own device computes it from what the player knows."""
    state = draft.state
    seat = own_seat(state, command.player)
    if not state.hints:
        raise TableError("hint.not_allowed", Message("error.hint.not_allowed"))
    deal = state.deal
    own_hands = () if deal is None else [hand for hand in acting_hands(deal) if deal.hands[hand].seat == seat.seat]
    if deal is None or request.hand not in own_hands or is_closed(deal.rules):
        raise TableError("hint.nothing", Message("error.hint.nothing"), "$.hand")
    draft.emit(Hinted(request.hand))
    draft.emit(e.HintRequested(draft.now, seat.seat))


_HANDLERS: dict[type, Callable[[Draft, c.Command, Any], None]] = {
    c.Sit: _sit,
    c.Leave: _leave,
    c.TopUp: _top_up,
    c.SitOut: _sit_out,
    c.SitIn: _sit_in,
    c.Ready: _ready,
    c.Say: _say,
    c.OfferStake: _offer_stake,
    c.DeclineStake: _decline_stake,
    c.WithdrawStake: _withdraw_stake,
    c.RequestDelay: _request_delay,
    c.CommitChain: lambda draft, command, request: commit_chain(draft, command.player, request.head),
    c.RevealLink: lambda draft, command, request: reveal_link(draft, command.player, request.number, request.link),
    c.RequestHint: _request_hint,
}
