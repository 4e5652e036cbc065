"""Thousands of games stepped at once in the kernel, for any ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triptych import _kernel
from triptych.envs.actions import ACTION_COUNT, OBSERVATION_SIZE
from triptych.envs.shape import game_shape
from triptych.rules.compile import compile_rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triptych.rules.model import Ruleset


class Step(NamedTuple):
    """What one step of all games brought.

    `reward`: points by player, int32 (size, players), not zero only where a deal was scored. `done`: bool (size,),
    games that ended; their next game has begun.
    """

    reward: NDArray[np.int32]
    done: NDArray[np.bool_]


class BatchEnv:
    """`size` games side by side, each with its own random stream of `seed`.

    Who acts in each game is `player`, uint8 (size,); what is legal is `legal`, bool (size, 7). The actions are those
    of `triptych.envs.actions`. Games restart by themselves. Arrays are filled in place by `step`: copy to keep.
    """

    def __init__(
        self, rules: Ruleset, *, size: int, players: int | None = None, chain: bool = False, seed: int = 0
    ) -> None:
        """Raises RulesError when the rules do not seat so many players, ValueError when size < 1."""
        shape = game_shape(rules, players, chain=chain)
        self._batch = _kernel.make_batch(compile_rules(rules), shape, size, seed)
        self.size = size
        self.players: int = shape.players
        self.player = np.zeros(size, dtype=np.uint8)
        self._mask = np.zeros(size, dtype=np.uint8)
        self._reward = np.zeros((size, self.players), dtype=np.int32)
        self._done = np.zeros(size, dtype=np.uint8)
        self._seen = np.zeros((size, OBSERVATION_SIZE), dtype=np.uint8)
        self._batch.state(self.player, self._mask)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Legal actions by game, bool (size, 7)."""
        bits = np.unpackbits(self._mask[:, None], axis=1, bitorder="little")
        return bits[:, :ACTION_COUNT].astype(np.bool_)

    def observe(self) -> NDArray[np.uint8]:
        """Return what the player to act in each game may know, uint8 (size, OBSERVATION_SIZE)."""
        self._batch.observe(self._seen)
        return self._seen

    def step(self, actions: NDArray[np.uint8]) -> Step:
        """Do one action in every game; `actions` uint8 (size,). ValueError, nothing done, when one is illegal."""
        self._batch.step(np.ascontiguousarray(actions, dtype=np.uint8), self._reward, self._done)
        self._batch.state(self.player, self._mask)
        return Step(self._reward, self._done.view(np.bool_))

    def play_random(self, steps: int) -> int:
        """Do `steps` uniformly random actions in every game without leaving the kernel; returns deals scored."""
        scored = self._batch.play_random(steps)
        self._batch.state(self.player, self._mask)
        return scored
