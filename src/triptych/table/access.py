"""Who may come to a table, and what the server tells it about its password. Every door to a table asks here.

A duplicate league's table lets in who sits at it: others of the league have its cards, each in their own time, and
whoever sees them can tell who plays them. What one has played oneself one may read again (server/jobs/replay.py).

Whether a password is the right one is worked out outside, for that takes time: the table only hears the outcome. The
password itself never gets here, only its hash, in events that no viewer has a way to.
"""

from __future__ import annotations

from typing import Final

from triptych.i18n.messages import Message
from triptych.table import commands as c
from triptych.table import events as e
from triptych.table.draft import Draft
from triptych.table.errors import TableError
from triptych.table.host import acting_host, owner
from triptych.table.rate_limit import verify_rate
from triptych.table.state import TableState, is_sealed, seat_of

LEAGUE_SEALED: Final = Message("error.table.league")


def can_access(state: TableState, player: str) -> bool:
    """Return whether a player may see the table: it has no password, they gave it, or they have played here.

    Of a duplicate league that goes on: they have a seat here. Whom the host has removed may not.
    """
    if is_sealed(state):
        return seat_of(state, player) is not None
    if player in state.removed:
        return False
    if not state.password or player in state.admitted or player in (owner(state), state.config.host):
        return True
    return bool(player) and (
        any(one.player == player for one in state.seats) or any(one.player == player for one in state.accounts)
    )


def verify_access(state: TableState, player: str) -> None:
    """Raise TableError for a player who may not see the table.

    `table.password`: they have not given it; `table.removed`: the host has removed them; `table.league`: a duplicate
    league's, at which they do not sit.
    """
    if can_access(state, player):
        return
    if is_sealed(state):
        raise TableError("table.league", LEAGUE_SEALED)
    if player in state.removed:
        raise TableError("table.removed", Message("error.table.removed"))
    raise TableError("table.password", Message("error.table.password"))


def revokes_access(before: TableState, after: TableState) -> bool:
    """Return whether somebody who could see the table may not any more."""
    if before.removed is not after.removed:
        return True
    return before.password != after.password or (is_sealed(after) and before.seats is not after.seats)


def handle_access(draft: Draft, player: str, request: c.AccessRequest) -> None:
    """Put into the draft what the server found out. Raises TableError."""
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
