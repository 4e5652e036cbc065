"""What each request of a player brings about, or why it is refused: one small function per request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triptych.room import commands as c
from triptych.room import events as e
from triptych.room.clock import opening_bank
from triptych.room.errors import RoomError
from triptych.room.manners import verify_calm
from triptych.room.names import distinct, readable_line
from triptych.room.purse import top_up_bounds, verify_buy_in
from triptych.room.state import in_match, names_besides, seat_of
from triptych.room.tournament import has_begun, is_placed, still_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from triptych.room.draft import Draft
    from triptych.room.state import Seat, TableState

TALK_LENGTH = 240
TALK_LINES = 5
TALK_WINDOW = 10_000
MAX_STAKE = 10_000
_BOT_NAMES = ("Ada", "Bruno", "Clara", "Diego")


def answer(draft: Draft, command: c.Command) -> None:
    """Put into the draft what a player's request (other than an action in the deal) brings. Raises RoomError."""
    if not isinstance(command.request, c.Ready | c.Say):
        verify_calm(draft.state, command.player, draft.now)
    _ANSWERS[type(command.request)](draft, command, command.request)


def _own_seat(state: TableState, player: str) -> Seat:
    seat = seat_of(state, player)
    if seat is None:
        raise RoomError("player.not_seated", "you have no seat at this table; take one first")
    return seat


def _verify_host(state: TableState, player: str) -> None:
    if player != state.config.host:
        raise RoomError("player.not_host", "only the host of the table can do this")


def _verify_free(state: TableState, seat: int) -> None:
    if not 0 <= seat < len(state.seats):
        message = f"there is no seat {seat} at this table; seats go from 0 to {len(state.seats) - 1}"
        raise RoomError("seat.unknown", message, "$.seat")
    if state.seats[seat].player:
        raise RoomError("seat.taken", f"{state.seats[seat].name} sits there already; take a free seat", "$.seat")


def _taken(state: TableState, number: int) -> Seat:
    if not 0 <= number < len(state.seats) or not state.seats[number].player:
        raise RoomError("seat.empty", f"nobody sits in seat {number}", "$.seat")
    return state.seats[number]


def _verify_joining(state: TableState) -> None:
    if state.closing:
        raise RoomError("table.closed", "the table is about to close; no new players are seated")
    if has_begun(state):
        raise RoomError("table.tournament", "the tournament has begun; nobody joins it any more")


def _sit(draft: Draft, command: c.Command, request: c.Sit) -> None:
    state = draft.state
    _verify_joining(state)
    if seat_of(state, command.player) is not None:
        raise RoomError("player.already_seated", "you have a seat at this table already")
    _verify_free(state, request.seat)
    verify_buy_in(state, request.buy_in)
    bank = opening_bank(state.config.rules, command.bank_ms)
    name = distinct(command.name or f"Player {request.seat + 1}", names_besides(state, command.player))
    table = state.config.table
    draft.tell(e.PlayerSat(draft.now, table, request.seat, command.player, name, request.buy_in, bank))


def _seat_bot(draft: Draft, command: c.Command, request: c.SeatBot) -> None:
    state = draft.state
    config = state.config
    _verify_host(state, command.player)
    _verify_joining(state)
    if not config.bots_allowed:
        raise RoomError("bots.not_allowed", "this table is for people only")
    if not request.level or (config.levels and request.level not in config.levels):
        known = ", ".join(config.levels) or "any name"
        raise RoomError("bot.level", f"there is no bot of level {request.level!r}; choose {known}", "$.level")
    _verify_free(state, request.seat)
    verify_buy_in(state, request.buy_in)
    # The version makes the id of every bot that ever sat here a new one: the ledger keeps them apart.
    player = f"bot:{config.table}:{request.seat}:{state.version}"
    draft.tell(
        e.PlayerSat(
            draft.now,
            config.table,
            request.seat,
            player,
            distinct(_BOT_NAMES[request.seat], names_besides(state, player)),
            request.buy_in,
            opening_bank(config.rules, None),
            bot=True,
            level=request.level,
        )
    )


def _leave(draft: Draft, command: c.Command, _: c.Leave) -> None:
    seat = _own_seat(draft.state, command.player)
    _free_seat(draft, seat, by_host=False)


def _unseat(draft: Draft, command: c.Command, request: c.Unseat) -> None:
    _verify_host(draft.state, command.player)
    _free_seat(draft, _taken(draft.state, request.seat), by_host=True)


def _free_seat(draft: Draft, seat: Seat, *, by_host: bool) -> None:
    """Free a seat now, or when the match in which it takes part is over."""
    if not in_match(draft.state, seat.seat):
        give_up(draft, seat)
        return
    if seat.unseated or (seat.leaving and not by_host):
        who = f"{seat.name} leaves" if by_host else "you leave"
        raise RoomError("request.repeated", f"{who} as soon as the match is over")
    draft.tell(e.LeaveAsked(draft.now, seat.seat, by_host))


def give_up(draft: Draft, seat: Seat) -> None:
    """Free the seat of a player who leaves; in a tournament they are out of it, behind all who have chips."""
    if has_begun(draft.state) and not is_placed(draft.state, seat.player):
        draft.tell(e.PlaceTaken(draft.now, seat.seat, seat.player, len(still_in(draft.state))))
    stand_up(draft, seat)


