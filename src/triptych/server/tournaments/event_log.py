"""A tournament's events between the store and its room: written, read, folded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from triptych.store.interface import Append, NewEvent
from triptych.tournament.aggregate import evolve
from triptych.tournament.codec import decode, encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.store.interface import Stored
    from triptych.tournament.events import CupEvent
    from triptych.tournament.state import CupState

# A tournament's events lie among the tables', under a name that no table has.
PREFIX: Final = "cup:"


def appended(cup: str, expected: int, events: Sequence[CupEvent], *, ends: bool = False) -> Append:
    """Return events as the store keeps them; `ends`: the tournament is not recovered any more."""
    told = tuple(NewEvent("public", None, encode(event)) for event in events)
    return Append(table=PREFIX + cup, expected=expected, events=told, ends=ends)


def folded(state: CupState | None, events: Sequence[Stored]) -> CupState | None:
    """Return the tournament that stored events lead to, from a state on; None without any."""
    for event in events:
        state = evolve(state, decode(event.payload))
    return state
