"""One game with its own deck, for the adapters of single games."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from triptych import _kernel
from triptych.cards import deck
from triptych.envs.actions import legal_actions
from triptych.envs.shape import game_shape
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset


class KernelGame:
    """A game that shuffles and deals by itself; the players only place cards."""

    def __init__(self, rules: Ruleset, players: int, random: Generator, *, chain: bool) -> None:
        """Begin a game. Raises RulesError when the rules do not seat so many players."""
        self._cards = np.array(deck(rules.deal.jokers), dtype=np.uint8)
        self._random = random
        shape = game_shape(rules, players, chain=chain)
        self._game = _kernel.make_game(compile_rules(rules), shape)
        self._shuffle()
        self._deal_requested_cards()

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self._game.over

    @property
    def player(self) -> int:
        """The player to act."""
        return self._game.player

    def legal(self) -> list[int]:
        """Legal actions of the player to act; empty when the game is over."""
        return legal_actions(self._game.legal)

    def step(self, action: int) -> list[int]:
        """Do one action; return points by player, zeros unless a deal was scored. Raises ValueError when illegal."""
        reward = self._game.step(action)
        self._deal_requested_cards()
        return reward

    def observe(self, player: int) -> NDArray[np.uint8]:
        """Return a player's observation, uint8 (OBSERVATION_SIZE,)."""
        return np.frombuffer(self._game.observe(player), dtype=np.uint8).copy()

    def _shuffle(self) -> None:
        self._remaining_cards = [int(card) for card in self._random.permutation(self._cards)]
        self._deals = self._game.deals

    def _deal_requested_cards(self) -> None:
        if self._game.over:
            return
        if self._game.deals != self._deals:
            self._shuffle()
        count = self._game.wanted
        if count:
            self._game.deal_cards(bytes(self._remaining_cards[:count]))
            del self._remaining_cards[:count]
