"""Who rules the evening: whose table it is, and who has the host's rights while they are away."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triptych.room.state import TableState


def owner(state: TableState) -> str:
    """Return the player whose table it is: who opened it, or whom they made the host."""
    return state.owner or state.config.host


def host(state: TableState) -> str:
    """Return the player who has the host's rights now; nobody (empty) at a table of a tournament.

    While the owner is away they pass to the person who has been seated longest and is there; they come back with the
    owner. When nobody is there they stay where they are.
    """
    if state.config.cup:
        return ""
    if state.host_here:
        return owner(state)
    there = (seat for seat in state.seats if seat.person and seat.connected and not seat.leaving)
    longest = min(there, key=lambda seat: seat.since, default=None)
    return owner(state) if longest is None else longest.player
