"""The interface of the tournament package for the server.

Pure: time and the draw of seats are arguments.

`decide` turns a command into events or raises TournamentError; `evolve` (evolve.py) turns events into the next state.
The server runs the tables: each gets its orders (`TournamentTable.order`), and `ReportMatch` has the result of an
order's match.
"""

from __future__ import annotations

from collections.abc import Callable

from triptych.i18n.messages import Message
from triptych.tournament import commands as c
from triptych.tournament import events as e
from triptych.tournament.config import verify_config
from triptych.tournament.draft import Draft
from triptych.tournament.errors import TournamentError
from triptych.tournament.evolve import evolve
from triptych.tournament.handlers import handle_command
from triptych.tournament.levels import level_ends, reentry_closes
from triptych.tournament.progress import advance, record_match, tick
from triptych.tournament.state import TournamentConfig, TournamentState

__all__ = [
    "TournamentConfig",
    "TournamentState",
    "decide",
    "evolve",
    "next_wakeup",
    "open_tournament",
]


def open_tournament(config: TournamentConfig, now: int) -> tuple[e.TournamentEvent, ...]:
    """Return the first event of a tournament.

    Raises TournamentError when it cannot be played as announced.
    """
    verify_config(config, now)
    return (e.TournamentAnnounced(now, config),)


def decide(state: TournamentState, command: c.Command, now: int, draw: Callable[[int], tuple[int, ...]]) -> Draft:
    """Return the draft with the events of a command, possibly none, and the tournament after them.

    `now` in ms; `draw(n)` gives 0 to n-1 in random order. Raises TournamentError; `state` itself does not change.
    """
    draft = Draft(state, max(now, state.at), draw)
    request = command.request
    is_over = state.phase in ("over", "cancelled")
    if isinstance(request, c.SystemRequest):
        if not is_over:
            _system(draft, request)
            advance(draft)
        return draft
    if not command.player:
        raise TournamentError("player.unknown", "a request comes from a player")
    if is_over:
        raise TournamentError("cup.closed", Message("error.cup.over"))
    handle_command(draft, command, request)
    advance(draft)
    return draft


def next_wakeup(state: TournamentState) -> int | None:
    """Return when a `Tick` is due (ms), or None."""
    if state.phase == "open":
        return state.config.starts_at
    if state.phase != "running" or state.paused is not None:
        return None
    due = (state.break_ends, level_ends(state), reentry_closes(state))
    return min((time for time in due if time is not None), default=None)


def _system(draft: Draft, request: c.SystemRequest) -> None:
    if isinstance(request, c.Tick):
        tick(draft)
    elif isinstance(request, c.ReportMatch):
        record_match(draft, request)
    elif draft.state.phase == "running":
        downtime = max(0, draft.now - max(request.since, draft.state.at))
        if downtime:
            draft.emit(e.DowntimeCompensated(draft.now, downtime))
