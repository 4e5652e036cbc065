"""The course of the table: deals begin, actions are passed on, clocks run, matches end. Works on a Draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.deal import engine
from triptych.deal.actions import Arrange
from triptych.deal.errors import DealError
from triptych.deal.premove import verify_ahead
from triptych.deal.state import HandStart
from triptych.deal.timeout import automatic
from triptych.table import clock as clocks
from triptych.table import events as e
from triptych.table.absence import is_away, is_gone
from triptych.table.buy_in import is_bust, may_top_up
from triptych.table.deck_commitment import deck
from triptych.table.errors import PAUSED, RoomError
from triptych.table.handlers.player import come_back
from triptych.table.levels import places
from triptych.table.match import (
    all_here,
    can_begin,
    enough_players,
    everybody_ready,
    fantasyland_pending,
    from_the_left,
    hands_per_seat,
    is_over,
    lineup,
    next_button,
)
from triptych.table.match_prize import paid_prizes
from triptych.table.premoves import do_planned, drop_rest, due
from triptych.table.seats import give_up, stand_up
from triptych.table.settlement import settled
from triptych.table.state import seat_of
from triptych.table.turns import verify_patience

if TYPE_CHECKING:
    from triptych.deal.actions import Action, ClockAction
    from triptych.deal.state import DealState
    from triptych.table.commands import Command, MoveAhead, PlaceFor
    from triptych.table.draft import Draft
    from triptych.table.state import Seat, TableState

# How long a match waits when all people have gone, for instance because the server was restarted.
HOLD_MS = 300 * clocks.SECOND
# What the client shows before the points stand, and what it shows for who reached fantasyland.
SHOWDOWN_MS = 3 * clocks.SECOND
SPLENDOUR_MS = 4 * clocks.SECOND


def act(draft: Draft, player: str, action: Action) -> None:
    """Do a player's action in the deal. Raises RoomError, also with what the deal refuses."""
    seat, deal = _own_hand(draft.state, player, action.hand)
    if draft.state.paused is not None and not isinstance(action, Arrange):
        raise RoomError(PAUSED, "the table is paused; the host lets it go on")
    come_back(draft, seat)
    _advance(draft, deal, action)


def act_ahead(draft: Draft, player: str, request: MoveAhead) -> None:
    """Keep a move for when it is asked for, do it at once if that is now, or take it back. Raises RoomError."""
    action = request.action
    seat, deal = _own_hand(draft.state, player, request.hand)
    if action is None:
        draft.whisper(seat.seat, e.MovePlanned(draft.now, request.hand, None))
        return
    if action.hand != request.hand:
        raise RoomError("hand.unknown", "the move is for another hand than the one named", "$.action.hand")
    if request.hand in engine.acting(deal):
        act(draft, player, action)
        return
    try:
        verify_ahead(deal, action)
    except DealError as error:
        raise RoomError(error.code, error.message, error.path) from None
    come_back(draft, seat)
    draft.whisper(seat.seat, e.MovePlanned(draft.now, request.hand, action))


def place_for(draft: Draft, command: Command, request: PlaceFor) -> None:
    """Place the cards of a player who keeps the others waiting at a table without a clock. Raises RoomError."""
    seat, hands = verify_patience(draft.state, command.player, request.seat, draft.now)
    own = seat_of(draft.state, command.player)
    _time_out(draft, seat, hands, by=command.name if own is None else own.name)


def _own_hand(state: TableState, player: str, hand: int) -> tuple[Seat, DealState]:
    """Return the seat of a player whose hand it is, and the deal. Raises RoomError."""
    seat = seat_of(state, player)
    if seat is None:
        raise RoomError("player.not_seated", "you have no seat at this table; take one first")
    if state.deal is None or state.settled:
        raise RoomError("request.no_deal", "no deal is being played now; wait for the next one")
    hands = state.deal.hands
    if not 0 <= hand < len(hands):
        message = f"there is no hand {hand} in this deal; they go from 0 to {len(hands) - 1}"
        raise RoomError("hand.unknown", message, "$.hand")
    if hands[hand].seat != seat.seat:
        raise RoomError("hand.not_yours", "this board is another player's", "$.hand")
    return seat, state.deal


