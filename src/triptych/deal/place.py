"""Laying out the cards of a street: arranging them as often as one likes, then confirming."""

from __future__ import annotations

from typing import TypeVar

from triptych.board import ROW_CAPACITY, ROWS, Layout, RowName
from triptych.cards import Card, card_text, find_card
from triptych.deal import events as e
from triptych.deal.actions import Arrange, Place
from triptych.deal.errors import DealError
from triptych.deal.state import DealState, HandState, Phase, acting_hands, arranging_is_public, is_face_down, phase
from triptych.deal.visibility import Private, Public
from triptych.i18n.messages import Message

A = TypeVar("A")


def verify_place(state: DealState, action: Place) -> None:
    """Raise DealError when the street cannot be confirmed so. Rule: Rules §2; source 002 L29-L35."""
    verify_layout(verify_turn(state, action.hand, "placing"), action)


def verify_layout(held: HandState, action: Arrange | Place) -> None:
    """Raise DealError when the cards of a hand's street cannot lie so, or, for `Place`, are not all laid."""
    count = len(_verify_layout(held, action.layout))
    street = held.streets[held.street]
    if isinstance(action, Arrange):
        if count > street.placed:
            message = Message("error.deal.street_cards", placed=street.placed)
            raise DealError("deal.wrong_count", message, "$.layout")
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
    """Confirm a street that `verify_place` has let pass: discard first, which then reveals what was placed.

    Rule: source 002 L35 ("When the third card is discarded, two other cards are revealed").
    """
    held = state.hands[action.hand]
    laid = {*action.layout.front, *action.layout.middle, *action.layout.back}
    left = tuple([text for text in map(card_text, held.drawn) if text not in laid])
    events: list[e.DealEvent] = []
    if left:
        events.append(Private(held.seat, e.Discarded(action.hand, held.street + 1, left)))
    laid_down = e.Placed(action.hand, held.street + 1, action.layout)
    if is_face_down(state, action.hand):
        events += [Private(held.seat, laid_down), Public(e.PlacedFaceDown(action.hand, held.street + 1))]
    else:
        events.append(Public(laid_down))
    return tuple(events)


def verify_arrange(state: DealState, action: Arrange) -> None:
    """Raise DealError when the cards of the street cannot lie so."""
    verify_layout(verify_turn(state, action.hand, "placing"), action)


def arrange(state: DealState, action: Arrange) -> tuple[e.DealEvent, ...]:
    """Show where the cards lie so far: to all in a live first street, else to their owner. Raises DealError."""
    verify_arrange(state, action)
    arranged = e.Arranged(action.hand, action.layout)
    if arranging_is_public(state, action.hand):
        return (Public(arranged),)
    return (Private(state.hands[action.hand].seat, arranged),)


def verify_turn(state: DealState, hand: int, wanted: Phase) -> HandState:
    """Return the hand from which an action is awaited. Raises DealError when there is none such."""
    if not 0 <= hand < len(state.hands):
        message = Message("error.deal.unknown_hand", hand=hand, last=len(state.hands) - 1)
        raise DealError("deal.unknown_hand", message, "$.hand")
    now = phase(state)
    if now == "done":
        raise DealError("deal.over", Message("error.deal.over"))
    if now != wanted:
        raise DealError(
            "deal.wrong_phase",
            Message("error.deal.wrong_phase", now=Message(f"phase.{now}"), wanted=Message(f"phase.{wanted}")),
            "$.do",
        )
    if hand not in acting_hands(state):
        raise DealError("deal.not_your_turn", Message("error.deal.not_your_turn"), "$.hand")
    return state.hands[hand]


def _verify_layout(held: HandState, layout: Layout) -> set[Card]:
    """Return the cards of a layout when each is held, given once, and finds a free slot."""
    seen: set[Card] = set()
    for row in ROWS:
        texts: tuple[str, ...] = getattr(layout, row)
        for index, text in enumerate(texts):
            card = find_card(text)
            if card is None or card in seen or card not in held.drawn:
                raise _card_error(held, card, seen, f"$.layout.{row}[{index}]")
            seen.add(card)
        free = held.board.free_slots(row)
        if len(texts) > free:
            name = Message(f"row.{row}")
            room = (
                Message("error.deal.row_room", row=name, free=free)
                if free
                else Message("error.deal.row_filled", row=name)
            )
            message = Message("error.deal.row_full", room=room, count=len(texts), capacity=ROW_CAPACITY[row])
            raise DealError("deal.row_full", message, f"$.layout.{row}")
    return seen


def _card_error(held: HandState, card: Card | None, seen: set[Card], path: str) -> DealError:
    """Return why a card cannot be laid. The messages name no card, since errors get logged; the path says which."""
    if card is None:
        message = Message("error.card.unknown")
        return DealError("card.unknown", message, path)
    if card in seen:
        return DealError("card.duplicate", Message("error.card.duplicate"), path)
    row = _row_holding(held, card)
    if row is not None:
        message = Message("error.deal.card_placed", row=Message(f"row.{row}"))
        return DealError("deal.card_placed", message, path)
    if card in held.discards:
        return DealError("deal.card_placed", Message("error.deal.card_discarded"), path)
    return DealError("deal.card_not_held", Message("error.deal.card_not_held"), path)


def _row_holding(held: HandState, card: Card) -> RowName | None:
    return next((row for row in ROWS if card in held.board.row(row)), None)
