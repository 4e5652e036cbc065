"""What is done for a player whose clock and bank have run out: one small function per `timeout.layout`.

What the player has arranged stands as far as it is legal (deal/timeout_layout.py); only the rest is laid by the rule.
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
from triptych.deal.timeout_layout import BACK_FIRST, kept_on_timeout
from triptych.deal.visibility import Public


def timeout_action(state: DealState, hand: int) -> ClockAction:
    """Return the action that the room takes for a hand out of time. `hand` must be one of `acting(state)`.

    A closed hand is played, never surrendered, and claims no royalties; a natural that it was dealt is kept.
    Rule: Rules §4 (naturals), 6 (time out); source 002 L31.
    """
    now = phase(state)
    if now == "announcing":
        return Announce(hand, play=True)
    if now == "declaring":
        return Declare(hand, ())
    if natural_of(state, state.hands[hand]):
        return ClaimNatural(hand)
    return _LAYOUTS[state.rules.timeout.layout](state, hand)


def received_back_first(state: DealState, hand: int) -> Place:
    """Lay the cards in the order received: back, then middle, then front; the last ones are the discards."""
    return _place_as_received(state, hand, kept_on_timeout(state.rules, state.hands[hand]))


def _place_as_received(state: DealState, hand: int, layout: Board) -> Place:
    held = state.hands[hand]
    others = tuple(card for card in held.drawn if card not in layout.cards)
    placed = others[: held.streets[held.street].placed - len(layout.cards)]
    return Place(hand, layout_from_board(layout.merged(fill_in_order(held.board.merged(layout), placed, BACK_FIRST))))


def forfeit(state: DealState, action: Forfeit) -> tuple[e.DealEvent, ...]:
    """Make the board a foul and lay its street as received, whatever was arranged.

    Raises DealError when it is not this hand's turn.
    """
    held = verify_turn(state, action.hand, "placing")
    dead = () if held.dead else (Public(e.Forfeited(action.hand)),)
    return (*dead, *place(state, _place_as_received(state, action.hand, EMPTY)))


_LAYOUTS: dict[str, Callable[[DealState, int], ClockAction]] = {
    "received_back_first": received_back_first,
    "foul": lambda _, hand: Forfeit(hand),
    "best_legal": best_legal,
}
