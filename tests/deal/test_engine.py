"""Whole deals: who is dealt what, when and how. Rule: RULEBOOK 2; seed 002 L21-L37."""

from __future__ import annotations

from tests.deal.play import seats_for, steps
from triptych.deal.events import Dealt, DealtFaceDown
from triptych.deal.state import acting
from triptych.deal.visibility import Private, Public
from triptych.rules.load import resolve


def test_pineapple_streets_come_at_the_turn_and_only_the_first_is_open() -> None:
    """Seed 002 L21: five open cards; L29: then three face down, to one player after the other."""
    told = [event for _, events, _ in steps(resolve("pineapple"), seats_for(resolve("pineapple"), 3), 7) for event in events]
    dealt = [event for event in told if isinstance(event.event, Dealt)]
    assert [(event.event.hand, event.event.street) for event in dealt] == [(h, s) for s in range(1, 6) for h in range(3)]
    assert [len(event.event.cards) for event in dealt] == [5] * 3 + [3] * 12
    assert [isinstance(event, Public) for event in dealt] == [True] * 3 + [False] * 12
    assert [event.seat for event in dealt if isinstance(event, Private)] == [0, 1, 2] * 4
    assert sum(isinstance(event.event, DealtFaceDown) for event in told) == 12


def test_only_the_hand_in_turn_holds_cards() -> None:
    """RULEBOOK 2: each player receives the cards of a street only when it is their turn."""
    rules = resolve("pineapple")
    for _, _, state in steps(rules, seats_for(rules, 3), 11):
        holding = tuple(i for i, hand in enumerate(state.hands) if hand.drawn)
        assert holding == acting(state)
        assert len(holding) <= 1
