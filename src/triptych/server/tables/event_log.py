"""Encodes a table's events for the store, decodes them, and replays them into a state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from triptych.i18n.stored import stored_text
from triptych.scoring.sheet.types import ScoreSheet
from triptych.store.types import NewEvent, StoredEvent, StoredSheet
from triptych.table.aggregate import evolve
from triptych.table.codec import decode_all, encode_all
from triptych.table.events import DealSettled, MatchEnded, TableEvent
from triptych.table.settlement import with_prizes
from triptych.table.state import TableState

_JSON: Final = msgspec.json.Encoder(enc_hook=stored_text)


def is_table_stream(stream: str) -> bool:
    """Return whether a stream of the store is a table's; the names of all others have a colon."""
    return ":" not in stream


def encode_events(events: Iterable[TableEvent], before: TableState | None = None) -> tuple[NewEvent, ...]:
    """Return events as the store keeps them; `before`: the table's state before them."""
    return tuple([NewEvent(*fields) for fields in encode_all(events, before)])


def decode_events(events: Iterable[StoredEvent], before: TableState | None = None) -> Iterator[TableEvent]:
    """Yield decoded events; `before`: the table's state before them."""
    return decode_all(events, before)


def replay(
    events: Sequence[StoredEvent], state: TableState | None = None
) -> tuple[TableState, list[tuple[int, TableEvent]]]:
    """Return the state that stored events lead to, beginning with `state`, and the events with their versions."""
    versions = [event.version for event in events]
    history = list(zip(versions, decode_events(events, state), strict=True))
    for _, event in history:
        state = evolve(state, event)
    if state is None:
        message = "a table without events"
        raise ValueError(message)
    return state, history


def finished_sheets(events: Sequence[TableEvent], before: TableState) -> tuple[StoredSheet, ...]:
    """Return the sheets of the deals that these events finish."""
    match = 0 if before.match is None else before.match.number
    sheets: list[ScoreSheet] = []
    for event in events:
        if isinstance(event.event, DealSettled):
            sheets.append(event.event.sheet)
        elif isinstance(event.event, MatchEnded) and sheets:
            sheets[-1] = with_prizes(sheets[-1], event.event.payments, before.seats)
    return tuple(StoredSheet(sheet.deal, match, _JSON.encode(sheet)) for sheet in sheets)
