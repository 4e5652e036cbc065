"""What is done for a player whose clock and bank have run out: one small function per `timeout.layout`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.board import RowName, filled, layout_of
from triptych.deal import events as e
from triptych.deal.actions import Announce, ClockAction, Declare, Forfeit, Place
from triptych.deal.best_legal import best_legal
from triptych.deal.place import place, verify_turn
from triptych.deal.state import phase
from triptych.deal.visibility import Public

if TYPE_CHECKING:
    from collections.abc import Callable

    from triptych.deal.state import DealState

_BACK_FIRST: tuple[RowName, ...] = ("back", "middle", "front")


def automatic(state: DealState, hand: int) -> ClockAction:
    """Return the action that the room takes for a hand out of time. `hand` must be one of `acting(state)`.

    Cards that were arranged and not confirmed do not count: nothing is laid before *Ready*, and the rule names
    the order received. A closed hand is played, never surrendered, and claims no royalties.
    Rule: RULEBOOK 6 (time out); seed 002 L31.
    """
    now = phase(state)
    if now == "announcing":
        return Announce(hand, play=True)
    if now == "declaring":
        return Declare(hand, ())
    return _LAYOUTS[state.rules.timeout.layout](state, hand)


def received_back_first(state: DealState, hand: int) -> Place:
    """Lay the cards in the order received: back, then middle, then front; the last ones are the discards."""
    held = state.hands[hand]
    placed = held.drawn[: held.streets[held.street].placed]
    return Place(hand, layout_of(filled(held.board, placed, _BACK_FIRST)))


def forfeit(state: DealState, action: Forfeit) -> tuple[e.DealEvent, ...]:
    """Make the board a foul and lay its street as received. Raises DealError when it is not this hand's turn."""
    held = verify_turn(state, action.hand, "placing")
    dead = () if held.dead else (Public(e.WentDead(action.hand)),)
    return (*dead, *place(state, received_back_first(state, action.hand)))


_LAYOUTS: dict[str, Callable[[DealState, int], ClockAction]] = {
    "received_back_first": received_back_first,
    "foul": lambda _, hand: Forfeit(hand),
    "best_legal": best_legal,
}
