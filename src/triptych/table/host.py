"""Who rules the session: whose table it is, and who has the host's rights while they are away."""

from __future__ import annotations

from triptych.i18n.messages import Message
from triptych.table.errors import TableError
from triptych.table.state import Seat, TableState


def owner(state: TableState) -> str:
    """Return the player whose table it is: who opened it, or whom they made the host."""
    return state.owner or state.config.host


def acting_host(state: TableState) -> str:
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


def verify_owner(state: TableState) -> None:
    """Raise TableError `player.not_owner` while somebody stands in: what cannot be undone is for the owner."""
    if acting_host(state) != owner(state):
        raise TableError("player.not_owner", Message("error.player.not_owner"))


def verify_not_owner(state: TableState, seat: Seat) -> None:
    """Raise TableError `player.is_owner` when somebody who stands in wants the owner's seat."""
    if seat.player == owner(state) != acting_host(state):
        message = Message("error.player.is_owner", name=seat.name)
        raise TableError("player.is_owner", message, "$.seat")
