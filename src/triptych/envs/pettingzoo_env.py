"""PettingZoo AEC: every seat is an agent; `player_0` has the first seat."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from triptych.arguments import choice
from triptych.envs.actions import ACTION_COUNT, MAX_OBSERVATION_VALUE, OBSERVATION_SIZE
from triptych.envs.kernel_game import KernelGame
from triptych.envs.observations import observation_text
from triptych.envs.shape import game_shape
from triptych.rules_input import RulesLike
from triptych.rules_input import rules as rules_of


class TriptychAEC(AECEnv):  # type: ignore[misc] # the library has no types
    """A deal, or a deal with its fantasylands, agent by agent.

    Observations are dicts: `observation` uint8 (OBSERVATION_SIZE,), `action_mask` int8 (7,). Rewards are points,
    given to all agents when a deal is scored. Illegal actions raise ValueError. `render_mode`: `"ansi"` for text.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "triptych_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        rules: RulesLike = "pineapple",
        *,
        players: int = 2,
        chain: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Raises RulesError for unknown rules or a wrong number of players, ArgumentError."""
        super().__init__()
        self._rules = rules_of(rules)
        players = game_shape(self._rules, players, chain=chain).players
        self._chain = bool(chain)
        self._random = np.random.default_rng()
        self.render_mode = None if render_mode is None else choice(render_mode, "$.render_mode", ("ansi",))
        self.possible_agents: list[str] = [f"player_{index}" for index in range(players)]
        observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, MAX_OBSERVATION_VALUE, (OBSERVATION_SIZE,), np.uint8),
                "action_mask": spaces.Box(0, 1, (ACTION_COUNT,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation_space)
        self.action_spaces = {agent: spaces.Discrete(ACTION_COUNT) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's observation space, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's action space, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - part of the interface
        """Begin a game; a seed makes all following games repeatable."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._game = KernelGame(self._rules, len(self.possible_agents), self._random, chain=self._chain)
        self.agents: list[str] = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._game.player]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return the agent's observation; the mask is zero unless the agent is to act."""
        player = self.possible_agents.index(agent)
        mask = np.zeros(ACTION_COUNT, dtype=np.int8)
        if not self._game.is_over and self._game.player == player:
            mask[self._game.legal()] = 1
        return {"observation": self._game.observe(player), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Do the selected agent's action; None for an agent that is done."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent that is still playing must act")
        self._cumulative_rewards[self.agent_selection] = 0.0
        points = self._game.step(int(action))
        self.rewards = {agent: float(value) for agent, value in zip(self.possible_agents, points, strict=True)}
        self._accumulate_rewards()
        if self._game.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.agents[self._game.player]

    def render(self) -> str | None:
        """Return the selected agent's observation as text with `render_mode="ansi"`, else None."""
        if self.render_mode != "ansi" or not self.agents:
            return None
        return observation_text(self._game.observe(self.possible_agents.index(self.agent_selection)))

    def close(self) -> None:
        """Do nothing: there are no resources to close."""
