"""Random but legal play of whole deals, for any test that needs one. Everything follows from the seed given."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.deal.moves import after
from triptych.board import ROW_CAPACITY, ROWS, Layout
from triptych.cards import Card, card_text, deck
from triptych.deal.actions import Announce, Arrange, ClaimNatural, ClockAction, Declare, Place
from triptych.deal.closed_actions import natural_of
from triptych.deal.engine import decide, start
from triptych.deal.state import HandStart, acting_hands, finished, phase
from triptych.deal.timeout import timeout_action

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.deal.events import DealEvent
    from triptych.deal.state import DealState
    from triptych.rulesets.model import Ruleset


def shuffled(rules: Ruleset, seed: int) -> tuple[Card, ...]:
    """Return the whole deck in an order that follows from the seed."""
    cards = list(deck(rules.deal.jokers))
    Random(seed).shuffle(cards)
    return tuple(cards)


def seats_for(rules: Ruleset, seats: int) -> tuple[HandStart, ...]:
    """Return hands without fantasyland: one a seat, or two each in criss-cross."""
    if rules.deal.game == "criss_cross":
        return tuple(HandStart(seat) for seat in (0, 1, 0, 1))
    return tuple(HandStart(seat) for seat in range(seats))


def random_layout(state: DealState, hand: int, rng: Random, *, count: int | None = None) -> Layout:
    """Return a layout of the street's cards into free slots, all of them that are to be placed unless `count`."""
    held = state.hands[hand]
    cards = list(held.drawn)
    rng.shuffle(cards)
    slots = [row for row in ROWS for _ in range(ROW_CAPACITY[row] - len(held.board.row(row)))]
    rng.shuffle(slots)
    placed = held.streets[held.street].placed if count is None else count
    laid = list(zip(cards[:placed], slots, strict=False))
    return Layout(**{row: tuple(card_text(card) for card, slot in laid if slot == row) for row in ROWS})


def random_action(state: DealState, rng: Random) -> ClockAction:
    """Return some legal action of a hand that may act now, or what the clock does for it."""
    hand = rng.choice(acting_hands(state))
    if rng.random() < 0.1:
        return timeout_action(state, hand)
    now = phase(state)
    if now == "announcing":
        return Announce(hand, rng.random() < 0.7)
    if now == "declaring":
        return Declare(hand, tuple(row for row in ROWS if rng.random() < 0.8))
    if natural_of(state, state.hands[hand]) and rng.random() < 0.8:
        return ClaimNatural(hand)
    if rng.random() < 0.2:
        held = state.hands[hand]
        return Arrange(hand, random_layout(state, hand, rng, count=rng.randint(0, held.streets[held.street].placed)))
    return Place(hand, random_layout(state, hand, rng))


def steps(
    rules: Ruleset, hands: tuple[HandStart, ...], seed: int
) -> Iterator[tuple[ClockAction | None, tuple[DealEvent, ...], DealState]]:
    """Play a deal to its end: yield every action (None for the start), its events, and the state after them."""
    rng = Random(seed)
    events = start(rules, 1, hands, shuffled(rules, seed)).events
    state = after(None, events)
    yield None, events, state
    while not finished(state):
        action = random_action(state, rng)
        events = decide(state, action).events
        state = after(state, events)
        yield action, events, state
