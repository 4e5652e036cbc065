"""The progress of a table: deals begin, actions go to the deal, clocks run, matches end.

Works on a Draft.
"""

from __future__ import annotations

from triptych.deal import engine
from triptych.deal.actions import Action, Arrange, ClockAction
from triptych.deal.errors import DealError
from triptych.deal.premove import verify_premove
from triptych.deal.state import DealState, HandStart
from triptych.deal.timeout import timeout_action
from triptych.i18n.messages import Message
from triptych.rulesets.model import hands_per_seat
from triptych.table import clock as clocks
from triptych.table import events as e
from triptych.table.absence import is_away, is_gone
from triptych.table.buy_in import counts_after_match, is_bust, may_top_up
from triptych.table.commands import Command, PlaceFor, SetPremove
from triptych.table.deck_commitment import next_deck
from triptych.table.draft import Draft
from triptych.table.errors import PAUSED, TableError
from triptych.table.handlers.player import mark_returned
from triptych.table.levels import new_places
from triptych.table.match import (
    all_here,
    can_begin,
    enough_players,
    everybody_ready,
    fantasyland_pending,
    from_the_left,
    is_over,
    lineup,
    next_button,
    unplayable_fantasylands,
)
from triptych.table.premoves import drop_premoves, due_premove, play_premove
from triptych.table.seats import leave_seat, own_seat, vacate_seat
from triptych.table.settlement import prize_payments, settle_deal
from triptych.table.state import Seat, TableState, seat_of
from triptych.table.turns import verify_turn_timeout

# How long a match waits when nobody is connected, for instance after a restart of the server.
ABANDON_TIMEOUT_MS = 300 * clocks.MS_PER_SECOND
# How long the next deal waits for a single person who plays against bots without a clock: they press Ready.
ALONE_PAUSE_MS = 600 * clocks.MS_PER_SECOND
# How long the client shows the showdown before the points, and a player's fantasyland.
SHOWDOWN_MS = 3 * clocks.MS_PER_SECOND
FANTASYLAND_SHOW_MS = 4 * clocks.MS_PER_SECOND


def act(draft: Draft, player: str, action: Action) -> None:
    """Do a player's action in the deal. Raises TableError, also for the deal's errors."""
    seat, deal = _own_hand(draft.state, player, action.hand)
    if draft.state.paused is not None and not isinstance(action, Arrange):
        raise TableError(PAUSED, Message("error.table.paused"))
    mark_returned(draft, seat)
    _advance(draft, deal, action)


def act_premove(draft: Draft, player: str, request: SetPremove) -> None:
    """Set a premove, do it at once if the hand is to act now, or withdraw it. Raises TableError."""
    action = request.action
    seat, deal = _own_hand(draft.state, player, request.hand)
    if action is None:
        draft.emit_private(seat.seat, e.PremoveSet(draft.now, request.hand, None))
        return
    if action.hand != request.hand:
        raise TableError("hand.unknown", "the move is for another hand than the one named", "$.action.hand")
    if request.hand in engine.acting_hands(deal):
        act(draft, player, action)
        return
    try:
        verify_premove(deal, action)
    except DealError as error:
        raise TableError(error.code, error.message, error.path) from None
    mark_returned(draft, seat)
    draft.emit_private(seat.seat, e.PremoveSet(draft.now, request.hand, action))


def place_for(draft: Draft, command: Command, request: PlaceFor) -> None:
    """Place the cards of a player whose turn has timed out at a table without a clock. Raises TableError."""
    seat, hands = verify_turn_timeout(draft.state, command.player, request.seat, draft.now)
    own = seat_of(draft.state, command.player)
    _time_out(draft, seat, hands, by=command.name if own is None else own.name)


def _own_hand(state: TableState, player: str, hand: int) -> tuple[Seat, DealState]:
    """Return the seat of a hand's player, and the deal. Raises TableError unless the hand is the player's."""
    seat = own_seat(state, player)
    if state.deal is None or state.settled:
        raise TableError("request.no_deal", Message("error.request.no_deal"))
    hands = state.deal.hands
    if not 0 <= hand < len(hands):
        raise TableError("hand.unknown", Message("error.deal.unknown_hand", hand=hand, last=len(hands) - 1), "$.hand")
    if hands[hand].seat != seat.seat:
        raise TableError("hand.not_yours", Message("error.hand.not_yours"), "$.hand")
    return seat, state.deal


