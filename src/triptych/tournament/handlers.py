"""What each request of a player brings about, or why it is refused: one small function per request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triptych.table.names import distinct
from triptych.tournament import commands as c
from triptych.tournament import events as e
from triptych.tournament.errors import CupError
from triptych.tournament.league import is_league
from triptych.tournament.levels import lets_in, may_enter
from triptych.tournament.progress import register_bots, start
from triptych.tournament.state import entry_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from triptych.tournament.draft import Draft
    from triptych.tournament.state import CupState


def answer(draft: Draft, command: c.Command, request: c.CupRequest) -> None:
    """Put into the draft what a player's request brings. Raises CupError."""
    if not isinstance(request, c.Register | c.Withdraw):
        if command.player != draft.state.config.host:
            raise CupError("cup.not_host", "only who opened the tournament can do this")
        if isinstance(request, c.PausePlay | c.GoOn):
            _verify_running(draft.state)
        elif not isinstance(request, c.Remove):
            _verify_open(draft.state)
    _ANSWERS[type(request)](draft, command, request)


def _verify_open(state: CupState) -> None:
    if state.phase != "open":
        raise CupError("cup.begun", "the tournament has begun")


def _verify_running(state: CupState) -> None:
    if state.phase != "running":
        raise CupError("cup.not_begun", "the tournament has not begun")


def _register(draft: Draft, command: c.Command, _: c.Register) -> None:
    state = draft.state
    entry = entry_of(state, command.player)
    if may_enter(state, command.player):
        if entry is not None:
            draft.tell(e.Reentered(draft.now, command.player))
            return
        names = [one.name for one in state.entries]
        draft.tell(e.Registered(draft.now, command.player, distinct(command.name or "Guest", names)))
        return
    if entry is not None and not entry.out:
        raise CupError("cup.registered", "you take part already")
    if entry is None and (state.phase == "open" or lets_in(state)):
        raise CupError("cup.full", "all places are taken")
    raise CupError("cup.closed", "nobody comes in any more")


def _withdraw(draft: Draft, command: c.Command, _: c.Withdraw) -> None:
    _verify_open(draft.state)
    if entry_of(draft.state, command.player) is None:
        raise CupError("cup.not_registered", "you have not registered")
    draft.tell(e.Withdrew(draft.now, command.player))


def _add_bots(draft: Draft, _: c.Command, request: c.AddBots) -> None:
    config = draft.state.config
    if not config.bots_allowed or not request.level:
        raise CupError("cup.bots", "this tournament is for people only", "$.level")
    free = config.most - len(draft.state.entries)
    if request.count > free:
        raise CupError("cup.full", f"there are places for {free} more", "$.count")
    register_bots(draft, request.level, request.count)


def _remove_bots(draft: Draft, _: c.Command, __: c.RemoveBots) -> None:
    bots = [entry for entry in draft.state.entries if entry.bot]
    if not bots:
        raise CupError("cup.bots", "no bot takes part")
    for bot in bots:
        draft.tell(e.Withdrew(draft.now, bot.player))


def _begin(draft: Draft, _: c.Command, __: c.Begin) -> None:
    start(draft)


def _call_off(draft: Draft, _: c.Command, __: c.CallOff) -> None:
    draft.tell(e.CupCancelled(draft.now))


def _pause(draft: Draft, _: c.Command, __: c.PausePlay) -> None:
    if draft.state.paused is not None:
        raise CupError("cup.paused", "the tournament is paused already")
    draft.tell(e.CupPaused(draft.now))


def _go_on(draft: Draft, _: c.Command, __: c.GoOn) -> None:
    if draft.state.paused is None:
        raise CupError("cup.paused", "the tournament is not paused")
    draft.tell(e.CupWentOn(draft.now, max(0, draft.now - draft.state.paused)))


def _remove(draft: Draft, _: c.Command, request: c.Remove) -> None:
    entry = entry_of(draft.state, request.player)
    if entry is None or entry.out or entry.barred:
        raise CupError("cup.not_registered", "this player takes no part", "$.player")
    if draft.state.phase == "open":
        draft.tell(e.Withdrew(draft.now, request.player))
    elif is_league(draft.state):
        raise CupError("cup.rounds", "a league is played to its end by all who began it", "$.player")
    else:
        draft.tell(e.PlayerBarred(draft.now, request.player))


_ANSWERS: dict[type, Callable[[Draft, c.Command, Any], None]] = {
    c.Register: _register,
    c.Withdraw: _withdraw,
    c.AddBots: _add_bots,
    c.RemoveBots: _remove_bots,
    c.Begin: _begin,
    c.CallOff: _call_off,
    c.PausePlay: _pause,
    c.GoOn: _go_on,
    c.Remove: _remove,
}
