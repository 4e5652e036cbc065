"""Gymnasium: one learner at the table; a given opponent plays the other seats.

`gymnasium.make("triptych.envs.ids:triptych/pineapple-v0")`; there is an id for each preset.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.random import Generator
from numpy.typing import NDArray

from triptych.arguments import MAX_SEED, ArgumentError, choice, describe_value, whole_number
from triptych.bots.levels import Bot, get_level, is_bot
from triptych.envs.actions import ACTION_COUNT, MAX_OBSERVATION_VALUE, OBSERVATION_SIZE
from triptych.envs.engine_game import EngineGame
from triptych.envs.kernel_game import KernelGame
from triptych.envs.observations import observation_text
from triptych.envs.shape import game_shape
from triptych.rules_input import RulesLike
from triptych.rules_input import rules as rules_of

if TYPE_CHECKING:
    Opponent = Callable[[NDArray[np.uint8], list[int], Generator], int]

Illegal = Literal["lose", "raise"]
ILLEGAL: Final[tuple[Illegal, ...]] = get_args(Illegal)
RENDER_MODES: Final = ("ansi",)
MAX_BUDGET_MS: Final = 86_400_000  # a day
_SCOOP = 6  # points of a scoop with its bonus: the loss of a foul against each opponent under most rules


def random_opponent(_observation: NDArray[np.uint8], legal: list[int], random: Generator) -> int:
    """Choose uniformly among the legal actions."""
    return int(random.choice(legal))


class TriptychEnv(gymnasium.Env["NDArray[np.uint8]", "np.int64"]):
    """One player's game; a reward is the points of a deal, given when it is scored.

    Observation uint8 (OBSERVATION_SIZE,), actions as in `triptych.envs.actions`; `info["action_mask"]` is int8 (7,).
    The learner's seat is random in each game unless `seat` is given. An illegal action ends the game, loses a scoop
    to every opponent and sets `info["illegal"]` to True; with `illegal="raise"` it raises ValueError.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - an instance variable in the base class

    def __init__(
        self,
        rules: RulesLike = "pineapple",
        *,
        players: int = 2,
        chain: bool = False,
        seat: int | None = None,
        opponent: Opponent | Bot | str = random_opponent,
        budget_ms: int = 100,
        illegal: Illegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        """`opponent`: a level's name, a bot (`budget_ms` a street), or a function of observation and legal actions.

        Raises RulesError for unknown rules or a wrong number of players, LevelError for an unknown level,
        ArgumentError.
        """
        self._rules = rules_of(rules)
        self._players: int = game_shape(self._rules, players, chain=chain).players
        self._chain = bool(chain)
        self._fixed_seat = None if seat is None else whole_number(seat, "$.seat", 0, self._players - 1)
        self._budget_ms = whole_number(budget_ms, "$.budget_ms", 1, MAX_BUDGET_MS)
        self._illegal = choice(illegal, "$.illegal", ILLEGAL)
        if not (isinstance(opponent, str) or callable(opponent) or is_bot(opponent)):
            message = (
                f"expected a level's name, a function or an object with `choose`, not {describe_value(opponent)}"
            )
            raise ArgumentError("value.type", message, "$.opponent")
        self._factory = get_level(opponent).factory if isinstance(opponent, str) else None
        self._opponent: Opponent = opponent if callable(opponent) else random_opponent
        self._bot: Bot | None = None if isinstance(opponent, str) or callable(opponent) else opponent
        self.render_mode = None if render_mode is None else choice(render_mode, "$.render_mode", RENDER_MODES)
        self._seat = self._fixed_seat or 0
        self._game: KernelGame | EngineGame | None = None
        self._was_illegal = False
        self.observation_space = spaces.Box(0, MAX_OBSERVATION_VALUE, (OBSERVATION_SIZE,), np.uint8)
        self.action_space = spaces.Discrete(ACTION_COUNT)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin a game, and play until the learner is to act."""
        super().reset(seed=seed, options=options)
        self._seat = int(self.np_random.integers(self._players)) if self._fixed_seat is None else self._fixed_seat
        self._was_illegal = False
        if self._factory is not None:
            self._bot = self._factory(int(self.np_random.integers(1 << 62)))
        game_class = KernelGame if self._bot is None else EngineGame
        self._game = game_class(self._rules, self._players, self.np_random, chain=self._chain)
        self._play_others(self._game)
        return self._game.observe(self._seat), self._info(self._game)

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Do the learner's action, and play until it acts again or the game is over."""
        game = self._game
        if game is None or game.is_over or self._was_illegal:
            raise ValueError("call reset() before step()")
        action = whole_number(action, "$.action", -MAX_SEED, MAX_SEED)
        if action not in game.legal() and self._illegal == "lose":
            self._was_illegal = True
            info = {**self._info(game), "illegal": True}
            return game.observe(self._seat), -float(_SCOOP * (self._players - 1)), True, False, info
        reward = game.step(action)[self._seat] + self._play_others(game)
        return game.observe(self._seat), float(reward), game.is_over, False, self._info(game)

    def render(self) -> str | None:
        """Return the learner's observation as text with `render_mode="ansi"`, else None."""
        if self.render_mode != "ansi" or self._game is None:
            return None
        return observation_text(self._game.observe(self._seat))

    def _play_others(self, game: KernelGame | EngineGame) -> int:
        points = 0
        while not game.is_over and game.player != self._seat:
            if isinstance(game, EngineGame):
                assert self._bot is not None  # noqa: S101 - an EngineGame is used for a bot alone; for the type checker
                points += game.play(self._bot, self._budget_ms)[self._seat]
            else:
                action = self._opponent(game.observe(game.player), game.legal(), self.np_random)
                points += game.step(action)[self._seat]
        return points

    def _info(self, game: KernelGame | EngineGame) -> dict[str, Any]:
        mask = np.zeros(ACTION_COUNT, dtype=np.int8)
        mask[game.legal()] = 1
        return {"action_mask": mask, "seat": self._seat}
