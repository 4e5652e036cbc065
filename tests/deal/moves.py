"""Short words for tests: a deck that begins as wanted, actions as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.board import Layout
from triptych.cards import Card, deck, parse_cards
from triptych.deal.actions import Arrange, ClockAction, Place
from triptych.deal.engine import decide, start
from triptych.deal.evolve import evolve
from triptych.deal.state import DealState, HandStart

if TYPE_CHECKING:
    from triptych.deal.events import DealEvent
    from triptych.rulesets.model import Ruleset


def stacked(first: str, jokers: int = 0) -> tuple[Card, ...]:
    """Return a whole deck whose first cards are these, the others in order."""
    top = parse_cards(first)
    return (*top, *(card for card in deck(jokers) if card not in top))


def layout(text: str) -> Layout:
    """Return `Kd/7s7h/Ah` (front, middle, back; rows may be empty) as a layout."""
    return Layout(*(tuple(row[i : i + 2] for i in range(0, len(row), 2)) for row in text.split("/")))


def place(hand: int, text: str) -> Place:
    return Place(hand, layout(text))


def arrange(hand: int, text: str) -> Arrange:
    return Arrange(hand, layout(text))


def begun(rules: Ruleset, hands: tuple[HandStart, ...], cards: tuple[Card, ...]) -> DealState:
    """Return the state after the start."""
    return after(None, start(rules, 1, hands, cards).events)


def after(state: DealState | None, events: tuple[DealEvent, ...]) -> DealState:
    """Return the state after events."""
    for event in events:
        state = evolve(state, event)
    assert state is not None
    return state


def played(state: DealState, *actions: ClockAction) -> DealState:
    """Return the state after some actions."""
    for action in actions:
        state = after(state, decide(state, action).events)
    return state
