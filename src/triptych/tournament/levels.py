"""The levels of a tournament: the price of a point, the length of a level, late entries and re-entries."""

from __future__ import annotations

from triptych.table.state import TournamentLevel
from triptych.tournament.state import MINUTE, Entry, TournamentState, entry_of


def is_last(state: TournamentState) -> bool:
    """Return whether this is the last level."""
    return state.level + 1 >= len(state.config.levels)


def level_ends(state: TournamentState) -> int | None:
    """Return when the level ends (ms); None for the last level, in a break or pause, and for levels of deals."""
    config = state.config
    is_stopped = state.break_due or state.break_ends is not None or state.paused is not None
    if state.phase != "running" or config.level_kind != "minutes" or is_last(state) or is_stopped:
        return None
    return state.level_since + config.level_length * MINUTE


def is_level_complete(state: TournamentState) -> bool:
    """Return whether any table has played all deals of the level: the fastest table ends it for all."""
    config = state.config
    if config.level_kind != "deals" or is_last(state):
        return False
    return max((table.deals for table in state.tables), default=0) >= config.level_length


def break_follows(state: TournamentState) -> bool:
    """Return whether a break follows the level."""
    every = state.config.break_every
    return bool(every) and (state.level + 1) % every == 0


def current_level(state: TournamentState) -> TournamentLevel:
    """Return the level in the form that tables get."""
    config = state.config
    next_chips = None if is_last(state) else config.levels[state.level + 1]
    length = config.level_length if config.level_kind == "deals" else 0
    return TournamentLevel(state.level + 1, config.levels[state.level], next_chips, level_ends(state), length)


def is_late_entry_open(state: TournamentState) -> bool:
    """Return whether new players may still enter after the start."""
    return state.phase == "running" and state.level < state.config.late


def may_return(state: TournamentState, entry: Entry) -> bool:
    """Return whether a player who is out may enter again now.

    A match belongs to the level in which it began: a player who is eliminated in it, or at the very end of the level,
    still has time until `reentry_until`.
    """
    is_open = is_late_entry_open(state) or (state.phase == "running" and entry.reentry_until is not None)
    return is_open and entry.out and not entry.disqualified and entry.entries <= state.config.reentries


def can_register(state: TournamentState, player: str) -> bool:
    """Return whether a player may register or enter again now."""
    entry = entry_of(state, player)
    if entry is not None:
        return may_return(state, entry)
    is_open = state.phase == "open" or is_late_entry_open(state)
    return is_open and len(state.entries) < state.config.most


def anybody_may_return(state: TournamentState) -> bool:
    """Return whether any person who is out may enter again now; bots never do."""
    return any(not entry.bot and may_return(state, entry) for entry in state.entries)


def awaits_entries(state: TournamentState) -> bool:
    """Return whether the only remaining player waits for others, who may still enter.

    If nothing else ends the level, since it is counted in deals or is the last one, others have until
    `reentry_until`.
    """
    has_places = is_late_entry_open(state) and len(state.entries) < state.config.most
    if not has_places and not anybody_may_return(state):
        return False
    ends_by_clock = is_late_entry_open(state) and state.config.level_kind == "minutes" and not is_last(state)
    return ends_by_clock or reentry_closes(state) is not None


def reentry_closes(state: TournamentState) -> int | None:
    """Return when the next player's time for a re-entry ends (ms), or None."""
    return min((entry.reentry_until for entry in state.entries if entry.reentry_until is not None), default=None)
