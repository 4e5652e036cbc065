"""Takes the names of deleted accounts out of tables that are over: the events stay, what is shown of them changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from triptych.table.names import default_name
from triptych.table.renaming import rename_table

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
    """Return by each name that deleted players had in some events the name that is shown instead."""
    named = (_READ.decode(event.payload) for event in events if _says_name(event))
    return {event.name: default_name(event.player) for event in named if event.name and is_deleted(event.player)}


def _says_name(event: StoredEvent) -> bool:
    return event.visibility == "public" and b'"player":' in event.payload and b'"name":' in event.payload


async def without_deleted_names(
    store: EventStore, state: TableState, is_deleted: Callable[[str], bool]
) -> TableState:
    """Return a table that is over without the names of deleted players."""
    players = {one.player for one in state.accounts} | {one.player for one in state.seats}
    players |= {one.player for one in state.places} | {line.player for line in state.talk}
    if not state.closed or not any(map(is_deleted, players)):
        return state
    names = deleted_names(await store.load(state.config.table), is_deleted)
    return rename_table(state, names)
