"""Act for a player whose clock and time bank have run out: one function per `timeout.layout`.

The player's arrangement stays as far as it is legal (deal/timeout_layout.py); the rule places only the other cards.
"""

from __future__ import annotations

from collections.abc import Callable

from triptych.board import EMPTY, Board, fill_in_order, layout_from_board
from triptych.deal import events as e
from triptych.deal.actions import Announce, ClaimNatural, ClockAction, Declare, Forfeit, Place
from triptych.deal.closed_actions import natural_of
from triptych.deal.place import place, verify_turn
from triptych.deal.state import DealState, phase
from triptych.deal.timeout_best_legal import best_legal
from triptych.deal.timeout_layout import BACK_FIRST, arrangement_to_keep
from triptych.deal.visibility import Public


def timeout_action(state: DealState, hand: int) -> ClockAction:
    """Return the action for a hand that is out of time; `hand` must be one of `acting_hands(state)`.

    A closed hand is played, never surrendered, and claims no royalties; a dealt natural is claimed.
    Rule: Rules §4 (naturals), 6 (time out); source 002 L31.
    """
    current_phase = phase(state)
    if current_phase == "announcing":
        return Announce(hand, play=True)
    if current_phase == "declaring":
        return Declare(hand, ())
    if natural_of(state, state.hands[hand]):
        return ClaimNatural(hand)
    return _LAYOUTS[state.rules.timeout.layout](state, hand)


def received_back_first(state: DealState, hand: int) -> Place:
    """Return the placement in the order received: back, middle, front; the last cards are the discards."""
    return _place_as_received(state, hand, arrangement_to_keep(state.rules, state.hands[hand]))


def _place_as_received(state: DealState, hand: int, layout: Board) -> Place:
    hand_state = state.hands[hand]
    remaining = tuple(card for card in hand_state.drawn if card not in layout.cards)
    placed = remaining[: hand_state.streets[hand_state.street].placed - len(layout.cards)]
    return Place(
        hand, layout_from_board(layout.merged(fill_in_order(hand_state.board.merged(layout), placed, BACK_FIRST)))
    )


def forfeit(state: DealState, action: Forfeit) -> tuple[e.DealEvent, ...]:
    """Make the board a foul and place its street in the order received, ignoring the arrangement.

    Raises DealError when it is not this hand's turn.
    """
    hand = verify_turn(state, action.hand, "placing")
    foul_events = () if hand.dead else (Public(e.Forfeited(action.hand)),)
    return (*foul_events, *place(state, _place_as_received(state, action.hand, EMPTY)))


_LAYOUTS: dict[str, Callable[[DealState, int], ClockAction]] = {
    "received_back_first": received_back_first,
    "foul": lambda _, hand: Forfeit(hand),
    "best_legal": best_legal,
}
