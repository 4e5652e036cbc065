"""The owner of a table, and the acting host, who has the host's rights while the owner is away."""

from __future__ import annotations

from triptych.i18n.messages import Message
from triptych.table.errors import TableError
from triptych.table.state import Seat, TableState


def owner(state: TableState) -> str:
    """Return the owner of the table: the player who opened it, or whom they made the host."""
    return state.owner or state.config.host


def acting_host(state: TableState) -> str:
    """Return the player who has the host's rights now; empty at a table of a tournament.

    While the owner is away, that is the connected person who has been seated longest, or the owner if there is none.
    """
    if state.config.cup:
        return ""
    if state.host_here:
        return owner(state)
    candidates = (seat for seat in state.seats if seat.person and seat.connected and not seat.leaving)
    longest = min(candidates, key=lambda seat: seat.since, default=None)
    return owner(state) if longest is None else longest.player


def verify_owner(state: TableState) -> None:
    """Raise TableError `player.not_owner` while another player is acting host."""
    if acting_host(state) != owner(state):
        raise TableError("player.not_owner", Message("error.player.not_owner"))


def verify_not_owner(state: TableState, seat: Seat) -> None:
    """Raise TableError `player.is_owner` when an acting host who is not the owner acts on the owner's seat."""
    if seat.player == owner(state) != acting_host(state):
        raise TableError("player.is_owner", Message("error.player.is_owner", name=seat.name), "$.seat")
