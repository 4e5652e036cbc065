"""Handles the requests of players: one small function per request, which emits events or raises an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from triptych.i18n.messages import Message
from triptych.table.names import unique_name
from triptych.tournament import commands as c
from triptych.tournament import events as e
from triptych.tournament.draft import Draft
from triptych.tournament.errors import TournamentError
from triptych.tournament.league import is_league
from triptych.tournament.levels import can_register, is_late_entry_open
from triptych.tournament.progress import close_table, register_bots, start
from triptych.tournament.state import TournamentState, entry_of, open_tables


def handle_command(draft: Draft, command: c.Command, request: c.TournamentRequest) -> None:
    """Add the events of a player's request to the draft. Raises TournamentError."""
    if not isinstance(request, c.Register | c.Withdraw):
        if command.player != draft.state.config.host:
            raise TournamentError("cup.not_host", Message("error.cup.not_host"))
        if isinstance(request, c.PausePlay | c.ResumePlay):
            _verify_running(draft.state)
        elif not isinstance(request, c.RemovePlayer | c.Cancel):
            _verify_open(draft.state)
    _HANDLERS[type(request)](draft, command, request)


def _verify_open(state: TournamentState) -> None:
    if state.phase != "open":
        raise TournamentError("cup.begun", Message("error.cup.begun"))


def _verify_running(state: TournamentState) -> None:
    if state.phase != "running":
        raise TournamentError("cup.not_begun", Message("error.cup.not_begun"))


def _register(draft: Draft, command: c.Command, _: c.Register) -> None:
    state = draft.state
    entry = entry_of(state, command.player)
    if can_register(state, command.player):
        if entry is not None:
            draft.emit(e.Reentered(draft.now, command.player))
            return
        names = [entry.name for entry in state.entries]
        draft.emit(e.Registered(draft.now, command.player, unique_name(command.name or "Guest", names)))
        return
    if entry is not None and not entry.out:
        raise TournamentError("cup.registered", Message("error.cup.registered"))
    if entry is None and (state.phase == "open" or is_late_entry_open(state)):
        raise TournamentError("cup.full", Message("error.cup.full"))
    raise TournamentError("cup.closed", Message("error.cup.registration_closed"))


def _withdraw(draft: Draft, command: c.Command, _: c.Withdraw) -> None:
    _verify_open(draft.state)
    if entry_of(draft.state, command.player) is None:
        raise TournamentError("cup.not_registered", Message("error.cup.not_registered"))
    draft.emit(e.Withdrew(draft.now, command.player))


def _add_bots(draft: Draft, _: c.Command, request: c.AddBots) -> None:
    config = draft.state.config
    if not config.bots_allowed or not request.level:
        raise TournamentError("cup.bots", Message("error.cup.people_only"), "$.level")
    free = config.most - len(draft.state.entries)
    if request.count > free:
        raise TournamentError("cup.full", Message("error.cup.places_left", free=free), "$.count")
    register_bots(draft, request.level, request.count)


def _remove_bots(draft: Draft, _: c.Command, __: c.RemoveBots) -> None:
    bots = [entry for entry in draft.state.entries if entry.bot]
    if not bots:
        raise TournamentError("cup.bots", Message("error.cup.no_bot"))
    for bot in bots:
        draft.emit(e.Withdrew(draft.now, bot.player))


def _cancel(draft: Draft, _: c.Command, __: c.Cancel) -> None:
    """Cancel the tournament; matches in progress are played to their end, then their tables close."""
    draft.emit(e.TournamentCancelled(draft.now))
    for table in open_tables(draft.state):
        close_table(draft, table)


def _pause(draft: Draft, _: c.Command, __: c.PausePlay) -> None:
    if draft.state.paused is not None:
        raise TournamentError("cup.paused", Message("error.cup.already_paused"))
    draft.emit(e.PauseStarted(draft.now))


def _resume(draft: Draft, _: c.Command, __: c.ResumePlay) -> None:
    if draft.state.paused is None:
        raise TournamentError("cup.paused", Message("error.cup.not_paused"))
    draft.emit(e.PauseEnded(draft.now, max(0, draft.now - draft.state.paused)))


def _remove(draft: Draft, _: c.Command, request: c.RemovePlayer) -> None:
    entry = entry_of(draft.state, request.player)
    if entry is None or entry.out or entry.disqualified:
        raise TournamentError("cup.not_registered", Message("error.cup.player_not_registered"), "$.player")
    if draft.state.phase == "open":
        draft.emit(e.Withdrew(draft.now, request.player))
    elif is_league(draft.state):
        raise TournamentError("cup.rounds", Message("error.cup.league_leave"), "$.player")
    else:
        draft.emit(e.PlayerDisqualified(draft.now, request.player))


_HANDLERS: dict[type, Callable[[Draft, c.Command, Any], None]] = {
    c.Register: _register,
    c.Withdraw: _withdraw,
    c.AddBots: _add_bots,
    c.RemoveBots: _remove_bots,
    c.StartNow: lambda draft, _, __: start(draft),
    c.Cancel: _cancel,
    c.PausePlay: _pause,
    c.ResumePlay: _resume,
    c.RemovePlayer: _remove,
}
