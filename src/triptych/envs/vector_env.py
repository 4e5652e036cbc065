"""Gymnasium's vector interface to the kernel's batch: many games of one learner, without a Python loop over games."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.random import Generator
from numpy.typing import NDArray

from triptych.arguments import ArgumentError, describe_value, whole_number
from triptych.envs.actions import ACTION_COUNT, MAX_OBSERVATION_VALUE, OBSERVATION_SIZE
from triptych.envs.batch import MAX_GAMES, NO_OP, BatchEnv
from triptych.rules_input import RulesLike

if TYPE_CHECKING:
    Opponents = Callable[[NDArray[np.uint8], NDArray[np.bool_], Generator], NDArray[np.integer[Any]]]


def random_opponents(
    _observations: NDArray[np.uint8], legal: NDArray[np.bool_], random: Generator
) -> NDArray[np.integer[Any]]:
    """Choose uniformly among the legal actions of each game."""
    actions: NDArray[np.integer[Any]] = (legal * random.random(legal.shape)).argmax(axis=1)
    return actions


class TriptychVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` games of one learner; a reward is the points of a deal, given when it is scored.

    Observations uint8 (num_envs, OBSERVATION_SIZE), `info["action_mask"]` int8 (num_envs, 7). A game that ends
    restarts in the same step; `info["final_obs"]` is then the observation before its last action. The learner's seat
    is random in each game unless `seat` is given. An illegal action raises ValueError and changes nothing.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - an instance variable in the base class

    def __init__(
        self,
        num_envs: int,
        rules: RulesLike = "pineapple",
        *,
        players: int | None = None,
        chain: bool = False,
        seat: int | None = None,
        opponents: Opponents = random_opponents,
    ) -> None:
        """`opponents`: actions (n,) for observations uint8 (n, OBSERVATION_SIZE) and legal actions bool (n, 7).

        Raises RulesError for unknown rules or a wrong number of players, ArgumentError.
        """
        super().__init__()
        num_envs = whole_number(num_envs, "$.num_envs", 1, MAX_GAMES)
        self.num_envs: int = num_envs
        self._batch = BatchEnv(rules, size=num_envs, players=players, chain=chain)
        self._fixed_seat = None if seat is None else whole_number(seat, "$.seat", 0, self._batch.players - 1)
        if not callable(opponents):
            raise ArgumentError("value.type", f"expected a function, not {describe_value(opponents)}", "$.opponents")
        self._opponents = opponents
        self._seat = np.zeros(num_envs, dtype=np.uint8)
        self._observations = np.zeros((num_envs, OBSERVATION_SIZE), dtype=np.uint8)
        self.single_observation_space = spaces.Box(0, MAX_OBSERVATION_VALUE, (OBSERVATION_SIZE,), np.uint8)
        self.single_action_space = spaces.Discrete(ACTION_COUNT)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin all games, and play until the learner is to act in each. One seed is used for all games."""
        first = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=first, options=options)
        self._batch.reset(int(self.np_random.integers(1 << 63)))
        self._choose_seats(np.ones(self.num_envs, dtype=np.bool_))
        self._play_others()
        self._observations = self._batch.observe().copy()
        return self._observations, self._info()

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Do the learner's actions, and play until it acts again in each game or in the next one."""
        observations = self._observations
        points, done = self._step(actions)
        more_points, more_done = self._play_others()
        points += more_points
        done |= more_done
        self._observations = self._batch.observe().copy()
        info = self._info()
        if done.any():
            info |= {"final_obs": observations, "_final_obs": done}
        return self._observations, points, done, np.zeros(self.num_envs, dtype=np.bool_), info

    def _step(self, actions: NDArray[np.integer[Any]]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        result = self._batch.step(actions)
        points = result.reward[np.arange(self.num_envs), self._seat].astype(np.float64)
        done = result.done.copy()
        if done.any():
            self._choose_seats(done)
        return points, done

    def _play_others(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        points = np.zeros(self.num_envs)
        done = np.zeros(self.num_envs, dtype=np.bool_)
        while (waiting := self._batch.player != self._seat).any():
            actions = np.full(self.num_envs, NO_OP, dtype=np.uint8)
            observations, legal = self._batch.observe()[waiting], self._batch.legal[waiting]
            actions[waiting] = self._opponents(observations, legal, self.np_random)
            more_points, more_done = self._step(actions)
            points += more_points
            done |= more_done
        return points, done

    def _choose_seats(self, games: NDArray[np.bool_]) -> None:
        if self._fixed_seat is None:
            self._seat[games] = self.np_random.integers(self._batch.players, size=int(games.sum()))
        else:
            self._seat[games] = self._fixed_seat

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._batch.legal.astype(np.int8), "seat": self._seat.copy()}
