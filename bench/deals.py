"""A deal between bots, and what its cards brought; bots that know stacks, and bots whose time is taken."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec.structs import replace

from triptych.arena.moves import play_out
from triptych.deal.result import result
from triptych.notation.history.model import record
from triptych.scoring.settle import Due, settle
from triptych.solve.analysis.luck import ROLLOUTS_PER_DRAW, draw_luck

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from triptych.bots.levels import Bot
    from triptych.deal.actions import Action
    from triptych.deal.engine import Transition
    from triptych.deal.state import DealState
    from triptych.deal.view_types import DealView, Stacks, Task
    from triptych.rulesets.model import Ruleset


class InformedBot:
    """A bot that knows stacks which its table does not show."""

    def __init__(self, bot: Bot, stacks: Stacks) -> None:
        self.name = bot.name
        self._bot = bot
        self._stacks = stacks

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
        """Return what the bot chooses when it knows them."""
        return self._bot.choose(rules, replace(view, stacks=self._stacks), task, budget_ms)


class TimedBot:
    """A bot whose CPU time is taken: `seconds`, one for each choice."""

    def __init__(self, bot: Bot) -> None:
        self.name = bot.name
        self.seconds: list[float] = []
        self._bot = bot

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
        """Return what the bot chooses."""
        began = process_time()
        action = self._bot.choose(rules, view, task, budget_ms)
        self.seconds.append(process_time() - began)
        return action


class PlayedDeal(NamedTuple):
    """A deal at its end, and what the cards brought each hand, in deal order."""

    state: DealState
    luck: tuple[float, ...]


def play_deal(course: Transition, bots: Mapping[int, Bot], orders: int = ROLLOUTS_PER_DRAW) -> PlayedDeal:
    """Play a deal from its start; `bots` by seat, `orders` of the deck a draw for its luck."""
    events, state = [*course.events], course.state
    for move in play_out(state, bots):
        events += move.transition.events
        state = move.transition.state
    draws = draw_luck(record([(0, event) for event in events], "all"), orders)
    return PlayedDeal(state, tuple(sum(gained[hand] for _, gained in draws) for hand in range(len(state.hands))))


def stacks_after(state: DealState, stacks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the stacks after a deal, by seat."""
    seats = [hand.seat for hand in state.hands]
    dues = [Due(seats[pair.a], seats[pair.b], pair.points) for pair in result(state).pairs]
    return tuple(int(stack or 0) for stack in settle(dues, stacks, state.rules.settlement).stacks)


def without_luck(decks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the gain of each of (decks, gain and lucks) less what its cards brought.

    Luck has the mean zero whatever is made of it, but stacks bound what it brings: how much of it counts is fitted to
    the other half of the decks.
    """
    adjusted = decks[:, 0].copy()
    for half in (0, 1):
        others = decks[1 - half :: 2]
        weights = np.linalg.lstsq(others[:, 1:], others[:, 0], rcond=None)[0]
        adjusted[half::2] -= decks[half::2, 1:] @ weights
    return adjusted
