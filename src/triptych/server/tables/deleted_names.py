"""Replaces the names of deleted accounts: the events stay, only the displayed names change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from triptych.table.names import default_name

if TYPE_CHECKING:
    from triptych.store.interface import EventStore
    from triptych.store.types import StoredEvent
    from triptych.table.state import TableState
    from triptych.tournament.state import TournamentState


class _NamedEvent(Struct, frozen=True):
    """The player and their name in a stored event; empty where it has none."""

    player: str = ""
    name: str = ""


_READ: Final = msgspec.json.Decoder(_NamedEvent)


def deleted_names(events: Iterable[StoredEvent], is_deleted: Callable[[str], bool]) -> dict[str, str]:
    """Return, by each name that deleted players had in some events, the name to show instead.

    A name that another player has had there too is not replaced.
    """
    named = [_READ.decode(event.payload) for event in events if _has_name(event)]
    names = {event.name: default_name(event.player) for event in named if event.name and is_deleted(event.player)}
    for event in named:
        if not is_deleted(event.player):
            names.pop(event.name, None)
    return names


def _has_name(event: StoredEvent) -> bool:
    return event.visibility == "public" and b'"player":' in event.payload and b'"name":' in event.payload


def players_of(state: TableState) -> set[str]:
    """Return the players that a table's state names anywhere."""
    players = {account.player for account in state.accounts} | {seat.player for seat in state.seats}
    players |= {place.player for place in (*state.places, *state.cup_places)}
    return players | {line.player for line in state.talk}


async def deleted_names_at(store: EventStore, state: TableState, is_deleted: Callable[[str], bool]) -> dict[str, str]:
    """Return the deleted names of a table; its events are read only if one of its players is deleted."""
    if not any(map(is_deleted, players_of(state))):
        return {}
    return deleted_names(await store.load(state.config.table), is_deleted)


def without_deleted_names(state: TournamentState, is_deleted: Callable[[str], bool]) -> TournamentState:
    """Return a tournament in which deleted players have the default name of guests."""
    if not any(is_deleted(entry.player) for entry in state.entries):
        return state
    entries = (
        replace(entry, name=default_name(entry.player)) if is_deleted(entry.player) else entry
        for entry in state.entries
    )
    return replace(state, entries=tuple(entries))
