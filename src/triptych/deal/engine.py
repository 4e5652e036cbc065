"""One deal from the shuffled deck to the showdown: start, decide, evolve. Pure, for every game of the rulebook.

`decide` returns the events of an action and the state after them, or raises DealError; `evolve` (evolve.py) makes
the same state of stored events.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from triptych.board import layout_from_board
from triptych.cards import Card, card_text
from triptych.deal import actions as a
from triptych.deal import events as e
from triptych.deal.closed_actions import announce, claim_natural, confirm, declare
from triptych.deal.dealing_order import hands_to_deal
from triptych.deal.errors import DealError
from triptych.deal.evolve import evolve
from triptych.deal.place import arrange
from triptych.deal.result import next_fantasyland, result
from triptych.deal.state import (
    DealState,
    HandStart,
    acting_hands,
    draws_are_public,
    finished,
    hand_streets,
    is_face_down,
    to_announce,
    to_declare,
)
from triptych.deal.timeout import forfeit, timeout_action
from triptych.deal.visibility import Private, Public, Sealed
from triptych.rulesets.model import Ruleset

__all__ = [
    "Transition",
    "acting_hands",
    "decide",
    "evolve",
    "finished",
    "next_fantasyland",
    "result",
    "start",
    "timeout_action",
]


class Transition(NamedTuple):
    """Events of a deal in their order, and the state after them."""

    events: tuple[e.DealEvent, ...]
    state: DealState


def with_automatic_events(state: DealState, events: Sequence[e.DealEvent]) -> Transition:
    """Return the events and all that follow from them, until a player has to act or the deal is over."""
    all_events = list(events)
    new_events: Sequence[e.DealEvent] = events
    while new_events:
        for event in new_events:
            state = evolve(state, event)
        new_events = _automatic_events(state)
        all_events.extend(new_events)
    return Transition(tuple(all_events), state)


def _automatic_events(state: DealState) -> list[e.DealEvent]:
    if state.ended:
        return []
    hands = hands_to_deal(state)
    if hands:
        return _deal_street(state, hands)
    if not all(hand.is_set for hand in state.hands):
        return []
    naturals = _show_naturals(state)
    if naturals:
        return naturals
    if to_announce(state) is not None or to_declare(state) is not None:
        return []
    return [*_show_boards(state), Public(e.DealEnded())]


def _deal_street(state: DealState, hands: tuple[int, ...]) -> list[e.DealEvent]:
    """Deal a street from the deck; the others see only the number of cards, unless the street is open."""
    events: list[e.DealEvent] = []
    top = 0
    for hand in hands:
        hand_state = state.hands[hand]
        count = hand_state.streets[hand_state.street].dealt
        cards = tuple(map(card_text, state.deck[top : top + count]))
        top += count
        dealt = e.Dealt(hand, hand_state.street + 1, cards)
        if draws_are_public(state, hand):
            events.append(Public(dealt))
        else:
            events += [Public(e.DealtFaceDown(hand, hand_state.street + 1, count)), Private(hand_state.seat, dealt)]
    return events


def _show_naturals(state: DealState) -> list[e.DealEvent]:
    return [
        Public(e.NaturalShown(i, hand.natural, tuple(card_text(card) for card in hand.drawn)))
        for i, hand in enumerate(state.hands)
        if hand.natural and not hand.shown
    ]


def _show_boards(state: DealState) -> list[e.DealEvent]:
    """Show every board that lies face down, except surrendered ones, which stay hidden."""
    return [
        Public(e.BoardShown(i, layout_from_board(hand.board)))
        for i, hand in enumerate(state.hands)
        if is_face_down(state, i) and not hand.surrendered
    ]


def start(rules: Ruleset, number: int, hands: tuple[HandStart, ...], deck: tuple[Card, ...]) -> Transition:
    """Begin a deal and deal the first cards; `hands[0]` sits left of the button, the last one on it.

    `deck`: the shuffled deck, top card first. Raises DealError (`deal.hands`, `deal.deck`).
    """
    _verify_hands(hands)
    _verify_deck(rules, hands, deck)
    first = Public(e.DealStarted(number, rules, hands))
    shuffled = Sealed(e.DeckShuffled(tuple(map(card_text, deck))))
    events, state = with_automatic_events(evolve(None, first), (shuffled,))
    return Transition((first, *events), state)


def decide(state: DealState, action: a.ClockAction) -> Transition:
    """Return an action's events and all that follow before the next choice. Raises DealError."""
    return with_automatic_events(state, _DECISIONS[type(action)](state, action))


_DECISIONS: dict[type, Callable[[DealState, Any], tuple[e.DealEvent, ...]]] = {
    a.Arrange: arrange,
    a.Place: confirm,
    a.Announce: announce,
    a.Declare: declare,
    a.ClaimNatural: claim_natural,
    a.Forfeit: forfeit,
}


def _verify_hands(hands: tuple[HandStart, ...]) -> None:
    if not 2 <= len(hands) <= 4:
        raise DealError("deal.hands", f"a deal has 2 to 4 hands, not {len(hands)}", "$.hands")
    for index, hand in enumerate(hands):
        if hand.fantasyland and not 13 <= hand.fantasyland <= 17:
            message = f"a fantasyland has 13 to 17 cards, not {hand.fantasyland}"
            raise DealError("deal.hands", message, f"$.hands[{index}].fantasyland")


def _verify_deck(rules: Ruleset, hands: tuple[HandStart, ...], deck: tuple[Card, ...]) -> None:
    size = 52 + rules.deal.jokers
    if len(set(deck)) != len(deck) or (deck and not 0 <= min(deck) <= max(deck) < size):
        raise DealError("deal.deck", f"the deck must hold different cards, all of the {size} in play", "$.deck")
    needed = sum(street.dealt for hand in hands for street in hand_streets(rules, hand.fantasyland))
    if len(deck) < needed:
        raise DealError("deal.deck", f"these hands need {needed} cards and the deck has {len(deck)}", "$.deck")