def _advance(draft: Draft, deal: DealState, action: ClockAction) -> None:
    """Pass an action on to the deal in progress, and settle the deal when that was the last one."""
    try:
        course = engine.decided(deal, action)
    except DealError as error:
        raise RoomError(error.code, error.message, error.path) from None
    draft.go_on(course)
    if not isinstance(action, Arrange):
        _go_on(draft, action.hand)


def _go_on(draft: Draft, acted: int | None) -> None:
    """Do what was set ahead, lay out what is awaited from who is away, let the clocks run, settle what is over."""
    deal = draft.state.deal
    while deal is not None:
        if (planned := due(draft.state, deal)) is not None:
            do_planned(draft, deal, planned)
        elif (hand := _of_who_is_away(draft.state, deal, acted)) is not None:
            draft.go_on(engine.decided(deal, automatic(deal, hand)))
        else:
            break
        deal = draft.state.deal
    _run_clocks(draft, acted)
    if deal is not None and engine.finished(deal):
        drop_rest(draft, deal)
        draft.tell(settled(draft.state, deal, draft.now))


def _of_who_is_away(state: TableState, deal: DealState, acted: int | None) -> int | None:
    """Return a hand for which nobody waits. The clock of who is only away runs on where it runs already."""
    for hand in engine.acting(deal):
        seat = state.seats[deal.hands[hand].seat]
        if is_gone(seat):
            return hand
        if is_away(seat):
            runs = hand != acted and any(hand in clock.hands for clock in state.clocks)
            if not runs:
                return hand
    return None


def _run_clocks(draft: Draft, acted: int | None) -> None:
    """Stop the clocks of seats that have acted, and start one for each seat from which something is awaited."""
    state = draft.state
    if state.deal is None or state.config.rules.clock.kind == "none":
        return
    wanted = clocks.awaited(state.deal)
    for clock in state.clocks:
        left = tuple(hand for hand in clock.hands if hand != acted and hand in wanted.get(clock.seat, ()))
        if not left:
            draft.tell(clocks.stop(clock, draft.now))
        elif left != clock.hands:
            draft.tell(clocks.narrowed(clock, left, draft.now))
    running = {clock.seat for clock in draft.state.clocks}
    for seat, hands in wanted.items():
        if seat not in running:
            draft.tell(clocks.start(draft.state, draft.state.seats[seat], hands, draft.now))


def tick(draft: Draft) -> None:
    """Do what is due by now: lay out the cards of players whose time has run out, begin the next deal."""
    if draft.state.paused is not None:
        return
    for clock in draft.state.clocks:
        if clock.bank_ends <= draft.now and not draft.state.settled:
            _time_out(draft, draft.state.seats[clock.seat], clock.hands)
    if draft.state.next_at is None or draft.state.next_at > draft.now:
        return
    if can_begin(draft.state):
        _begin_deal(draft)
    elif draft.state.match is not None and not draft.state.held and len(lineup(draft.state)) > 1:
        draft.tell(e.NextDealScheduled(draft.now, draft.now + HOLD_MS, held=True))
    elif draft.state.match is not None:
        _end_match(draft)


def _time_out(draft: Draft, seat: Seat, hands: tuple[int, ...], *, by: str = "") -> None:
    """Lay out a seat's cards. Rule: LAW 6 (time out); seed 002 L31; seed 000 L95 (end_match).

    A player whose time ran out sits out also where the match ends, or the next one would begin with an empty chair.
    A bot does not: it answers again as soon as its process does. Without a clock, where another player has asked for
    it (`by`), a player who is there has only this street placed the first time.
    """
    draft.tell(e.TimeRanOut(draft.now, seat.seat, by))
    after = draft.state.config.rules.timeout.after
    stays = bool(by) and seat.connected and not seat.late
    if seat.person and after != "none" and not stays:
        if not seat.sitting_out:
            draft.tell(e.SatOut(draft.now, seat.seat, timed_out=True))
        if after == "end_match" and draft.state.match is not None and not draft.state.match.cut_short:
            draft.tell(e.MatchCutShort(draft.now, seat.seat))
    for hand in hands:
        deal = draft.state.deal
        if deal is not None and hand in engine.acting(deal):
            _advance(draft, deal, automatic(deal, hand))


