"""Tables without a clock: how long a player has not acted, and when the others may have the cards placed.

Whatever a player does at the table (moving cards, chatting, connecting) restarts the time. So it ends only for a
player who is not connected or does nothing. The host can also free a seat.
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

TURN_TIMEOUT_MS: Final = 30 * MS_PER_SECOND
# The minimum time between two recorded actions of a player who keeps moving cards.
MIN_RECORD_INTERVAL_MS: Final = 10 * MS_PER_SECOND


def note_turns(draft: Draft, before: TableState, command: c.Command) -> None:
    """Record the seats that are to act, if they changed; `before`: the table before the command."""
    state = draft.state
    if state.config.rules.clock.kind != "none" or state.settled or state.deal is None:
        return
    active = "" if isinstance(command.request, c.Disconnected) else command.player
    since = {turn.seat: turn.since for turn in state.turns}
    turns = []
    for seat in acting_seats(state.deal):
        began = since.get(seat, draft.now)
        acts = state.seats[seat].player == active and draft.now - began >= MIN_RECORD_INTERVAL_MS
        if acts or _awaited(state, seat) != _awaited(before, seat):
            began = draft.now
        turns.append(Turn(seat, began))
    if tuple(turns) != state.turns:
        draft.emit(e.TurnsBegan(draft.now, tuple(turns)))


def _awaited(state: TableState, seat: int) -> list[tuple[int, int, bool]]:
    """Return the hands of a seat that are to act, with their street and whether cards are to be placed."""
    deal = state.deal
    if deal is None or state.settled:
        return []
    return [(hand, deal.hands[hand].street, deal.hands[hand].placing) for hand in acting_seats(deal).get(seat, ())]


def verify_turn_timeout(state: TableState, player: str, number: int, now: int) -> tuple[Seat, tuple[int, ...]]:
    """Return a seat whose turn has timed out, and its hands that are to act. Raises TableError."""
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
    acting = acting_seats(state.deal)
    if own is not None and own.seat in acting:
        raise TableError("turn.yours", Message("error.turn.yours"), "$.seat")
    if seat.seat not in acting:
        raise TableError("turn.not_yet", Message("error.turn.not_awaited", name=seat.name), "$.seat")
    since = next((turn.since for turn in state.turns if turn.seat == seat.seat), now)
    remaining_ms = since + TURN_TIMEOUT_MS - now
    if remaining_ms > 0:
        message = Message("error.turn.wait", name=seat.name, seconds=-(-remaining_ms // MS_PER_SECOND))
        raise TableError("turn.not_yet", message, "$.seat")
    return seat, acting[seat.seat]
