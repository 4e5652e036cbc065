"""OpenSpiel: a Python game with explicit chance, one chance node per card.

`load("pineapple")` returns a game of two players and one deal. OpenSpiel's parameters choose the rules, the players
and whether fantasylands follow. Chance actions are card numbers, players' actions those of `triptych.envs.actions`.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pyspiel

from triptych import _kernel
from triptych.arguments import describe_value
from triptych.cards import Card, card_text
from triptych.envs.actions import ACTION_COUNT, ACTIONS, OBSERVATION_SIZE, OBSERVED_CARDS, legal_actions
from triptych.envs.shape import game_shape
from triptych.rules_input import RulesLike, rules_document
from triptych.rules_input import rules as rules_of
from triptych.rulesets.compile import compile_rules, natural_entries
from triptych.rulesets.errors import RulesError
from triptych.rulesets.model import Ruleset

_RESAMPLE_TRIES = 20
_ENCODED_PREFIX = "rules-"  # begins the encoded text of rules that are not an unchanged preset
_DEFAULTS = {"rules": "pineapple", "players": 2, "chain": False}
_MAX_CHAIN_DEALS = 40
_MAX_PAIRS = 4  # two boards against two in criss-cross, else three opponents
_MAX_MULTIPLIER = 4  # a scoop that is a home-run


def _game_type(*, zero_sum: bool) -> pyspiel.GameType:
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name="python_triptych",
        long_name="Triptych: the Chinese-poker family",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if zero_sum else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


GAME_TYPE = _game_type(zero_sum=True)


def _max_points(rules: Ruleset) -> int:
    """Return an upper bound of a player's points in one deal: every maximum at once, from every opponent."""
    scoring, table = rules.scoring, rules.royalties.table
    rows = max(6, sum(scoring.points) + scoring.bonus)
    front = max(*table.front.pair, *table.front.trips)
    fives = sum(
        max(points for key in row.__struct_fields__ if isinstance(points := getattr(row, key), int))
        for row in (table.back, table.middle, table.low)
    )
    royalties = 2 * (front + fives)  # the deuce of spades doubles them
    naturals = max((entry.units for entry in natural_entries(rules.naturals)), default=0)
    other = rules.surrender.points + naturals + (0 if rules.foul.points == "scoop" else rules.foul.points)
    return _MAX_PAIRS * (_MAX_MULTIPLIER * (rows + royalties) + other)


def _resolve(value: RulesLike) -> tuple[str, Ruleset]:
    """Return the text of rules as a parameter of OpenSpiel, and the rules: a preset's name, or encoded rules.

    The encoding contains no characters that OpenSpiel's parameter syntax uses.
    """
    if isinstance(value, str) and value.startswith(_ENCODED_PREFIX):
        return value, rules_of(_decode_rules(value))
    rules = rules_of(value)
    if isinstance(value, str) and value == rules.name:
        return value, rules
    return _ENCODED_PREFIX + urlsafe_b64encode(msgspec.json.encode(rules_document(rules))).decode().rstrip("="), rules


def _decode_rules(text: str) -> dict[str, object]:
    code = text.removeprefix(_ENCODED_PREFIX)
    try:
        return msgspec.json.decode(urlsafe_b64decode(code + "=" * (-len(code) % 4)), type=dict[str, object])
    except ValueError as error:
        raise RulesError("rules.type", f"no rules can be read from {describe_value(text)}", "$.rules") from error


class TriptychGame(pyspiel.Game):  # type: ignore[misc] # the library has no types
    """A ruleset as an OpenSpiel game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Raises RulesError for unknown rules or a wrong number of players, ArgumentError."""
        parameters = {**_DEFAULTS, **(params or {})}
        self.name, self.rules = _resolve(parameters["rules"])
        self.shape = game_shape(self.rules, parameters["players"], chain=parameters["chain"])
        self.chain = bool(parameters["chain"])
        self.players = self.shape.players
        parameters = {"rules": self.name, "players": self.players, "chain": self.chain}
        self.table = compile_rules(self.rules)
        self.cards = 52 + self.rules.deal.jokers
        deals = _MAX_CHAIN_DEALS if self.chain else 1
        zero_sum = self.rules.scoring.rows != "first_to_11"
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTION_COUNT,
            max_chance_outcomes=self.cards,
            num_players=self.players,
            min_utility=-float(_max_points(self.rules) * deals),
            max_utility=float(_max_points(self.rules) * deals),
            utility_sum=0.0 if zero_sum else None,
            max_game_length=18 * 2 * self.players * deals,
        )
        super().__init__(_game_type(zero_sum=zero_sum), info, parameters)

    def __reduce__(self) -> tuple[type[TriptychGame], tuple[dict[str, Any]]]:
        return TriptychGame, ({"rules": self.name, "players": self.players, "chain": self.chain},)

    def new_initial_state(self) -> TriptychState:
        """Return the start of a game, before any card is dealt."""
        return TriptychState(self)

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401, ARG002 - the library's own types are opaque
        params: Any = None,  # noqa: ANN401, ARG002 - the library's own types are opaque
    ) -> TriptychObserver:
        """Return an observer of the kernel's observations as floats."""
        return TriptychObserver()


