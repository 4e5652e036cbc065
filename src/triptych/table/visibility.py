"""Which events a player may see: the public ones, and those private to their seat since they took it."""

from __future__ import annotations

from triptych.deal.visibility import Private, Public
from triptych.table.events import Payload, TableEvent
from triptych.table.state import TableState, seat_of


def visible_event(state: TableState, player: str, version: int, event: TableEvent) -> Payload | None:
    """Return what a player may see of the event with this version, None when it is nothing.

    What a seat saw before the player took it belongs to whoever sat there: discards are the owner's alone for ever.
    Rule: Rules §2 (cards seen).
    """
    if isinstance(event, Public):
        return event.event
    if not isinstance(event, Private):
        return None
    seat = seat_of(state, player)
    return event.event if seat is not None and seat.seat == event.seat and version > seat.since else None
