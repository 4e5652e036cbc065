"""A game of the deal engine: slower than the kernel's, but its players get views, so that any bot can play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from triptych.board import ROWS, Layout
from triptych.bots.levels import Bot
from triptych.cards import deck
from triptych.deal.actions import Action, Announce, ClaimNatural, Declare, Place
from triptych.deal.engine import acting_hands, decide, finished, next_fantasyland, result, start
from triptych.deal.project import view
from triptych.deal.state import HandStart, phase
from triptych.deal.view_types import DealView, Task
from triptych.envs.actions import ACTIONS
from triptych.envs.policy import legal_actions_for, observe
from triptych.envs.shape import game_shape
from triptych.rulesets.model import Ruleset, hands_per_seat


class EngineGame:
    """A game that shuffles and deals by itself, with the interface of `KernelGame`; a player is a seat."""

    def __init__(self, rules: Ruleset, players: int, random: Generator, *, chain: bool) -> None:
        """Begin a game. Raises RulesError when the rules do not seat so many players."""
        game_shape(rules, players, chain=chain)
        self._rules = rules
        self._random = random
        self._chain = chain
        self._order: Sequence[int] = range(players)
        self._handled: list[int] = []
        self._number = 0
        self._deal({})

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return finished(self._state)

    @property
    def player(self) -> int:
        """The player to act."""
        return 0 if self.is_over else self._state.hands[acting_hands(self._state)[0]].seat

    def legal(self) -> list[int]:
        """Legal actions of the player to act; empty when the game is over."""
        return [] if self.is_over else legal_actions_for(self._current_task()[1], self._handled)

    def step(self, action: int) -> list[int]:
        """Do one action; return points by player, zeros unless a deal was scored. Raises ValueError when illegal."""
        if action not in self.legal():
            raise ValueError("an action is not legal")
        _, task = self._current_task()
        if ACTIONS[action] in ("play", "surrender"):
            return self._apply(Announce(task.hand, ACTIONS[action] == "play"))
        if ACTIONS[action] == "natural":
            return self._apply(ClaimNatural(task.hand))
        self._handled.append(action)
        if len(self._handled) < len(task.cards):
            return [0] * len(self._order)
        rows: dict[str, tuple[str, ...]] = dict.fromkeys(ROWS, ())
        for card, card_action in zip(task.cards, self._handled, strict=True):
            if ACTIONS[card_action] != "discard":
                rows[ACTIONS[card_action]] += (card,)
        return self._apply(Place(task.hand, Layout(**rows)))

    def play(self, bot: Bot, budget_ms: int) -> list[int]:
        """Let a bot play the whole street of the player to act; return points as `step` does."""
        deal_view, task = self._current_task()
        return self._apply(bot.choose(self._rules, deal_view, task, budget_ms))

    def observe(self, player: int) -> NDArray[np.uint8]:
        """Return a player's observation, uint8 (OBSERVATION_SIZE,)."""
        deal_view = view(self._state, player)
        hand = next(board.hand for board in deal_view.boards if board.seat == player)
        if not self.is_over and player == self.player:
            hand = acting_hands(self._state)[0]
        return observe(deal_view, hand, self._handled if player == self.player else ())

    def _current_task(self) -> tuple[DealView, Task]:
        hand = acting_hands(self._state)[0]
        deal_view = view(self._state, self._state.hands[hand].seat)
        return deal_view, next(task for task in deal_view.tasks if task.hand == hand)

    def _deal(self, fantasylands: Mapping[int, tuple[int, int]]) -> None:
        self._number += 1
        cards = tuple(self._random.permutation(deck(self._rules.deal.jokers)).tolist())
        hands_each = hands_per_seat(self._rules)
        hands = tuple(
            HandStart(seat, *fantasylands.get(seat, (0, 0))) for _ in range(hands_each) for seat in self._order
        )
        self._state = start(self._rules, self._number, hands, cards).state

    def _apply(self, action: Action) -> list[int]:
        self._handled = []
        self._state = decide(self._state, action).state
        while not self.is_over and phase(self._state) == "declaring":
            self._state = decide(self._state, Declare(acting_hands(self._state)[0], ROWS)).state
        points = [0] * len(self._order)
        if not self.is_over:
            return points
        for hand, total in zip(self._state.hands, result(self._state).totals(), strict=True):
            points[hand.seat] += total
        if self._chain and (fantasylands := next_fantasyland(self._state)):
            if self._rules.fantasyland.button == "move":
                self._order = (*self._order[1:], self._order[0])
            self._deal(fantasylands)
        return points
