"""The events of a decision that is being made, and the tournament after them."""

from __future__ import annotations

from collections.abc import Callable

from triptych.tournament.events import TournamentEvent
from triptych.tournament.evolve import evolve
from triptych.tournament.state import TournamentState


class Draft:
    """The events of a decision so far.

    `state` evolves with each event, the caller's state is never changed. `now` in milliseconds; `draw(n)` gives the
    numbers 0 to n-1 in random order.
    """

    def __init__(self, state: TournamentState, now: int, draw: Callable[[int], tuple[int, ...]]) -> None:
        self.state = state
        self.now = now
        self.draw = draw
        self.events: list[TournamentEvent] = []

    def emit(self, event: TournamentEvent) -> None:
        """Add an event."""
        self.state = evolve(self.state, event)
        self.events.append(event)
