"""Replaces the names of deleted accounts in tournaments: the events stay, only the displayed names change."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from triptych.table.names import default_name
from triptych.tournament.state import TournamentState


def without_deleted_names(state: TournamentState, is_deleted: Callable[[str], bool]) -> TournamentState:
    """Return a tournament in which deleted players have the default name of guests."""
    if not any(is_deleted(entry.player) for entry in state.entries):
        return state
    entries = (
        replace(entry, name=default_name(entry.player)) if is_deleted(entry.player) else entry
        for entry in state.entries
    )
    return replace(state, entries=tuple(entries))