class TriptychState(pyspiel.State):  # type: ignore[misc] # the library has no types
    """A game in progress."""

    def __init__(self, game: TriptychGame) -> None:
        super().__init__(game)
        self._players = game.players
        self._cards = game.cards
        self._game = _kernel.make_game(game.table, game.shape)
        self._dealt: list[int] = []
        self._used_cards = 0  # a bit for each card
        self._deals = self._game.deals
        self._played_actions: list[int] = []
        self._deal_start = 0  # the number of actions of earlier deals
        self._player_histories: list[list[str]] = [[] for _ in range(game.players)]

    def current_player(self) -> int:
        """Return the player to act, or the library's ids for chance and the end."""
        if self._game.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self._game.wanted else self._game.player

    def _legal_actions(self, player: int) -> list[int]:
        return legal_actions(self._game.legal) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every remaining card, all equally likely."""
        remaining = [card for card in range(self._cards) if not self._used_cards >> card & 1]
        return [(card, 1 / len(remaining)) for card in remaining]

    def _apply_action(self, action: int) -> None:
        self._played_actions.append(action)
        if self._game.wanted:
            self._deal_card(action)
            return
        player = self._game.player
        self._game.step(action)
        if self._game.deals != self._deals:
            self._deals = self._game.deals
            self._used_cards = 0
            self._deal_start = len(self._played_actions)
        self._player_histories[player].append(ACTIONS[action])

    def _deal_card(self, card: int) -> None:
        self._used_cards |= 1 << card
        self._dealt.append(card)
        if len(self._dealt) == self._game.wanted:
            player = self._game.player
            self._player_histories[player].append(self._view(player))
            self._game.deal_cards(bytes(self._dealt))
            self._player_histories[player].append("".join(card_text(Card(card)) for card in self._dealt))
            self._dealt = []

    def _view(self, player: int) -> str:
        return self._game.observe(player).hex()

    def _action_to_string(self, player: int, action: int) -> str:
        return card_text(Card(action)) if player == pyspiel.PlayerId.CHANCE else ACTIONS[action]

    def is_terminal(self) -> bool:
        """Return whether the game has ended."""
        return bool(self._game.over)

    def returns(self) -> list[float]:
        """Return the points of all deals by player; zeros before the end."""
        return [float(points) if self._game.over else 0.0 for points in self._game.total]

    def __deepcopy__(self, _memo: dict[int, object]) -> TriptychState:
        copy: TriptychState = self.clone()
        return copy

    def __reduce__(self) -> tuple[Callable[[TriptychGame, list[int]], TriptychState], tuple[TriptychGame, list[int]]]:
        return _replay, (self.get_game(), self._played_actions)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> TriptychState:
        """Return a state with the same information for a player: the cards that they do not know are permuted.

        The other players did the same actions with the permuted cards. If no such state is found in 20 tries, for
        instance because another player has a natural, the state itself is returned.
        """
        information_state = self.information_state_string(player_id)
        observed = self._game.observe(player_id)[:OBSERVED_CARDS]
        hidden = [card for card in range(self._cards) if not observed[card]]
        for _ in range(_RESAMPLE_TRIES):
            shuffled = list(hidden)
            for index in range(len(shuffled) - 1, 0, -1):  # Fisher-Yates
                other = int(probability_sampler() * (index + 1))
                shuffled[index], shuffled[other] = shuffled[other], shuffled[index]
            replacements = dict(zip(hidden, shuffled, strict=True))
            state = TriptychState(self.get_game())
            try:
                for index, action in enumerate(self._played_actions):
                    is_card = index >= self._deal_start and state.is_chance_node()
                    state.apply_action(replacements.get(action, action) if is_card else action)
            except (ValueError, pyspiel.SpielError):
                continue
            if state.information_state_string(player_id) == information_state:
                return state
        return self.__deepcopy__({})

    def information_state_string(self, player: int | None = None) -> str:
        """Return a player's observations and actions, in order."""
        viewer = self._game.player if player is None else player
        return " ".join([*self._player_histories[viewer], self._view(viewer)])

    def observation_string(self, player: int | None = None) -> str:
        """Return a player's current observation of the kernel as hexadecimal bytes."""
        return self._view(self._game.player if player is None else player)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return a player's current observation as floats (OBSERVATION_SIZE,)."""
        viewer = self._game.player if player is None else player
        return [float(value) for value in self._game.observe(viewer)]

    def __str__(self) -> str:
        """Return the complete state: every player's observation, and the cards being dealt."""
        views = " ".join(self._view(player) for player in range(self._players))
        return f"{views} {bytes(self._dealt).hex()} {self._game.total}"


def _replay(game: TriptychGame, actions: list[int]) -> TriptychState:
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


class TriptychObserver:
    """OpenSpiel's observer interface over the kernel's observation."""

    def __init__(self) -> None:
        """Create the tensor, which `set_from` fills."""
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: TriptychState, player: int) -> None:
        """Fill the tensor with a player's observation."""
        self.tensor[:] = state.observation_tensor(player)

    def string_from(self, state: TriptychState, player: int) -> str:
        """Return a player's observation as text."""
        return state.observation_string(player)


def register() -> None:
    """Register `python_triptych` with OpenSpiel, unless it is registered already."""
    if GAME_TYPE.short_name not in pyspiel.registered_names():
        pyspiel.register_game(GAME_TYPE, TriptychGame)


def load(rules: RulesLike = "pineapple", *, players: int = 2, chain: bool = False) -> TriptychGame:
    """Return a ruleset as an OpenSpiel game.

    Raises RulesError for unknown rules or a wrong number of players, ArgumentError.
    """
    return TriptychGame({"rules": rules, "players": players, "chain": chain})


register()