def stand_up(draft: Draft, seat: Seat) -> None:
    """Free a seat and give its stack back to its player."""
    draft.tell(e.PlayerLeft(draft.now, draft.state.config.table, seat.seat, seat.player, seat.stack))


def _top_up(draft: Draft, command: c.Command, request: c.TopUp) -> None:
    state = draft.state
    seat = _own_seat(state, command.player)
    least, most = top_up_bounds(state, seat)
    if 1 <= request.points < least:
        message = f"you come back with {least} to {most} points, not {request.points}"
        raise RoomError("points.too_few", message, "$.points")
    if not least <= request.points <= most:
        message = f"you can add 1 to {most} points now" if most > 0 else "your stack is at the table's limit"
        raise RoomError("points.too_many", message, "$.points")
    draft.tell(e.ToppedUp(draft.now, state.config.table, seat.seat, seat.player, request.points))


def _sit_out(draft: Draft, command: c.Command, _: c.SitOut) -> None:
    seat = _own_seat(draft.state, command.player)
    if seat.sitting_out:
        raise RoomError("request.repeated", "you are sitting out already")
    draft.tell(e.SatOut(draft.now, seat.seat))


def come_back(draft: Draft, seat: Seat) -> None:
    """Note that a player whose time had run out does something again."""
    if seat.late:
        draft.tell(e.CameBack(draft.now, seat.seat))


def may_sit_in(seat: Seat) -> bool:
    """Tell whether a player can take back sitting out, leaving or being away; not what the host has decided."""
    return seat.sitting_out or seat.absent or (seat.leaving and not seat.unseated)


def _sit_in(draft: Draft, command: c.Command, _: c.SitIn) -> None:
    seat = _own_seat(draft.state, command.player)
    if not may_sit_in(seat):
        raise RoomError("request.repeated", "there is nothing to come back from")
    draft.tell(e.SatIn(draft.now, seat.seat))


def _ready(draft: Draft, command: c.Command, _: c.Ready) -> None:
    seat = _own_seat(draft.state, command.player)
    if draft.state.next_at is None:
        raise RoomError("ready.nothing", "no deal is about to begin")
    if seat.ready:
        raise RoomError("request.repeated", "you have said that you are ready")
    come_back(draft, seat)
    draft.tell(e.ReadySaid(draft.now, seat.seat))


def _say(draft: Draft, command: c.Command, request: c.Say) -> None:
    text = readable_line(request.text)
    if not text:
        raise RoomError("talk.empty", "write something that can be read", "$.text")
    if len(text) > TALK_LENGTH:
        raise RoomError("talk.too_long", f"a line has at most {TALK_LENGTH} characters", "$.text")
    since = draft.now - TALK_WINDOW
    recent = sum(line.player == command.player and line.at > since for line in draft.state.talk)
    if recent >= TALK_LINES:
        raise RoomError("talk.too_fast", "wait a moment before you write again")
    seat = seat_of(draft.state, command.player)
    if seat is None:
        name = distinct(command.name or "Guest", names_besides(draft.state, command.player))
        draft.tell(e.Said(draft.now, command.player, name, text))
    else:
        draft.tell(e.Said(draft.now, command.player, seat.name, text, seat.seat))


def _offer_stake(draft: Draft, command: c.Command, request: c.OfferStake) -> None:
    state = draft.state
    seat = _own_seat(state, command.player)
    other = _taken(state, request.seat)
    if other.seat == seat.seat:
        raise RoomError("stake.self", "a stake is agreed with another player", "$.seat")
    if other.bot:
        raise RoomError("stake.bot", "bots play for the table's stake", "$.seat")
    if not 1 <= request.stake <= MAX_STAKE:
        raise RoomError("stake.range", f"a stake is 1 to {MAX_STAKE} times the table's", "$.stake")
    a, b = sorted((seat.seat, other.seat))
    offers = {one.offered_by: one.stake for one in state.stakes if (one.a, one.b) == (a, b)}
    if offers.get(seat.seat) == request.stake:
        raise RoomError("request.repeated", f"you have offered this; {other.name} has not agreed yet", "$.stake")
    if offers.get(None, 1) == request.stake and other.seat not in offers:
        raise RoomError("request.repeated", "this is your stake already", "$.stake")
    if offers.get(other.seat) == request.stake:
        draft.tell(e.StakeAgreed(draft.now, a, b, request.stake))
    else:
        draft.tell(e.StakeOffered(draft.now, seat.seat, other.seat, request.stake))


def _close_table(draft: Draft, command: c.Command, _: c.CloseTable) -> None:
    _verify_host(draft.state, command.player)
    if draft.state.closing:
        raise RoomError("request.repeated", "the table closes as soon as the match is over")
    draft.tell(e.CloseAsked(draft.now))


_ANSWERS: dict[type, Callable[[Draft, c.Command, Any], None]] = {
    c.Sit: _sit,
    c.Leave: _leave,
    c.TopUp: _top_up,
    c.SitOut: _sit_out,
    c.SitIn: _sit_in,
    c.Ready: _ready,
    c.Say: _say,
    c.SeatBot: _seat_bot,
    c.Unseat: _unseat,
    c.OfferStake: _offer_stake,
    c.CloseTable: _close_table,
}
