"""Gymnasium: one learner at the table, the other seats played by a given opponent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces

from triptych.envs.actions import ACTION_COUNT, HIGHEST, OBSERVATION_SIZE
from triptych.envs.table import Table
from triptych.rules.load import resolve
from triptych.rules.model import Ruleset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.random import Generator
    from numpy.typing import NDArray

    Opponent = Callable[[NDArray[np.uint8], list[int], Generator], int]


def random_opponent(_seen: NDArray[np.uint8], legal: list[int], random: Generator) -> int:
    """Choose uniformly among the legal actions."""
    return int(random.choice(legal))


class TriptychEnv(gymnasium.Env["NDArray[np.uint8]", "np.int64"]):
    """One player's game; a reward is the points of a deal, given when it is scored.

    Observation uint8 (OBSERVATION_SIZE,), actions as in `triptych.envs.actions`; `info["action_mask"]` is int8 (7,).
    The learner's seat moves by chance from game to game unless `seat` is given. Illegal actions raise ValueError.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - an instance variable in the base class

    def __init__(
        self,
        rules: str | Mapping[str, object] | Ruleset = "pineapple",
        *,
        players: int = 2,
        chain: bool = False,
        seat: int | None = None,
        opponent: Opponent = random_opponent,
    ) -> None:
        """Raises RulesError for unknown rules or a wrong number of players."""
        self._rules = rules if isinstance(rules, Ruleset) else resolve(rules)
        self._players = players
        self._chain = chain
        self._fixed = seat
        self._opponent = opponent
        self._seat = seat or 0
        self._table: Table | None = None
        self.observation_space = spaces.Box(0, HIGHEST, (OBSERVATION_SIZE,), np.uint8)
        self.action_space = spaces.Discrete(ACTION_COUNT)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin a game; plays on until the learner is to act."""
        super().reset(seed=seed, options=options)
        self._seat = int(self.np_random.integers(self._players)) if self._fixed is None else self._fixed
        self._table = Table(self._rules, self._players, self.np_random, chain=self._chain)
        self._others(self._table)
        return self._table.observe(self._seat), self._info(self._table)

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Do the learner's action and what follows until it acts again or the game is over."""
        table = self._table
        if table is None or table.over:
            raise ValueError("call reset() before step()")
        reward = table.step(int(action))[self._seat] + self._others(table)
        return table.observe(self._seat), float(reward), table.over, False, self._info(table)

    def _others(self, table: Table) -> int:
        points = 0
        while not table.over and table.player != self._seat:
            choice = self._opponent(table.observe(table.player), table.legal(), self.np_random)
            points += table.step(choice)[self._seat]
        return points

    def _info(self, table: Table) -> dict[str, Any]:
        mask = np.zeros(ACTION_COUNT, dtype=np.int8)
        mask[table.legal()] = 1
        return {"action_mask": mask, "seat": self._seat}
