"""Bots that play a deal to its end, from wherever it stands: each is asked as a person is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from triptych.bots.levels import Bot
from triptych.deal.actions import Action
from triptych.deal.engine import Transition, decide
from triptych.deal.project import view
from triptych.deal.state import DealState, acting_hands, finished
from triptych.deal.view_types import DealView, Task


class BotMove(Struct, frozen=True):
    """What a bot was asked in a deal, what it saw and did, and what came of it."""

    state: DealState
    view: DealView
    task: Task
    action: Action
    transition: Transition


def play_out(state: DealState, bots: Sequence[Bot] | Mapping[int, Bot], budget_ms: int = 1000) -> Iterator[BotMove]:
    """Yield every move until the deal is over; `bots` by seat."""
    while not finished(state):
        hand = acting_hands(state)[0]
        seat = state.hands[hand].seat
        seen = view(state, seat)
        task = next(task for task in seen.tasks if task.hand == hand)
        action = bots[seat].choose(state.rules, seen, task, budget_ms)
        course = decide(state, action)
        yield BotMove(state, seen, task, action, course)
        state = course.state
