"""Thousands of games stepped at once in the kernel, for any ruleset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from triptych import _kernel
from triptych.arguments import MAX_SEED, ArgumentError, whole_number
from triptych.envs.actions import ACTION_COUNT, OBSERVATION_SIZE
from triptych.envs.shape import game_shape
from triptych.rules_input import RulesLike
from triptych.rules_input import rules as rules_of
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset

NO_OP: Final = _kernel.NO_OP
MAX_GAMES: Final = 1 << 24


class Step(NamedTuple):
    """The result of one step of all games.

    `reward`: points by player, int32 (size, players), zero unless a deal was scored. `done`: bool (size,), the games
    that ended; their next game has begun.
    """

    reward: NDArray[np.int32]
    done: NDArray[np.bool_]


class BatchEnv:
    """`size` games in parallel, each with its own random stream of `seed`.

    `player`, uint8 (size,), is the player to act in each game; `legal`, bool (size, 7), the legal actions. The
    actions are those of `triptych.envs.actions`. Games restart automatically. `step` fills arrays in place: copy them
    to keep them. A batch can be pickled during games, for the same version of this package.
    """

    def __init__(
        self,
        rules: RulesLike = "pineapple",
        *,
        size: int,
        players: int | None = None,
        chain: bool = False,
        seed: int = 0,
    ) -> None:
        """Raises RulesError for unknown rules or a wrong number of players, ArgumentError."""
        self.rules: Ruleset = rules_of(rules)
        self._shape = game_shape(self.rules, players, chain=chain)
        self._chain = bool(chain)
        size = whole_number(size, "$.size", 1, MAX_GAMES)
        self.size: int = size
        seed = whole_number(seed, "$.seed", 0, MAX_SEED)
        self._batch = _kernel.make_batch(compile_rules(self.rules), self._shape, size, seed)
        self.players: int = self._shape.players
        self.player: np.ndarray = np.zeros(size, dtype=np.uint8)
        self._mask = np.zeros(size, dtype=np.uint8)
        self._reward = np.zeros((size, self.players), dtype=np.int32)
        self._done = np.zeros(size, dtype=np.uint8)
        self._observations = np.zeros((size, OBSERVATION_SIZE), dtype=np.uint8)
        self._batch.state(self.player, self._mask)

    def reset(self, seed: int = 0) -> None:
        """Restart all games like a new batch with this seed. Raises ArgumentError."""
        seed = whole_number(seed, "$.seed", 0, MAX_SEED)
        self._batch = _kernel.make_batch(compile_rules(self.rules), self._shape, self.size, seed)
        self._batch.state(self.player, self._mask)

    def __reduce__(self) -> tuple[Callable[..., BatchEnv], tuple[object, ...]]:
        """Support pickle, with the kernel's state of the games."""
        return _unpickle, (msgspec.json.encode(self.rules), self.size, self.players, self._chain, self._batch.save())

    def _load_state(self, state: bytes) -> None:
        self._batch.load(state)
        self._batch.state(self.player, self._mask)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Legal actions by game, bool (size, 7)."""
        bits = np.unpackbits(self._mask[:, None], axis=1, bitorder="little")
        return bits[:, :ACTION_COUNT].astype(np.bool_)

    def observe(self) -> NDArray[np.uint8]:
        """Return the observations of the player to act in each game, uint8 (size, OBSERVATION_SIZE)."""
        self._batch.observe(self._observations)
        return self._observations

    def step(self, actions: NDArray[np.integer[Any]]) -> Step:
        """Do one action in every game; `actions` (size,), preferably uint8.

        A game whose action is NO_OP waits: its reward is zero, and it is not done. Raises ValueError and changes
        nothing if an action is illegal.
        """
        self._batch.step(_bytes(actions, self.size), self._reward, self._done)
        self._batch.state(self.player, self._mask)
        return Step(self._reward, self._done.view(np.bool_))

    def play_random(self, steps: int) -> int:
        """Do `steps` uniformly random actions in every game within the kernel; return the number of scored deals."""
        deals = self._batch.play_random(whole_number(steps, "$.steps", 0, MAX_SEED))
        self._batch.state(self.player, self._mask)
        return deals


def _bytes(actions: NDArray[np.integer[Any]], size: int) -> NDArray[np.uint8]:
    """Return actions as the kernel expects them. Raises ArgumentError if a conversion would change a value."""
    try:
        array = np.asarray(actions)
    except ValueError as error:
        raise ArgumentError("value.type", f"expected an array: {error}", "$.actions") from error
    if array.shape != (size,):
        raise ArgumentError("value.range", f"expected {size} actions, not an array of {array.shape}", "$.actions")
    if array.dtype != np.uint8:
        if array.dtype.kind not in "iu":
            raise ArgumentError("value.type", f"expected whole numbers, not an array of {array.dtype}", "$.actions")
        if array.size and not 0 <= array.min() <= array.max() <= NO_OP:
            raise ArgumentError("value.range", f"expected actions from 0 to {NO_OP}", "$.actions")
    return np.ascontiguousarray(array, dtype=np.uint8)


def _unpickle(rules: bytes, size: int, players: int, chain: bool, state: bytes) -> BatchEnv:  # noqa: FBT001 - pickle's own call
    env = BatchEnv(msgspec.json.decode(rules, type=Ruleset), size=size, players=players, chain=chain)
    env._load_state(state)  # noqa: SLF001 - the other half of its pickling
    return env
