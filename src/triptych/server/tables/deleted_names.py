"""Takes the names of deleted accounts out of tables: the events stay, what is shown of them changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from triptych.table.names import default_name

if TYPE_CHECKING:
    from triptych.store.interface import EventStore
    from triptych.store.types import StoredEvent
    from triptych.table.state import TableState


class _NamedEvent(Struct, frozen=True):
    """What a stored event says of a player's name; empty where it says nothing."""

    player: str = ""
    name: str = ""


_READ: Final = msgspec.json.Decoder(_NamedEvent)


def deleted_names(events: Iterable[StoredEvent], is_deleted: Callable[[str], bool]) -> dict[str, str]:
    """Return by each name that deleted players had in some events the name that is shown instead.

    A name that somebody else has had there too stays: it is theirs.
    """
    named = [_READ.decode(event.payload) for event in events if _says_name(event)]
    names = {event.name: default_name(event.player) for event in named if event.name and is_deleted(event.player)}
    for event in named:
        if not is_deleted(event.player):
            names.pop(event.name, None)
    return names


def _says_name(event: StoredEvent) -> bool:
    return event.visibility == "public" and b'"player":' in event.payload and b'"name":' in event.payload


def players_of(state: TableState) -> set[str]:
    """Return the players whom a table names anywhere."""
    players = {one.player for one in state.accounts} | {one.player for one in state.seats}
    players |= {one.player for one in (*state.places, *state.cup_places)}
    return players | {line.player for line in state.talk}


async def deleted_names_at(store: EventStore, state: TableState, is_deleted: Callable[[str], bool]) -> dict[str, str]:
    """Return the same for a table; its events are read only where somebody is deleted."""
    if not any(map(is_deleted, players_of(state))):
        return {}
    return deleted_names(await store.load(state.config.table), is_deleted)
