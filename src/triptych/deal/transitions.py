"""The events that follow without a player's choice: dealing the next cards, showing naturals, the showdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from triptych.board import layout_from_board
from triptych.cards import card_text
from triptych.deal import events as e
from triptych.deal.dealing_order import hands_to_deal
from triptych.deal.evolve import evolve
from triptych.deal.state import DealState, draws_are_public, is_face_down, to_announce, to_declare
from triptych.deal.visibility import Private, Public


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
