"""The events that a player may see: public events, and those private to their seat since they took it."""

from __future__ import annotations

from triptych.deal.visibility import Private, Public
from triptych.table.events import Payload, TableEvent
from triptych.table.state import TableState, seat_of


def visible_event(state: TableState, player: str, version: int, event: TableEvent) -> Payload | None:
    """Return the event with this version as a player may see it, or None.

    Private events from before the player took the seat are only for the player who sat there then: discards stay
    their owner's secret. Rule: Rules §2 (cards seen).
    """
    if isinstance(event, Public):
        return event.event
    if not isinstance(event, Private):
        return None
    seat = seat_of(state, player)
    return event.event if seat is not None and seat.seat == event.seat and version > seat.since else None