def follow(draft: Draft, *, joined: bool = False) -> None:
    """Bring about what follows without a request: the end of a match, players leaving, the next deal.

    `joined`: somebody has just sat down, so that the pause before a match begins anew.
    """
    if draft.state.closed:
        return
    _place_for_gone(draft)
    if not draft.state.settled:
        return
    _take_places(draft)
    if _is_over(draft.state):
        _end_match(draft)
    else:
        _free_banned(draft)
        if _is_over(draft.state):
            _end_match(draft)
    _take_places(draft)
    if draft.state.match is None and draft.state.closing:
        _close(draft)
        return
    _buy_bots_in(draft)
    unasked = not draft.state.begun and not draft.state.config.cup
    if unasked and enough_players(draft.state) and all_here(draft.state):
        draft.tell(e.PlayStarted(draft.now))
    if draft.state.paused is not None:
        return
    _schedule(draft, joined=joined)
    if draft.state.next_at is not None and can_begin(draft.state) and everybody_ready(draft.state):
        _begin_deal(draft)


def _place_for_gone(draft: Draft) -> None:
    """Go on where a deal waits for somebody who has just gone for good."""
    state = draft.state
    if state.settled or state.deal is None or state.paused is not None:
        return
    if any(is_gone(state.seats[seat]) for seat in clocks.awaited(state.deal)):
        _go_on(draft, None)


def _is_over(state: TableState) -> bool:
    return state.match is not None and is_over(state, state.match)


def _free_banned(draft: Draft) -> None:
    """Free the seats of the banned when the deal and its fantasylands are over; the others' match goes on."""
    if fantasyland_pending(draft.state):
        return
    for seat in draft.state.seats:
        if seat.player in draft.state.banned:
            give_up(draft, seat)


def _take_places(draft: Draft) -> None:
    for seat, place in places(draft.state):
        draft.tell(e.PlaceTaken(draft.now, seat.seat, seat.player, place))


def _end_match(draft: Draft) -> None:
    state = draft.state
    paid = () if state.match is None else paid_prizes(state, state.match)
    draft.tell(e.MatchEnded(draft.now, state.matches, state.config.table, paid))
    for seat in draft.state.seats:
        # At a tournament's table the next order says who sits.
        if seat.player and seat.leaving and not state.config.cup:
            give_up(draft, seat)


def _close(draft: Draft) -> None:
    for seat in draft.state.seats:
        if seat.player:
            stand_up(draft, seat)
    draft.tell(e.TableClosed(draft.now))


def _buy_bots_in(draft: Draft) -> None:
    """Let a bot that is bust bring its buy-in again when the match is over, so that the company goes on."""
    for seat in draft.state.seats:
        if seat.bot and is_bust(draft.state, seat) and may_top_up(draft.state, seat) and not seat.leaving:
            draft.tell(e.ToppedUp(draft.now, draft.state.config.table, seat.seat, seat.player, seat.buy_in))


def _schedule(draft: Draft, *, joined: bool) -> None:
    state = draft.state
    between_matches = state.match is None
    if between_matches and not can_begin(state):
        if state.next_at is not None:
            draft.tell(e.NextDealCancelled(draft.now))
    elif state.next_at is None or (joined and between_matches) or (state.held and can_begin(state)):
        pause = state.config.pause * clocks.SECOND
        draft.tell(e.NextDealScheduled(draft.now, draft.now + pause + _shown(state)))


def _shown(state: TableState) -> int:
    """Return how long the showdown takes to be shown (ms): the pause counts from when the numbers stand."""
    if state.config.pause == 0 or state.deal is None or state.next_at is not None:
        return 0
    return SHOWDOWN_MS + (SPLENDOUR_MS if any(seat.fantasyland for seat in state.seats) else 0)


def _begin_deal(draft: Draft) -> None:
    state = draft.state
    seats = lineup(state)
    if state.match is None:
        draft.tell(e.MatchBegan(draft.now, state.matches + 1, seats))
    button = next_button(state, seats)
    order = from_the_left(seats, button)
    rules = state.config.rules
    started = [HandStart(seat, state.seats[seat].fantasyland, state.seats[seat].in_row) for seat in order]
    hands = tuple(started * hands_per_seat(rules))
    draft.tell(e.DealBegan(draft.now, state.deals + 1, button, order))
    draft.go_on(engine.started(rules, state.deals + 1, hands, deck(draft)))
    _go_on(draft, None)
