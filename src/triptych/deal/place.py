"""Place the cards of a street: arrange them any number of times, then confirm."""

from __future__ import annotations

from typing import TypeVar

from triptych.board import ROW_CAPACITY, ROWS, Layout
from triptych.cards import Card, card_text, find_card
from triptych.deal import events as e
from triptych.deal.actions import Arrange, Place
from triptych.deal.errors import DealError
from triptych.deal.state import DealState, HandState, Phase, acting_hands, arranging_is_public, is_face_down, phase
from triptych.deal.visibility import Private, Public
from triptych.i18n.messages import Message

A = TypeVar("A")


def verify_place(state: DealState, action: Arrange | Place) -> None:
    """Raise DealError when the street cannot be arranged or confirmed so. Rule: Rules §2; source 002 L29-L35."""
    verify_layout(verify_turn(state, action.hand, "placing"), action)


def verify_layout(hand: HandState, action: Arrange | Place) -> None:
    """Raise DealError when a layout does not fit the hand, or, for `Place`, has too few or too many cards."""
    count = len(_verify_layout(hand, action.layout))
    street = hand.streets[hand.street]
    if isinstance(action, Arrange):
        if count > street.placed:
            raise DealError("deal.wrong_count", Message("error.deal.street_cards", placed=street.placed), "$.layout")
    elif count != street.placed:
        numbers = {"placed": street.placed, "dealt": street.dealt, "count": count}
        message = (
            Message("error.deal.wrong_count_discard", discarded=street.discarded, **numbers)
            if street.discarded
            else Message("error.deal.wrong_count", **numbers)
        )
        raise DealError("deal.wrong_count", message, "$.layout")


def place(state: DealState, action: Place) -> tuple[e.DealEvent, ...]:
    """Confirm the street. Raises DealError."""
    verify_place(state, action)
    return placement_events(state, action)


def placement_events(state: DealState, action: Place) -> tuple[e.DealEvent, ...]:
    """Return the events of a verified `Place`: the discards first, then the placed cards, which this reveals.

    Rule: source 002 L35 ("When the third card is discarded, two other cards are revealed").
    """
    hand = state.hands[action.hand]
    placed = {*action.layout.front, *action.layout.middle, *action.layout.back}
    discards = tuple([text for text in map(card_text, hand.drawn) if text not in placed])
    events: list[e.DealEvent] = []
    if discards:
        events.append(Private(hand.seat, e.Discarded(action.hand, hand.street + 1, discards)))
    placement = e.Placed(action.hand, hand.street + 1, action.layout)
    if is_face_down(state, action.hand):
        events += [Private(hand.seat, placement), Public(e.PlacedFaceDown(action.hand, hand.street + 1))]
    else:
        events.append(Public(placement))
    return tuple(events)


def arrange(state: DealState, action: Arrange) -> tuple[e.DealEvent, ...]:
    """Arrange the cards: visible to all in a live first street, else to their owner. Raises DealError."""
    verify_place(state, action)
    arrangement = e.Arranged(action.hand, action.layout)
    if arranging_is_public(state, action.hand):
        return (Public(arrangement),)
    return (Private(state.hands[action.hand].seat, arrangement),)


def verify_turn(state: DealState, hand: int, expected: Phase) -> HandState:
    """Return the state of a hand whose turn it is in this phase. Raises DealError if it is not."""
    if not 0 <= hand < len(state.hands):
        message = Message("error.deal.unknown_hand", hand=hand, last=len(state.hands) - 1)
        raise DealError("deal.unknown_hand", message, "$.hand")
    current_phase = phase(state)
    if current_phase == "done":
        raise DealError("deal.over", Message("error.deal.over"))
    if current_phase != expected:
        raise DealError(
            "deal.wrong_phase",
            Message(
                "error.deal.wrong_phase", now=Message(f"phase.{current_phase}"), wanted=Message(f"phase.{expected}")
            ),
            "$.do",
        )
    if hand not in acting_hands(state):
        raise DealError("deal.not_your_turn", Message("error.deal.not_your_turn"), "$.hand")
    return state.hands[hand]


def _verify_layout(hand: HandState, layout: Layout) -> set[Card]:
    """Return the cards of a layout. Raises DealError unless each is drawn, given once and has a free slot."""
    cards: set[Card] = set()
    for row in ROWS:
        texts: tuple[str, ...] = getattr(layout, row)
        for index, text in enumerate(texts):
            card = find_card(text)
            if card is None or card in cards or card not in hand.drawn:
                raise _card_error(hand, card, cards, f"$.layout.{row}[{index}]")
            cards.add(card)
        free = hand.board.free_slots(row)
        if len(texts) > free:
            name = Message(f"row.{row}")
            room = (
                Message("error.deal.row_room", row=name, free=free)
                if free
                else Message("error.deal.row_filled", row=name)
            )
            message = Message("error.deal.row_full", room=room, count=len(texts), capacity=ROW_CAPACITY[row])
            raise DealError("deal.row_full", message, f"$.layout.{row}")
    return cards


def _card_error(hand: HandState, card: Card | None, placed: set[Card], path: str) -> DealError:
    """Return the error of a card. The messages name no card, since errors are logged; the path locates it."""
    if card is None:
        return DealError("card.unknown", Message("error.card.unknown"), path)
    if card in placed:
        return DealError("card.duplicate", Message("error.card.duplicate"), path)
    row = next((row for row in ROWS if card in hand.board.row(row)), None)
    if row is not None:
        return DealError("deal.card_placed", Message("error.deal.card_placed", row=Message(f"row.{row}")), path)
    if card in hand.discards:
        return DealError("deal.card_placed", Message("error.deal.card_discarded"), path)
    return DealError("deal.card_not_held", Message("error.deal.card_not_held"), path)
