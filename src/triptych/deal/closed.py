"""What closed games add: taking a natural, announcing play or surrender, declaring royalties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.deal import events as e
from triptych.deal.errors import DealError
from triptych.deal.place import verify_turn
from triptych.deal.visibility import Public

if TYPE_CHECKING:
    from triptych.deal.actions import Announce, Declare
    from triptych.deal.state import DealState


def verify_announce(state: DealState, action: Announce) -> None:
    """Raise DealError when it is not this hand's turn to announce. Rule: RULEBOOK 2, 4."""
    verify_turn(state, action.hand, "announcing")


def announce(state: DealState, action: Announce) -> tuple[e.DealEvent, ...]:
    """Play the hand or surrender it. Raises DealError."""
    verify_announce(state, action)
    return (Public(e.Announced(action.hand, action.play)),)


def verify_declare(state: DealState, action: Declare) -> None:
    """Raise DealError when it is not this hand's turn to declare, or a row is named twice.

    A declared row without a royalty is no error: it simply pays nothing. Rule: RULEBOOK 4; seed 003 L36.
    """
    verify_turn(state, action.hand, "declaring")
    for index, row in enumerate(action.rows):
        if row in action.rows[:index]:
            raise DealError("deal.row_twice", f"the {row} is declared twice", f"$.rows[{index}]")


def declare(state: DealState, action: Declare) -> tuple[e.DealEvent, ...]:
    """Claim the royalties of some rows. Raises DealError."""
    verify_declare(state, action)
    return (Public(e.Declared(action.hand, action.rows)),)
