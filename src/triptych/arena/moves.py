"""Play a deal to its end with bots, from any state; each sees only the view of its seat."""

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
    """One move of a bot: the state and view before it, the task, the action, and its transition."""

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
        deal_view = view(state, seat)
        task = next(task for task in deal_view.tasks if task.hand == hand)
        action = bots[seat].choose(state.rules, deal_view, task, budget_ms)
        transition = decide(state, action)
        yield BotMove(state, deal_view, task, action, transition)
        state = transition.state
