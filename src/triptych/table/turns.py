"""Tables without a clock: how long a player keeps the others waiting, and when these may have the cards placed.

A player who does anything at the table (moves cards, speaks, comes back) is present: the time starts again from then.
So it ends for a player who is not connected, and for one who does nothing. The host can also free a seat.
"""

from __future__ import annotations

from typing import Final

from triptych.i18n.messages import Message
from triptych.table import commands as c
from triptych.table import events as e
from triptych.table.clock import MS_PER_SECOND, acting_seats
from triptych.table.draft import Draft
from triptych.table.errors import PAUSED, TableError
from triptych.table.host import acting_host
from triptych.table.seats import occupied_seat
from triptych.table.state import Seat, TableState, Turn, seat_of

PATIENCE_MS: Final = 30 * MS_PER_SECOND
# A player who moves cards about is noted no more often than this.
SIGN_MS: Final = 10 * MS_PER_SECOND


def note_turns(draft: Draft, before: TableState, command: c.Command) -> None:
    """Note from whom something is awaited; `before` is the table before the command."""
    state = draft.state
    if state.config.rules.clock.kind != "none" or state.settled or state.deal is None:
        return
    active = "" if isinstance(command.request, c.Disconnected) else command.player
    since = {turn.seat: turn.since for turn in state.turns}
    turns = []
    for seat in acting_seats(state.deal):
        began = since.get(seat, draft.now)
        acts = state.seats[seat].player == active and draft.now - began >= SIGN_MS
        if acts or _asked(state, seat) != _asked(before, seat):
            began = draft.now
        turns.append(Turn(seat, began))
    if tuple(turns) != state.turns:
        draft.emit(e.TurnsBegan(draft.now, tuple(turns)))


def _asked(state: TableState, seat: int) -> list[tuple[int, int, bool]]:
    """Return what is awaited from a seat: its hands, their streets, whether cards are to be placed."""
    deal = state.deal
    if deal is None or state.settled:
        return []
    return [(hand, deal.hands[hand].street, deal.hands[hand].placing) for hand in acting_seats(deal).get(seat, ())]


def verify_patience(state: TableState, player: str, number: int, now: int) -> tuple[Seat, tuple[int, ...]]:
    """Return a seat that has kept a player waiting for too long, and its hands. Raises TableError."""
    if state.config.rules.clock.kind != "none":
        raise TableError("turn.clock", Message("error.turn.clock"))
    if state.paused is not None:
        raise TableError(PAUSED, Message("error.table.paused"))
    own = seat_of(state, player)
    if own is None and player != acting_host(state):
        raise TableError("player.not_seated", Message("error.player.not_seated"))
    seat = occupied_seat(state, number)
    if state.deal is None or state.settled:
        raise TableError("request.no_deal", Message("error.request.no_deal"))
    waits = acting_seats(state.deal)
    if own is not None and own.seat in waits:
        raise TableError("turn.yours", Message("error.turn.yours"), "$.seat")
    if seat.seat not in waits:
        raise TableError("turn.not_yet", Message("error.turn.not_awaited", name=seat.name), "$.seat")
    since = next((turn.since for turn in state.turns if turn.seat == seat.seat), now)
    left = since + PATIENCE_MS - now
    if left > 0:
        message = Message("error.turn.wait", name=seat.name, seconds=-(-left // MS_PER_SECOND))
        raise TableError("turn.not_yet", message, "$.seat")
    return seat, waits[seat.seat]
