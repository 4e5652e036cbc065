"""Who may be guided: the guide is there to learn by, so it is silent as soon as another person could lose by it."""

from __future__ import annotations

from triptych.table.state import TableState, seat_of


def can_use_guide(state: TableState, player: str) -> bool:
    """Return whether a player has a seat at a table at which everybody else is a bot, in no tournament."""
    seat = seat_of(state, player)
    if seat is None or state.config.cup:
        return False
    return not any(other.person for other in state.seats if other.seat != seat.seat)