def _advance(draft: Draft, deal: DealState, action: ClockAction) -> None:
    """Do an action in the deal in progress, and settle the deal if it was the last action."""
    try:
        course = engine.decide(deal, action)
    except DealError as error:
        raise TableError(error.code, error.message, error.path) from None
    draft.extend(course)
    if not isinstance(action, Arrange):
        _continue_deal(draft, action.hand)


def _continue_deal(draft: Draft, acted: int | None) -> None:
    """Do premoves, place absent players' cards, start and stop clocks, and settle the deal if it is over."""
    deal = draft.state.deal
    while deal is not None:
        if (premove := due_premove(draft.state, deal)) is not None:
            play_premove(draft, deal, premove)
        elif (hand := _absent_hand(draft.state, deal, acted)) is not None:
            draft.extend(engine.decide(deal, timeout_action(deal, hand)))
        else:
            break
        deal = draft.state.deal
    _run_clocks(draft, acted)
    if deal is not None and engine.finished(deal):
        drop_premoves(draft, deal)
        draft.emit(settle_deal(draft.state, deal, draft.now))


def _absent_hand(state: TableState, deal: DealState, acted: int | None) -> int | None:
    """Return a hand whose player is absent, or None; a running clock goes on if the player is only away."""
    for hand in engine.acting_hands(deal):
        seat = state.seats[deal.hands[hand].seat]
        if is_gone(seat):
            return hand
        if is_away(seat):
            has_clock = hand != acted and any(hand in clock.hands for clock in state.clocks)
            if not has_clock:
                return hand
    return None


def _run_clocks(draft: Draft, acted: int | None) -> None:
    """Stop the clocks of seats that have acted, and start one for each seat that is to act."""
    state = draft.state
    if state.deal is None or state.config.rules.clock.kind == "none":
        return
    acting = clocks.acting_seats(state.deal)
    for clock in state.clocks:
        remaining = tuple(hand for hand in clock.hands if hand != acted and hand in acting.get(clock.seat, ()))
        if not remaining:
            draft.emit(clocks.stop_clock(clock, draft.now))
        elif remaining != clock.hands:
            draft.emit(clocks.narrow_clock(clock, remaining, draft.now))
    running = {clock.seat for clock in draft.state.clocks}
    for seat, hands in acting.items():
        if seat not in running:
            draft.emit(clocks.start_clock(draft.state, draft.state.seats[seat], hands, draft.now))


def tick(draft: Draft) -> None:
    """Do what is due by now: place the cards of players whose time has run out, begin the next deal."""
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
        draft.emit(e.NextDealScheduled(draft.now, draft.now + ABANDON_TIMEOUT_MS, held=True))
    elif draft.state.match is not None:
        _end_match(draft)


def _time_out(draft: Draft, seat: Seat, hands: tuple[int, ...], *, by: str = "") -> None:
    """Place a seat's cards automatically.

    Rule: Rules §6 (time out); source 002 L31; source 000 L95 (end_match).

    A player whose time ran out sits out even if the match ends, so that the next match does not begin with an absent
    player. A bot does not: it acts again as soon as its process does. Without a clock, when another player has
    requested it (`by`), the first time only this street is placed for a connected player.
    """
    draft.emit(e.TimeRanOut(draft.now, seat.seat, by))
    after = draft.state.config.rules.timeout.after
    is_first_request = bool(by) and seat.connected and not seat.late
    if seat.person and after != "none" and not is_first_request:
        if not seat.sitting_out:
            draft.emit(e.SatOut(draft.now, seat.seat, timed_out=True))
        if after == "end_match" and draft.state.match is not None and not draft.state.match.cut_short:
            draft.emit(e.MatchCutShort(draft.now, seat.seat))
    for hand in hands:
        deal = draft.state.deal
        if deal is not None and hand in engine.acting_hands(deal):
            _advance(draft, deal, timeout_action(deal, hand))


def advance(draft: Draft, *, joined: bool = False) -> None:
    """Emit what follows by itself: the end of a match, players leaving, the next deal.

    `joined`: a player has just sat down, so that the pause before a match begins again.
    """
    if draft.state.closed:
        return
    _place_for_gone(draft)
    if not draft.state.settled:
        return
    if seats := unplayable_fantasylands(draft.state):
        draft.emit(e.FantasylandsDropped(draft.now, seats))
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
    awaits_start = not draft.state.begun and not draft.state.config.cup
    if awaits_start and enough_players(draft.state) and all_here(draft.state):
        draft.emit(e.PlayStarted(draft.now))
    if draft.state.paused is not None:
        return
    _schedule(draft, joined=joined)
    if draft.state.next_at is not None and can_begin(draft.state) and everybody_ready(draft.state):
        _begin_deal(draft)


