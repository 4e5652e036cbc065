"""What holds in every deal of every game: issue 2, shown by 5 and 6."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deal.play import shuffled, steps
from tests.examples import examples
from tests.properties.deals import Deal, deals
from triptych.board import ROWS, Layout
from triptych.cards import Card, card_text, deck, parse_card
from triptych.deal.actions import Arrange, ClockAction, Place
from triptych.deal.engine import decide, start
from triptych.deal.evolve import evolve
from triptych.deal.project import view
from triptych.deal.state import DealState, acting_hands, finished
from triptych.deal.visibility import Private, Public
from triptych.rulesets.model import is_closed
from triptych.table.codec import decode, encode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from triptych.deal.events import DealEvent

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b|\bX[12]\b")


def played(deal: Deal) -> tuple[list[tuple[DealEvent, DealState]], list[ClockAction]]:
    """Return every event with the state after it, and the actions."""
    state: DealState | None = None
    log: list[tuple[DealEvent, DealState]] = []
    actions: list[ClockAction] = []
    for action, events, _ in steps(*deal):
        if action is not None:
            actions.append(action)
        for event in events:
            state = evolve(state, event)
            log.append((event, state))
    return log, actions


@settings(max_examples=examples(60))
@given(deals())
def test_each_card_is_in_exactly_one_place_after_every_event(deal: Deal) -> None:
    """Issue 2, shown by 6."""
    log, _ = played(deal)
    whole = list(deck(deal[0].deal.jokers))
    for _, state in log[1:]:
        places = [*state.deck]
        for hand in state.hands:
            places += [*hand.board.cards, *hand.drawn, *hand.discards]
            assert set(hand.pending.cards) <= set(hand.drawn)
        assert sorted(places) == whole


@settings(max_examples=examples(60))
@given(deals())
def test_stored_events_bring_back_the_same_state(deal: Deal) -> None:
    """Issue 2, shown by 6: replaying the events gives the same state, also through their JSON."""
    log, _ = played(deal)
    state: DealState | None = None
    for event, after in log:
        stored = decode(*encode(event))
        assert stored == event
        state = evolve(state, cast("DealEvent", stored))
        assert state == after


@settings(max_examples=examples(60))
@given(deals())
def test_a_deal_ends_with_full_boards_or_naturals(deal: Deal) -> None:
    log, _ = played(deal)
    last = log[-1][1]
    assert finished(last)
    assert acting_hands(last) == ()
    for hand in last.hands:
        laid = tuple(len(hand.board.row(row)) for row in ROWS)
        assert laid == ((0, 0, 0) if hand.natural else (3, 5, 5))


@settings(max_examples=examples(60))
@given(deals())
def test_no_repr_shows_a_card(deal: Deal) -> None:
    """Logs and reprs print `??`."""
    log, actions = played(deal)
    printed = [repr(event) for event, _ in log[1:]] + [repr(log[-1][1])] + [repr(action) for action in actions]
    printed += [repr(view(state, 0)) for _, state in log[1:]]
    assert not [text for text in printed if CARD.search(text)]


def known_cards(state: DealState, seat: int | None) -> set[Card]:
    """Return the cards that a viewer may know by Rules §2, worked out without the engine's own visibility."""
    rules = state.rules
    closed = is_closed(rules)
    ordinary = [hand for hand in state.hands if not hand.fantasyland]
    alone = rules.fantasyland.order == "after_others" and len(ordinary) == 1 and len(state.hands) > 1
    cards: set[Card] = set()
    for hand in state.hands:
        hidden = closed or hand.fantasyland > 0 or alone
        if hand.seat == seat:
            cards |= {*hand.board.cards, *hand.drawn, *hand.discards}
        elif not hidden:
            cards |= set(hand.board.cards)
            opened = rules.deal.first_street == "live" if hand.street == 0 else rules.deal.game != "pineapple"
            cards |= set(hand.drawn) if opened else set()
        elif state.ended and not hand.surrendered:
            cards |= set(hand.board.cards)
        if hand.natural and all(other.is_set for other in state.hands):
            cards |= set(hand.drawn)
    return cards


def visible(log: Sequence[tuple[DealEvent, DealState]], seat: int | None) -> list[tuple[object, ...]]:
    """Return the events that reach a viewer, as a store keeps them."""
    return [
        encode(event)
        for event, _ in log
        if isinstance(event, Public) or (isinstance(event, Private) and event.seat == seat)
    ]


def replayed(
    deal: Deal, actions: Sequence[ClockAction], swap: Mapping[Card, Card]
) -> list[tuple[DealEvent, DealState]]:
    """Play the same deal and actions with other cards in place of some."""
    rules, hands, seed = deal
    state: DealState | None = None
    log: list[tuple[DealEvent, DealState]] = []
    cards = tuple(swap.get(card, card) for card in shuffled(rules, seed))
    steps_left = [None, *actions]
    for action in steps_left:
        events = (
            start(rules, 1, hands, cards).events
            if action is None or state is None
            else decide(state, with_cards(action, swap)).events
        )
        for event in events:
            state = evolve(state, event)
            log.append((event, state))
    return log


def with_cards(action: ClockAction, swap: Mapping[Card, Card]) -> ClockAction:
    """Return the action with other cards in place of some."""
    if not isinstance(action, Place | Arrange):
        return action
    rows = {
        row: tuple(card_text(swap.get(parse_card(text), parse_card(text))) for text in getattr(action.layout, row))
        for row in ROWS
    }
    return type(action)(action.hand, Layout(**rows))


@settings(max_examples=examples(150))
@given(deals(), st.data())
def test_cards_hidden_from_a_viewer_change_nothing_that_the_viewer_gets(deal: Deal, data: st.DataObject) -> None:
    """Exchange the unknown cards among themselves; every event and view stays byte for byte the same."""
    _, actions = played(deal)
    upto = data.draw(st.integers(0, len(actions)))
    seat = data.draw(st.sampled_from([None, *sorted({hand.seat for hand in deal[1]})]))
    log = replayed(deal, actions[:upto], {})
    cards = known_cards(log[-1][1], seat)
    for hand in log[-1][1].hands:
        cards |= set(hand.drawn) if hand.natural else set()
    unknown = [card for card in deck(deal[0].deal.jokers) if card not in cards]
    others = list(unknown)
    Random(deal[2]).shuffle(others)
    twin = replayed(deal, actions[:upto], dict(zip(unknown, others, strict=True)))
    assert visible(twin, seat) == visible(log, seat)
    assert [view(state, seat) for _, state in twin[1:]] == [view(state, seat) for _, state in log[1:]]


@settings(max_examples=examples(60))
@given(deals())
def test_the_knowledge_of_a_viewer_only_grows(deal: Deal) -> None:
    """A check of the knowledge used above: it only grows."""
    log, _ = played(deal)
    for seat in (None, *{hand.seat for hand in deal[1]}):
        for (_, before), (_, after) in pairwise(log[1:]):
            assert known_cards(before, seat) <= known_cards(after, seat)
