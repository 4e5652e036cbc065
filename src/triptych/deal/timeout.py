"""What is done for a player whose clock and bank have run out: one small function per `timeout.layout`.

What the player has arranged stands as far as it is legal (arranged.py); only the rest is laid by the rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.board import EMPTY, Board, filled, layout_of
from triptych.deal import events as e
from triptych.deal.actions import Announce, ClaimNatural, ClockAction, Declare, Forfeit, Place
from triptych.deal.closed_actions import natural_of
from triptych.deal.place import place, verify_turn
from triptych.deal.state import phase
from triptych.deal.timeout_best_legal import best_legal
from triptych.deal.timeout_layout import BACK_FIRST, standing
from triptych.deal.visibility import Public

if TYPE_CHECKING:
    from collections.abc import Callable

    from triptych.deal.state import DealState


def automatic(state: DealState, hand: int) -> ClockAction:
    """Return the action that the room takes for a hand out of time. `hand` must be one of `acting(state)`.

    A closed hand is played, never surrendered, and claims no royalties; a natural that it was dealt is kept.
    Rule: LAW 4 (naturals), 6 (time out); seed 002 L31.
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
    return _received(state, hand, standing(state.rules, state.hands[hand]))


def _received(state: DealState, hand: int, kept: Board) -> Place:
    held = state.hands[hand]
    others = tuple(card for card in held.drawn if card not in kept.cards)
    placed = others[: held.streets[held.street].placed - len(kept.cards)]
    return Place(hand, layout_of(kept.plus(filled(held.board.plus(kept), placed, BACK_FIRST))))


def forfeit(state: DealState, action: Forfeit) -> tuple[e.DealEvent, ...]:
    """Make the board a foul and lay its street as received, whatever was arranged.

    Raises DealError when it is not this hand's turn.
    """
    held = verify_turn(state, action.hand, "placing")
    dead = () if held.dead else (Public(e.WentDead(action.hand)),)
    return (*dead, *place(state, _received(state, action.hand, EMPTY)))


_LAYOUTS: dict[str, Callable[[DealState, int], ClockAction]] = {
    "received_back_first": received_back_first,
    "foul": lambda _, hand: Forfeit(hand),
    "best_legal": best_legal,
}
