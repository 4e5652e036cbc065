"""The levels of a tournament: what a point is worth, how long that holds, until when people come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.cup.state import MINUTE, entry_of
from triptych.room.state import CupLevel

if TYPE_CHECKING:
    from triptych.cup.state import CupState


def is_last(state: CupState) -> bool:
    """Tell whether no level comes after this one."""
    return state.level + 1 >= len(state.config.levels)


def level_ends(state: CupState) -> int | None:
    """Return when the level ends (ms); None for the last one, in a break or a pause, and by deals."""
    config = state.config
    resting = state.rest_due or state.rest_ends is not None or state.paused is not None
    if state.phase != "running" or config.level_kind != "minutes" or is_last(state) or resting:
        return None
    return state.level_since + config.level_length * MINUTE


def is_played_out(state: CupState) -> bool:
    """Tell whether a table has played all deals of the level; the one that plays fastest sets the pace for all."""
    config = state.config
    if config.level_kind != "deals" or is_last(state):
        return False
    return max((table.deals for table in state.tables), default=0) >= config.level_length


def rests_after(state: CupState) -> bool:
    """Tell whether a break follows the level."""
    every = state.config.break_every
    return bool(every) and (state.level + 1) % every == 0


def level(state: CupState) -> CupLevel:
    """Return the level as tables are told it."""
    config = state.config
    following = None if is_last(state) else config.levels[state.level + 1]
    length = config.level_length if config.level_kind == "deals" else 0
    return CupLevel(state.level + 1, config.levels[state.level], following, level_ends(state), length)


def lets_in(state: CupState) -> bool:
    """Tell whether people still come in, or back, after the start."""
    return state.phase == "running" and state.level < state.config.late


def may_enter(state: CupState, player: str) -> bool:
    """Tell whether a player may register now, or come back."""
    entry = entry_of(state, player)
    if entry is not None:
        return entry.out and not entry.barred and lets_in(state) and entry.entries <= state.config.reentries
    here = state.phase == "open" or lets_in(state)
    return here and len(state.entries) < state.config.most
