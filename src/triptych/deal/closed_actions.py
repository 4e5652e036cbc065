"""Actions of closed games: claim a natural, announce play or surrender, declare royalties."""

from __future__ import annotations

from triptych.cards import parse_card
from triptych.deal import events as e
from triptych.deal.actions import Announce, ClaimNatural, Declare, Place
from triptych.deal.errors import DealError
from triptych.deal.place import placement_events, verify_place, verify_turn
from triptych.deal.state import DealState, HandState
from triptych.deal.visibility import Private, Public
from triptych.i18n.messages import Message
from triptych.rulesets.model import Natural, is_closed
from triptych.scoring.showdown import best_natural, rows_form_natural


def verify_claim(state: DealState, action: ClaimNatural) -> Natural:
    """Return the natural that the 13 cards hold. Raises DealError without one, or out of turn."""
    hand = verify_turn(state, action.hand, "placing")
    natural = natural_of(state, hand)
    if natural is None:
        raise DealError("deal.no_natural", Message("error.deal.no_natural"), "$.do")
    return natural


def claim_natural(state: DealState, action: ClaimNatural) -> tuple[e.DealEvent, ...]:
    """Claim the natural instead of setting the cards; the others see only that the hand is set. Raises DealError.

    Rule: Rules §4; source 003 L41 (the holder does not set).
    """
    return _claimed(state, action.hand, verify_claim(state, action))


def confirm(state: DealState, action: Place) -> tuple[e.DealEvent, ...]:
    """Confirm the street; three flushes or three straights set as rows claim their natural. Raises DealError.

    Rule: Rules §4 (`naturals.claim`); source 003 L14.
    """
    verify_place(state, action)
    hand = state.hands[action.hand]
    natural = natural_of(state, hand)
    rows = (*action.layout.front, *action.layout.middle, *action.layout.back)
    if natural and rows_form_natural(state.rules, [parse_card(text) for text in rows]):
        return _claimed(state, action.hand, natural)
    return placement_events(state, action)


def _claimed(state: DealState, hand: int, natural: Natural) -> tuple[e.DealEvent, ...]:
    claimed = Private(state.hands[hand].seat, e.NaturalClaimed(hand, natural.kind))
    return (claimed, Public(e.PlacedFaceDown(hand, 1)))


def natural_of(state: DealState, hand: HandState) -> Natural | None:
    """Return the best natural in a closed hand's cards, or None."""
    return best_natural(state.rules, hand.drawn) if is_closed(state.rules) and hand.drawn else None


def verify_announce(state: DealState, action: Announce) -> None:
    """Raise DealError when it is not this hand's turn to announce. Rule: Rules §2, 4."""
    verify_turn(state, action.hand, "announcing")


def announce(state: DealState, action: Announce) -> tuple[e.DealEvent, ...]:
    """Play the hand or surrender it. Raises DealError."""
    verify_announce(state, action)
    return (Public(e.Announced(action.hand, action.play)),)


def verify_declare(state: DealState, action: Declare) -> None:
    """Raise DealError when it is not this hand's turn to declare, or a row is named twice.

    A declared row without a royalty is not an error: it simply pays nothing. Rule: Rules §4; source 003 L36.
    """
    verify_turn(state, action.hand, "declaring")
    for index, row in enumerate(action.rows):
        if row in action.rows[:index]:
            raise DealError(
                "deal.row_twice", Message("error.deal.row_twice", row=Message(f"row.{row}")), f"$.rows[{index}]"
            )


def declare(state: DealState, action: Declare) -> tuple[e.DealEvent, ...]:
    """Claim the royalties of some rows. Raises DealError."""
    verify_declare(state, action)
    return (Public(e.Declared(action.hand, action.rows)),)
