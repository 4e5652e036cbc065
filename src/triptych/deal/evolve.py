"""Apply events to the state: one small function per event, without checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from triptych.board import EMPTY, board_from_layout
from triptych.cards import Card, parse_card
from triptych.deal import events as e
from triptych.deal.dealing_order import dealing_order
from triptych.deal.state import DealState, HandState, hand_streets


def evolve(state: DealState | None, event: e.DealEvent) -> DealState:
    """Return the state after an event; `None` before the first one, which is `DealStarted`."""
    payload = event.event
    if isinstance(payload, e.DealStarted):
        return _deal_started(payload)
    if state is None:
        message = f"a deal begins with DealStarted, not {type(payload).__name__}"
        raise ValueError(message)
    return _CHANGES[type(payload)](state, payload)


def evolve_all(state: DealState | None, events: Iterable[e.DealEvent]) -> DealState | None:
    """Return the state after several events, in their order."""
    for event in events:
        state = evolve(state, event)
    return state


def _deal_started(event: e.DealStarted) -> DealState:
    hands = tuple(
        HandState(hand.seat, hand_streets(event.rules, hand.fantasyland), hand.fantasyland, hand.in_row)
        for hand in event.hands
    )
    return DealState(event.rules, event.number, hands, dealing_order(event.rules, event.hands))


def _with_hand(state: DealState, hand: int, **changes: object) -> DealState:
    hands = state.hands
    new_hand = replace(hands[hand], **changes)
    return replace(state, hands=(*hands[:hand], new_hand, *hands[hand + 1 :]))


def _cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(map(parse_card, texts))


def _dealt(state: DealState, event: e.Dealt) -> DealState:
    dealt = _with_hand(state, event.hand, drawn=_cards(event.cards))
    return replace(dealt, deck=state.deck[len(event.cards) :])


def _discarded(state: DealState, event: e.Discarded) -> DealState:
    hand = state.hands[event.hand]
    discards = _cards(event.cards)
    drawn = tuple(card for card in hand.drawn if card not in discards)
    return _with_hand(state, event.hand, drawn=drawn, discards=hand.discards + discards, pending=EMPTY)


def _placed(state: DealState, event: e.Placed) -> DealState:
    hand = state.hands[event.hand]
    board = hand.board.merged(board_from_layout(event.layout))
    row_counts = hand.laid
    if len(row_counts) == hand.street:  # else the deal began from a position without the earlier row counts
        row_counts = (*row_counts, (len(board.front), len(board.middle), len(board.back)))
    return _with_hand(
        state, event.hand, board=board, laid=row_counts, drawn=(), pending=EMPTY, street=hand.street + 1
    )


def _unchanged(state: DealState, _: e.DealtFaceDown | e.PlacedFaceDown | e.Hinted) -> DealState:
    """Change nothing: the owner's own event adds the cards to the state, and a hint moves none."""
    return state


_CHANGES: dict[type, Callable[[DealState, Any], DealState]] = {
    e.DeckShuffled: lambda state, event: replace(state, deck=_cards(event.cards)),
    e.Dealt: _dealt,
    e.DealtFaceDown: _unchanged,
    e.Arranged: lambda state, event: _with_hand(state, event.hand, pending=board_from_layout(event.layout)),
    e.Discarded: _discarded,
    e.Placed: _placed,
    e.PlacedFaceDown: _unchanged,
    e.Forfeited: lambda state, event: _with_hand(state, event.hand, dead=True),
    e.NaturalClaimed: lambda state, event: _with_hand(state, event.hand, natural=event.natural, pending=EMPTY),
    e.NaturalShown: lambda state, event: _with_hand(state, event.hand, shown=True),
    e.Announced: lambda state, event: _with_hand(state, event.hand, plays=event.play),
    e.Declared: lambda state, event: _with_hand(state, event.hand, declared=event.rows),
    e.BoardShown: lambda state, event: _with_hand(state, event.hand, shown=True),
    e.Hinted: _unchanged,
    e.DealEnded: lambda state, _: replace(state, ended=True),
}