def _place_for_gone(draft: Draft) -> None:
    """Continue a deal that waits for a player who has just left."""
    state = draft.state
    if state.settled or state.deal is None or state.paused is not None:
        return
    if any(is_gone(state.seats[seat]) for seat in clocks.acting_seats(state.deal)):
        _continue_deal(draft, None)


def _is_over(state: TableState) -> bool:
    return state.match is not None and is_over(state, state.match)


def _free_banned(draft: Draft) -> None:
    """Free the seats of banned players when the deal and its fantasylands are over; the match goes on."""
    if fantasyland_pending(draft.state):
        return
    for seat in draft.state.seats:
        if seat.player in draft.state.banned:
            leave_seat(draft, seat)


def _take_places(draft: Draft) -> None:
    for seat, place in new_places(draft.state):
        draft.emit(e.PlaceTaken(draft.now, seat.seat, seat.player, place))


def _end_match(draft: Draft) -> None:
    state = draft.state
    paid = () if state.match is None else prize_payments(state, state.match)
    draft.emit(e.MatchEnded(draft.now, state.matches, state.config.table, paid))
    _bring_planned_buy_ins(draft)
    for seat in draft.state.seats:
        # At a tournament's table the next order assigns the seats.
        if seat.player and seat.leaving and not state.config.cup:
            leave_seat(draft, seat)


def _bring_planned_buy_ins(draft: Draft) -> None:
    """Add the points of players who were bust in the match, now that it is over."""
    for seat in draft.state.seats:
        points = min(seat.planned_buy_in, draft.state.config.rules.seats.buy_in_max - seat.stack)
        if points > 0 and not (seat.leaving or draft.state.closing):
            draft.emit(e.ToppedUp(draft.now, draft.state.config.table, seat.seat, seat.player, points))


def _close(draft: Draft) -> None:
    for seat in draft.state.seats:
        if seat.player:
            vacate_seat(draft, seat)
    draft.emit(e.TableClosed(draft.now))


def _buy_bots_in(draft: Draft) -> None:
    """Let a bot that is bust buy in again when the match is over, so that play goes on."""
    for seat in draft.state.seats:
        bust = seat.bot and is_bust(draft.state, seat) and not counts_after_match(draft.state, seat)
        if bust and may_top_up(draft.state, seat) and not seat.leaving:
            draft.emit(e.ToppedUp(draft.now, draft.state.config.table, seat.seat, seat.player, seat.buy_in))


def _schedule(draft: Draft, *, joined: bool) -> None:
    state = draft.state
    between_matches = state.match is None
    if between_matches and not can_begin(state):
        if state.next_at is not None:
            draft.emit(e.NextDealCancelled(draft.now))
    elif state.next_at is None or (joined and between_matches) or (state.held and can_begin(state)):
        draft.emit(e.NextDealScheduled(draft.now, draft.now + _pause_ms(state) + _showdown_ms(state)))


def _pause_ms(state: TableState) -> int:
    """Return how long the next deal waits for players who are not ready (ms).

    It waits longer for a single person who plays against bots without a clock, since nobody else has to wait.
    """
    people = [seat for seat in state.seats if seat.player and not seat.bot]
    if state.config.pause and len(people) == 1 and state.config.rules.clock.kind == "none":
        return ALONE_PAUSE_MS
    return state.config.pause * clocks.MS_PER_SECOND


def _showdown_ms(state: TableState) -> int:
    """Return how long the client shows the showdown (ms): the pause begins after it."""
    if state.config.pause == 0 or state.deal is None or state.next_at is not None:
        return 0
    return SHOWDOWN_MS + (FANTASYLAND_SHOW_MS if any(seat.fantasyland for seat in state.seats) else 0)


def _begin_deal(draft: Draft) -> None:
    state = draft.state
    seats = lineup(state)
    if state.match is None:
        draft.emit(e.MatchBegan(draft.now, state.matches + 1, seats))
    button = next_button(state, seats)
    order = from_the_left(seats, button)
    rules = state.config.rules
    hand_starts = [HandStart(seat, state.seats[seat].fantasyland, state.seats[seat].in_row) for seat in order]
    hands = tuple(hand_starts * hands_per_seat(rules))
    draft.emit(e.DealBegan(draft.now, state.deals + 1, button, order))
    draft.extend(engine.start(rules, state.deals + 1, hands, next_deck(draft)))
    _continue_deal(draft, None)
