"""Encodes a tournament's events for the store, and replays stored events into a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from triptych.store.types import Append, NewEvent, StoredEvent
from triptych.tournament.aggregate import evolve
from triptych.tournament.events import TournamentEvent, decode, encode
from triptych.tournament.state import TournamentState

# A tournament's events are stored as a table's, under a name that no table has.
STREAM_PREFIX: Final = "cup:"


def build_append(cup: str, expected: int, events: Sequence[TournamentEvent], *, ends: bool = False) -> Append:
    """Return events ready for the store; `ends`: the tournament is not loaded at later starts."""
    new_events = tuple(NewEvent("public", None, encode(event)) for event in events)
    return Append(table=STREAM_PREFIX + cup, expected_version=expected, events=new_events, ends_stream=ends)


def replay(state: TournamentState | None, events: Sequence[StoredEvent]) -> TournamentState | None:
    """Return the state that stored events lead to, beginning with `state`; None without any."""
    for event in events:
        state = evolve(state, decode(event.payload))
    return state
