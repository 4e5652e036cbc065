"""Whole deals: who is dealt what, when and how. Rule: RULEBOOK 2; seed 002 L21-L37."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.deal.play import seats_for, steps
from triptych.deal.events import Dealt, DealtFaceDown
from triptych.deal.state import HandStart, acting
from triptych.deal.visibility import Public
from triptych.rules.load import resolve

if TYPE_CHECKING:
    from triptych.deal.events import DealEvent
    from triptych.rules.model import Ruleset


def told(rules: Ruleset, hands: tuple[HandStart, ...], seed: int) -> list[DealEvent]:
    return [event for _, events, _ in steps(rules, hands, seed) for event in events]


def dealt(events: list[DealEvent]) -> list[tuple[int, int, int, bool]]:
    """Return hand, street, number of cards, and whether everyone saw them."""
    return [
        (event.event.hand, event.event.street, len(event.event.cards), isinstance(event, Public))
        for event in events
        if isinstance(event.event, Dealt)
    ]


def test_pineapple_streets_come_at_the_turn_and_only_the_first_is_open() -> None:
    """Seed 002 L21: five open cards; L29: then three face down, to one player after the other."""
    rules = resolve("pineapple")
    events = told(rules, seats_for(rules, 3), 7)
    first = [(hand, 1, 5, True) for hand in range(3)]
    later = [(hand, street, 3, False) for street in range(2, 6) for hand in range(3)]
    assert dealt(events) == first + later
    assert sum(isinstance(event.event, DealtFaceDown) for event in events) == 12


def test_only_the_hand_in_turn_holds_cards() -> None:
    """RULEBOOK 2: each player receives the cards of a street only when it is their turn."""
    rules = resolve("pineapple")
    for _, _, state in steps(rules, seats_for(rules, 3), 11):
        holding = tuple(i for i, hand in enumerate(state.hands) if hand.drawn)
        assert holding == acting(state)
        assert len(holding) <= 1
