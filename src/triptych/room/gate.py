"""Who may come to a table that has a password, and what the server tells the table about it.

Whether a password is the right one is worked out outside, for that takes time: the table only hears the outcome. The
password itself never gets here, only its hash, in events that no viewer has a way to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.room import commands as c
from triptych.room import events as e
from triptych.room.errors import RoomError
from triptych.room.hosting import host, owner
from triptych.room.manners import verify_calm

if TYPE_CHECKING:
    from triptych.room.draft import Draft
    from triptych.room.state import TableState


def may_enter(state: TableState, player: str) -> bool:
    """Tell whether a player may see the table: it has no password, they gave it, or they have played here."""
    if not state.password or player in state.admitted or player in (owner(state), state.config.host):
        return True
    return bool(player) and (
        any(one.player == player for one in state.seats) or any(one.player == player for one in state.accounts)
    )


def verify_entry(state: TableState, player: str) -> None:
    """Raise RoomError `table.password` for a player who has not given the table's password."""
    if not may_enter(state, player):
        raise RoomError("table.password", "this table has a password; its host knows it")


def answer_gate(draft: Draft, player: str, request: c.GateRequest) -> None:
    """Put into the draft what the server found out. Raises RoomError."""
    state = draft.state
    if isinstance(request, c.ChoosePassword):
        if player != host(state):
            raise RoomError("player.not_host", "only the host of the table can do this")
        verify_calm(state, player, draft.now)
        if request.password or state.password:
            draft.keep(e.PasswordChosen(draft.now, request.password))
    elif request.password != state.password:
        raise RoomError("table.password", "the host has just changed the password", "$.password")
    elif not may_enter(state, player):
        draft.keep(e.Admitted(draft.now, player))
