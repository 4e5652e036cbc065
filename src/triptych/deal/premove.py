"""Premoves: placements of cards already dealt, and announcements that will be asked for.

Where cards are dealt at the turn (Rules §2) no player has any before it; under `deal.first_cards = all` every player
has the first five. In a closed game a player who has set the cards can choose to play or surrender.
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
    """Return whether a hand has cards to place but it is not its turn."""
    return state.hands[hand].placing and phase(state) == "placing" and hand not in acting_hands(state)


def can_premove_announcement(state: DealState, hand: int) -> bool:
    """Return whether a hand may still have to announce, but does not have to yet."""
    hand_state = state.hands[hand]
    can_surrender = bool(state.rules.surrender.points) and is_closed(state.rules)
    if not (can_surrender and hand_state.is_set and not hand_state.natural and hand_state.plays is None):
        return False
    return phase(state) in ("placing", "announcing") and hand not in acting_hands(state)


@memoize_last
def hands_with_premove(state: DealState) -> tuple[int, ...]:
    """Return the hands that may set a premove now; after most actions there are none."""
    acting = acting_hands(state)
    return tuple(
        [
            hand
            for hand in range(len(state.hands))
            if hand not in acting and (can_premove_placement(state, hand) or can_premove_announcement(state, hand))
        ]
    )


def verify_premove(state: DealState, action: PremoveAction) -> None:
    """Raise DealError when a premove is not possible; `action.hand` must be a hand of the deal."""
    if isinstance(action, Announce):
        if not can_premove_announcement(state, action.hand):
            raise DealError("deal.not_your_turn", Message("error.deal.premove_not_possible"), "$.action.hand")
        return
    if not can_premove_placement(state, action.hand):
        raise DealError("deal.not_your_turn", Message("error.deal.street_not_dealt"), "$.action.hand")
    verify_layout(state.hands[action.hand], action)
