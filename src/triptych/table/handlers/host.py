"""Handles the requests of the host: one small function per request, which emits events or raises an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from triptych.i18n.messages import Message
from triptych.rulesets.errors import RulesError
from triptych.rulesets.load import resolve, with_changes
from triptych.rulesets.model import Ruleset, bankroll_mode, is_tournament
from triptych.rulesets.validate import check
from triptych.table import commands as c
from triptych.table import events as e
from triptych.table.buy_in import verify_buy_in
from triptych.table.clock import MS_PER_SECOND, opening_bank
from triptych.table.draft import Draft
from triptych.table.errors import TableError
from triptych.table.host import acting_host, owner, verify_not_owner, verify_owner
from triptych.table.match import enough_players
from triptych.table.names import readable_name, unique_name
from triptych.table.seats import free_seat, occupied_seat, verify_free, verify_joining
from triptych.table.state import Seat, TableState, other_names, seat_of

MAX_RULES = 8_000  # characters
NO_HINTS_IN_TOURNAMENTS = Message("error.hint.tournament")
_BOT_NAMES = ("Ada", "Bruno", "Clara", "Diego")


def handle_host_command(draft: Draft, command: c.Command) -> None:
    """Add the events of a host's request to the draft.

    Raises TableError, `player.not_host` for other players.
    """
    if command.player != acting_host(draft.state):
        raise TableError("player.not_host", Message("error.player.not_host"))
    _HANDLERS[type(command.request)](draft, command.request)


def _seat_bot(draft: Draft, request: c.SeatBot) -> None:
    state = draft.state
    config = state.config
    verify_joining(state)
    if not config.bots_allowed:
        raise TableError("bots.not_allowed", Message("error.bots.not_allowed"))
    if not request.level or (config.levels and request.level not in config.levels):
        levels = ", ".join(config.levels) or "any name"
        raise TableError("bot.level", Message("error.bot.level", level=repr(request.level), levels=levels), "$.level")
    verify_free(state, request.seat)
    verify_buy_in(config.rules, request.buy_in)
    # The version makes the ids of all bots of the table different, as the ledger requires.
    player = f"bot:{config.table}:{request.seat}:{state.version}"
    draft.emit(
        e.PlayerSat(
            draft.now,
            config.table,
            request.seat,
            player,
            unique_name(_BOT_NAMES[request.seat], other_names(state, player)),
            request.buy_in,
            opening_bank(config.rules, None),
            bot=True,
            level=request.level,
        )
    )


def _unseat(draft: Draft, request: c.Unseat) -> None:
    seat = occupied_seat(draft.state, request.seat)
    verify_not_owner(draft.state, seat)
    free_seat(draft, seat, by_host=True)


def _close_table(draft: Draft, _: c.CloseTable) -> None:
    verify_owner(draft.state)
    if draft.state.closing:
        raise TableError("request.repeated", Message("error.table.already_closing"))
    draft.emit(e.CloseRequested(draft.now))


def _start(draft: Draft, _: c.Start) -> None:
    if draft.state.begun:
        raise TableError("request.repeated", Message("error.table.already_started"))
    if not enough_players(draft.state):
        raise TableError("table.too_few", Message("error.table.too_few"))
    draft.emit(e.PlayStarted(draft.now))


def _pause(draft: Draft, _: c.Pause) -> None:
    if draft.state.paused is not None:
        raise TableError("request.repeated", Message("error.table.already_paused"))
    draft.emit(e.PauseStarted(draft.now))


def _resume_play(draft: Draft, _: c.ResumePlay) -> None:
    if draft.state.paused is None:
        raise TableError("request.repeated", Message("error.table.not_paused"))
    draft.emit(e.PauseEnded(draft.now, max(0, draft.now - draft.state.paused)))


def _lock_seats(draft: Draft, request: c.LockSeats) -> None:
    if draft.state.locked == request.locked:
        message = Message("error.table.already_locked" if request.locked else "error.table.already_unlocked")
        raise TableError("request.repeated", message, "$.locked")
    draft.emit(e.SeatsLocked(draft.now, request.locked))


def _person(state: TableState, number: int) -> Seat:
    seat = occupied_seat(state, number)
    if seat.bot:
        raise TableError("seat.bot", Message("error.seat.bot", name=seat.name), "$.seat")
    return seat


def _transfer_host(draft: Draft, request: c.TransferHost) -> None:
    seat = _person(draft.state, request.seat)
    if seat.player == acting_host(draft.state):
        raise TableError("request.repeated", Message("error.host.already_you"), "$.seat")
    verify_owner(draft.state)
    if not seat.connected:
        raise TableError("seat.away", Message("error.seat.away", name=seat.name), "$.seat")
    draft.emit(e.HostChanged(draft.now, seat.seat, seat.player))


def _ban(draft: Draft, request: c.Ban) -> None:
    seat = _person(draft.state, request.seat)
    if seat.player == acting_host(draft.state):
        raise TableError("player.is_host", Message("error.player.is_host"), "$.seat")
    verify_not_owner(draft.state, seat)
    if seat.player in draft.state.banned:
        raise TableError("request.repeated", Message("error.player.already_leaving", name=seat.name), "$.seat")
    draft.emit(e.PlayerBanned(draft.now, seat.seat, seat.player))
    if not seat.unseated:
        free_seat(draft, draft.state.seats[seat.seat], by_host=True)


def _verify_viewer(state: TableState, player: str) -> None:
    """Raise TableError `player.seated` for a player who is not a spectator: seated, the owner or the host."""
    if seat_of(state, player) is not None or player in (owner(state), acting_host(state)):
        raise TableError("player.seated", Message("error.player.seated"), "$.player")


def _mute_viewer(draft: Draft, request: c.MuteViewer) -> None:
    _verify_viewer(draft.state, request.player)
    if (request.player in draft.state.muted) == request.muted:
        raise TableError("request.repeated", Message("error.player.mute_unchanged"), "$.muted")
    draft.emit(e.ViewerMuted(draft.now, request.player, request.muted))


def _remove_viewer(draft: Draft, request: c.RemoveViewer) -> None:
    _verify_viewer(draft.state, request.player)
    if request.player in draft.state.removed:
        raise TableError("request.repeated", Message("error.player.already_removed"), "$.player")
    draft.emit(e.ViewerRemoved(draft.now, request.player))


def _add_time(draft: Draft, request: c.AddTime) -> None:
    if draft.state.config.rules.clock.kind == "none":
        raise TableError("clock.none", Message("error.clock.none"))
    seat = occupied_seat(draft.state, request.seat)
    draft.emit(e.TimeAdded(draft.now, seat.seat, request.seconds * MS_PER_SECOND))


def _change_rules(draft: Draft, request: c.ChangeRules) -> None:
    """Rules that need more seats or another bankroll mode are rejected: they need another table."""
    state = draft.state
    before = state.next_rules or state.config
    rules = _read_rules(request.rules, before.rules)
    taken_seats = [seat.seat for seat in state.seats if seat.player]
    if rules.seats.max <= max(taken_seats, default=-1):
        message = Message("error.table.rules_seat_taken", seats=rules.seats.max, seat=max(taken_seats) + 1)
        raise TableError("table.seats", message, "$.rules.seats.max")
    if is_tournament(rules) or is_tournament(state.config.rules):
        raise TableError("table.tournament", Message("error.cup.rules_fixed"), "$.rules")
    if bankroll_mode(rules) != bankroll_mode(state.config.rules):
        raise TableError("table.purse", Message("error.table.purse"), "$.rules.settlement")
    draft.emit(e.RulesChosen(draft.now, rules, before.pause if request.pause is None else request.pause))


def _allow_arranging(draft: Draft, request: c.AllowArranging) -> None:
    if draft.state.arranging == request.allowed:
        message = Message("error.arrange.already_allowed" if request.allowed else "error.arrange.already_forbidden")
        raise TableError("request.repeated", message, "$.allowed")
    draft.emit(e.ArrangingAllowed(draft.now, request.allowed))


def _allow_hints(draft: Draft, request: c.AllowHints) -> None:
    if is_tournament(draft.state.config.rules):
        raise TableError("hint.tournament", NO_HINTS_IN_TOURNAMENTS, "$.allowed")
    if draft.state.hints == request.allowed:
        message = Message("error.hint.already_allowed" if request.allowed else "error.hint.already_forbidden")
        raise TableError("request.repeated", message, "$.allowed")
    draft.emit(e.HintsAllowed(draft.now, request.allowed))


def _change_details(draft: Draft, request: c.ChangeDetails) -> None:
    config = draft.state.config
    name = config.name if request.name is None else readable_name(request.name)
    if name is None:
        raise TableError("name.bad", Message("error.name.invisible"), "$.name")
    private = config.private if request.private is None else request.private
    if (name, private) == (config.name, config.private):
        raise TableError("request.repeated", Message("error.table.details_unchanged"))
    draft.emit(e.DetailsChanged(draft.now, name, private))


def _read_rules(spec: str | dict[str, Any], before: Ruleset) -> Ruleset:
    """Return the requested rules; options without a preset change the rules before. Raises TableError."""
    # Rules are read while all other tables wait, so their size is limited.
    if len(repr(spec)) > MAX_RULES:
        raise TableError("table.rules", Message("error.table.rules"), "$.rules")
    try:
        if isinstance(spec, str) or "preset" in spec or "extends" in spec:
            rules = resolve(spec)
        else:
            rules = with_changes(before, spec)
    except RulesError as error:
        raise TableError("table.rules", error.message, error.path.replace("$", "$.rules", 1)) from None
    verify_rules(rules)
    return rules


def verify_rules(rules: Ruleset) -> None:
    """Raise TableError `table.rules` for rules that cannot be played."""
    problem = next((result for result in check(rules) if result.severity == "error"), None)
    if problem is not None:
        raise TableError("table.rules", problem.message, problem.path.replace("$", "$.rules", 1))


_HANDLERS: dict[type, Callable[[Draft, Any], None]] = {
    c.SeatBot: _seat_bot,
    c.Unseat: _unseat,
    c.CloseTable: _close_table,
    c.Start: _start,
    c.Pause: _pause,
    c.ResumePlay: _resume_play,
    c.LockSeats: _lock_seats,
    c.TransferHost: _transfer_host,
    c.Ban: _ban,
    c.MuteViewer: _mute_viewer,
    c.RemoveViewer: _remove_viewer,
    c.AddTime: _add_time,
    c.ChangeRules: _change_rules,
    c.AllowArranging: _allow_arranging,
    c.AllowHints: _allow_hints,
    c.ChangeDetails: _change_details,
}
