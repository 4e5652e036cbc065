"""The events of a decision that is being made, and the table after them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from triptych.cards import Card
from triptych.deal.engine import Transition
from triptych.deal.visibility import Private, Public, Sealed
from triptych.table.events import Payload, TableEvent, TableOwnEvent
from triptych.table.evolve.core import evolve
from triptych.table.state import TableState


class Draft:
    """The events of a decision so far.

    `state` evolves with each event, the caller's state is never changed. `now` in milliseconds; `shuffle(jokers)`
    returns a whole shuffled deck; `secret` returns 32 bytes from which committed decks are made, None: decks are not
    committed.
    """

    def __init__(
        self,
        state: TableState,
        now: int,
        shuffle: Callable[[int], tuple[Card, ...]],
        secret: Callable[[], bytes] | None = None,
    ) -> None:
        self.state = state
        self.now = now
        self.shuffle = shuffle
        self.secret = secret
        self.events: list[TableEvent] = []

    def emit(self, event: Payload) -> None:
        """Add an event that everybody may see."""
        public = Public(event)
        self.state = evolve(self.state, public)
        self.events.append(public)

    def emit_private(self, seat: int, event: TableOwnEvent) -> None:
        """Add an event that one seat sees."""
        private = Private(seat, event)
        self.state = evolve(self.state, private)
        self.events.append(private)

    def emit_sealed(self, event: TableOwnEvent) -> None:
        """Add an event that nobody sees."""
        sealed = Sealed(event)
        self.state = evolve(self.state, sealed)
        self.events.append(sealed)

    def extend(self, course: Transition) -> None:
        """Add events of the deal, whose state has evolved with them already."""
        version = self.state.version + len(course.events)
        self.state = replace(self.state, version=version, deal=course.state)
        self.events += course.events
