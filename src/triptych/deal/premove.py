"""Moves that a player may set before their turn: with the cards that they hold already, or for a question to come.

Where cards come at the turn (Rules §2) nobody holds any before it; under `deal.first_cards = all` everybody has the
first five. In a closed game who has set their cards knows whether they will play or surrender.
"""

from __future__ import annotations

from triptych.deal.actions import Announce, Arrange, Place
from triptych.deal.errors import DealError
from triptych.deal.memoize import memoize_last
from triptych.deal.place import verify_layout
from triptych.deal.state import DealState, acting_hands, phase
from triptych.i18n.messages import Message
from triptych.rulesets.model import is_closed

PremoveAction = Arrange | Place | Announce


def can_premove_placement(state: DealState, hand: int) -> bool:
    """Return whether a hand holds cards whose turn has not come."""
    return state.hands[hand].placing and phase(state) == "placing" and hand not in acting_hands(state)


def can_premove_announcement(state: DealState, hand: int) -> bool:
    """Return whether a hand may still be asked to announce, but is not asked yet."""
    held = state.hands[hand]
    can_surrender = bool(state.rules.surrender.points) and is_closed(state.rules)
    if not (can_surrender and held.is_set and not held.natural and held.plays is None):
        return False
    return phase(state) in ("placing", "announcing") and hand not in acting_hands(state)


@memoize_last
def hands_with_premove(state: DealState) -> tuple[int, ...]:
    """Return the hands that may set a move ahead now; after most actions there is none."""
    acting = acting_hands(state)
    return tuple(
        [
            hand
            for hand in range(len(state.hands))
            if hand not in acting and (can_premove_placement(state, hand) or can_premove_announcement(state, hand))
        ]
    )


def verify_premove(state: DealState, action: PremoveAction) -> None:
    """Raise DealError when a move cannot be set ahead; the hand is one of the deal."""
    if isinstance(action, Announce):
        if not can_premove_announcement(state, action.hand):
            raise DealError("deal.not_your_turn", Message("error.deal.premove_not_possible"), "$.action.hand")
        return
    if not can_premove_placement(state, action.hand):
        raise DealError("deal.not_your_turn", Message("error.deal.street_not_dealt"), "$.action.hand")
    verify_layout(state.hands[action.hand], action)
