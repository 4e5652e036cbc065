"""Whole deals played by bots through the views that a table would send them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from triptych.cards import Card, deck
from triptych.deal.engine import decide, start
from triptych.deal.evolve import evolve
from triptych.deal.project import view
from triptych.deal.state import HandStart, acting_hands, finished

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triptych.bots.levels import Bot
    from triptych.deal.actions import Action
    from triptych.deal.state import DealState
    from triptych.deal.view_types import DealView, Task
    from triptych.rulesets.model import Ruleset

BUDGET = 20  # milliseconds a decision: what is tested here is not strength


def shuffled(rules: Ruleset, seed: int) -> tuple[Card, ...]:
    """Return the whole deck in an order that follows from the seed."""
    cards = list(deck(rules.deal.jokers))
    Random(seed).shuffle(cards)
    return tuple(cards)


def hands(rules: Ruleset, seats: int, fantasylands: Sequence[int] = ()) -> tuple[HandStart, ...]:
    """Return the hands of a deal, the first ones in fantasyland with that many cards."""
    if rules.deal.game == "criss_cross":
        return tuple(HandStart(seat) for seat in (0, 1, 0, 1))
    sizes = [*fantasylands, *[0] * seats][:seats]
    return tuple(HandStart(seat, size, min(size, 1)) for seat, size in enumerate(sizes))


def begin(rules: Ruleset, starts: tuple[HandStart, ...], cards: tuple[Card, ...]) -> DealState:
    """Return a deal whose first cards lie ready."""
    state: DealState | None = None
    for event in start(rules, 1, starts, cards).events:
        state = evolve(state, event)
    assert state is not None
    return state


def question(state: DealState) -> tuple[DealView, Task]:
    """Return the view of a seat that may act, and its task."""
    hand = acting_hands(state)[0]
    deal_view = view(state, state.hands[hand].seat)
    return deal_view, next(task for task in deal_view.tasks if task.hand == hand)


def after(state: DealState, action: Action) -> DealState:
    """Return the deal after an action. Raises DealError when it is not legal."""
    for event in decide(state, action).events:
        state = evolve(state, event)
    return state


def played(bots: Sequence[Bot], state: DealState) -> Iterator[tuple[DealState, Task, Action, DealState]]:
    """Play a deal to its end, bots by seat; yield each decision with the state before and after it."""
    while not finished(state):
        deal_view, task = question(state)
        action = bots[state.hands[task.hand].seat].choose(state.rules, deal_view, task, BUDGET)
        following = after(state, action)
        yield state, task, action, following
        state = following
