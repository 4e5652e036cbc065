"""The events of one decision in the making, and the table as it is after them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.deal.visibility import Public
from triptych.room.evolve import evolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from triptych.cards import Card
    from triptych.room.events import RoomEvent, TableEvent
    from triptych.room.state import TableState


class Draft:
    """What a decision has brought so far; `state` follows each event, the caller's state is never touched.

    `now` in milliseconds; `shuffle(jokers)` gives a whole shuffled deck.
    """

    def __init__(self, state: TableState, now: int, shuffle: Callable[[int], tuple[Card, ...]]) -> None:
        self.state = state
        self.now = now
        self.shuffle = shuffle
        self.events: list[TableEvent] = []

    def tell(self, event: RoomEvent) -> None:
        """Add an event that everybody may see."""
        self.add((Public(event),))

    def add(self, events: Iterable[TableEvent]) -> None:
        """Add events in their order."""
        for event in events:
            self.state = evolve(self.state, event)
            self.events.append(event)
