"""The levels of a tournament: what a point is worth, how long that holds, until when people come in."""

from __future__ import annotations

from triptych.table.state import TournamentLevel
from triptych.tournament.state import MINUTE, Entry, TournamentState, entry_of


def is_last(state: TournamentState) -> bool:
    """Return whether no level comes after this one."""
    return state.level + 1 >= len(state.config.levels)


def level_ends(state: TournamentState) -> int | None:
    """Return when the level ends (ms); None for the last one, in a break or a pause, and by deals."""
    config = state.config
    resting = state.break_due or state.break_ends is not None or state.paused is not None
    if state.phase != "running" or config.level_kind != "minutes" or is_last(state) or resting:
        return None
    return state.level_since + config.level_length * MINUTE


def is_level_complete(state: TournamentState) -> bool:
    """Return whether a table has played all deals of the level; the one that plays fastest sets the pace for all."""
    config = state.config
    if config.level_kind != "deals" or is_last(state):
        return False
    return max((table.deals for table in state.tables), default=0) >= config.level_length


def break_follows(state: TournamentState) -> bool:
    """Return whether a break follows the level."""
    every = state.config.break_every
    return bool(every) and (state.level + 1) % every == 0


def current_level(state: TournamentState) -> TournamentLevel:
    """Return the level as tables are told it."""
    config = state.config
    following = None if is_last(state) else config.levels[state.level + 1]
    length = config.level_length if config.level_kind == "deals" else 0
    return TournamentLevel(state.level + 1, config.levels[state.level], following, level_ends(state), length)


def is_late_entry_open(state: TournamentState) -> bool:
    """Return whether new players still come in after the start."""
    return state.phase == "running" and state.level < state.config.late


def may_return(state: TournamentState, entry: Entry) -> bool:
    """Return whether a player who is out may come in again now.

    A match belongs to the level in which it began: who goes out in it, or at the very end of the level, still has
    the time until `reentry_until`.
    """
    here = is_late_entry_open(state) or (state.phase == "running" and entry.reentry_until is not None)
    return here and entry.out and not entry.disqualified and entry.entries <= state.config.reentries


def can_register(state: TournamentState, player: str) -> bool:
    """Return whether a player may register now, or come back."""
    entry = entry_of(state, player)
    if entry is not None:
        return may_return(state, entry)
    here = state.phase == "open" or is_late_entry_open(state)
    return here and len(state.entries) < state.config.most


def anybody_may_return(state: TournamentState) -> bool:
    """Return whether a person who is out may come in again now; bots never do."""
    return any(not entry.bot and may_return(state, entry) for entry in state.entries)


def awaits_entries(state: TournamentState) -> bool:
    """Return whether the one player who is left waits for others, who may still come in.

    Where nothing else ends the level, since it is counted in deals or is the last one, others have until
    `reentry_until`.
    """
    new = is_late_entry_open(state) and len(state.entries) < state.config.most
    if not new and not anybody_may_return(state):
        return False
    by_clock = is_late_entry_open(state) and state.config.level_kind == "minutes" and not is_last(state)
    return by_clock or reentry_closes(state) is not None


def reentry_closes(state: TournamentState) -> int | None:
    """Return when the time to come in again next ends for somebody (ms), None when it runs for nobody."""
    return min((entry.reentry_until for entry in state.entries if entry.reentry_until is not None), default=None)
