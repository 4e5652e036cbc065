"""A tournament from its announcement to its winner: what the server calls. Pure: time and the draw are arguments.

`decide` answers a command with events or raises CupError; `evolve` (evolve.py) turns events into the next state. The
tables are the house's own: each has its orders (`CupTable.order`), and `Reported` says how an order's match ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.tournament import commands as c
from triptych.tournament import events as e
from triptych.tournament.config import verify_config
from triptych.tournament.draft import Draft
from triptych.tournament.errors import CupError
from triptych.tournament.evolve import evolve
from triptych.tournament.handlers import answer
from triptych.tournament.levels import level_ends, reentry_closes
from triptych.tournament.progress import follow, report, tick
from triptych.tournament.state import CupConfig, CupState

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CupConfig", "CupState", "decide", "decided", "evolve", "open_cup", "wakeup"]


def open_cup(config: CupConfig, now: int) -> tuple[e.CupEvent, ...]:
    """Return the first event of a tournament. Raises CupError when it cannot be played as announced."""
    verify_config(config, now)
    return (e.CupOpened(now, config),)


def decide(
    state: CupState, command: c.Command, now: int, draw: Callable[[int], tuple[int, ...]]
) -> tuple[e.CupEvent, ...]:
    """Return what a command brings about; empty when nothing follows from it.

    `now` in ms; `draw(n)` gives 0 to n-1 in random order. Raises CupError; the state is as it was then.
    """
    return tuple(decided(state, command, now, draw).events)


def decided(state: CupState, command: c.Command, now: int, draw: Callable[[int], tuple[int, ...]]) -> Draft:
    """Return what a command brings about, with the tournament as it is after those events. As `decide` otherwise."""
    draft = Draft(state, max(now, state.at), draw)
    request = command.request
    over = state.phase in ("over", "cancelled")
    if isinstance(request, c.SystemRequest):
        if not over:
            _system(draft, request)
            follow(draft)
        return draft
    if not command.player:
        raise CupError("player.unknown", "a request comes from a player")
    if over:
        raise CupError("cup.closed", "this tournament is over")
    answer(draft, command, request)
    follow(draft)
    return draft


def wakeup(state: CupState) -> int | None:
    """Return when a `Tick` is due (ms), None when nothing is to happen by itself."""
    if state.phase == "open":
        return state.config.starts_at
    if state.phase != "running" or state.paused is not None:
        return None
    due = (state.rest_ends, level_ends(state), reentry_closes(state))
    return min((at for at in due if at is not None), default=None)


def _system(draft: Draft, request: c.SystemRequest) -> None:
    if isinstance(request, c.Tick):
        tick(draft)
    elif isinstance(request, c.Reported):
        report(draft, request)
    elif draft.state.phase == "running":
        downtime = max(0, draft.now - max(request.since, draft.state.at))
        if downtime:
            draft.tell(e.CupResumed(draft.now, downtime))
