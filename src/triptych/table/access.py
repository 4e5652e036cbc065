"""Access to a table, and its password. Every way to see a table is checked here.

Only its seated players may see a duplicate league's table: the league's other tables play the same cards at other
times, so seeing them would help a player there. Players may read their own deals again (server/jobs/replay.py).

The server verifies a password, since that takes time, and sends the table only the result. The table never gets the
password itself, only its hash, in sealed events.
"""

from __future__ import annotations

from typing import Final

from triptych.deal.visibility import Private, Public
from triptych.i18n.messages import Message
from triptych.table import commands as c
from triptych.table import events as e
from triptych.table.draft import Draft
from triptych.table.errors import TableError
from triptych.table.events import Payload, TableEvent
from triptych.table.host import acting_host, owner
from triptych.table.rate_limit import verify_rate
from triptych.table.state import TableState, is_sealed, seat_of

LEAGUE_SEALED: Final = Message("error.table.league")


def can_access(state: TableState, player: str) -> bool:
    """Return whether a player may see the table: it has no password, they gave it, or they have played here.

    In a duplicate league in progress: they have a seat here. Players whom the host has removed may not.
    """
    if is_sealed(state):
        return seat_of(state, player) is not None
    if player in state.removed:
        return False
    if not state.password or player in state.admitted or player in (owner(state), state.config.host):
        return True
    return bool(player) and (
        any(seat.player == player for seat in state.seats)
        or any(account.player == player for account in state.accounts)
    )


def verify_access(state: TableState, player: str) -> None:
    """Raise TableError for a player who may not see the table.

    `table.password`: they have not given it; `table.removed`: the host has removed them; `table.league`: they do not
    sit at this table of a duplicate league.
    """
    if can_access(state, player):
        return
    if is_sealed(state):
        raise TableError("table.league", LEAGUE_SEALED)
    if player in state.removed:
        raise TableError("table.removed", Message("error.table.removed"))
    raise TableError("table.password", Message("error.table.password"))


def revokes_access(before: TableState, after: TableState) -> bool:
    """Return whether a change may have revoked somebody's access to the table."""
    if before.removed is not after.removed:
        return True
    return before.password != after.password or (is_sealed(after) and before.seats is not after.seats)


def handle_access(draft: Draft, player: str, request: c.AccessRequest) -> None:
    """Add the events of a request about the password to the draft. Raises TableError."""
    state = draft.state
    if isinstance(request, c.SetPassword):
        if player != acting_host(state):
            raise TableError("player.not_host", Message("error.player.not_host"))
        verify_rate(state, player, draft.now)
        if request.password or state.password:
            draft.emit_sealed(e.PasswordSet(draft.now, request.password))
    elif request.password != state.password:
        raise TableError("table.password", Message("error.table.password_changed"), "$.password")
    elif not can_access(state, player):
        draft.emit_sealed(e.AccessGranted(draft.now, player))


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
