"""OpenSpiel: a Python game with explicit chance, one card a chance node.

`load("pineapple")` gives a game of two players and one deal; OpenSpiel's own parameters choose rules, players and
whether fantasylands follow. Chance actions are card numbers, players' actions those of `triptych.envs.actions`.
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

_TRIES = 20
_ENCODED_PREFIX = "rules-"  # begins the text of rules that are no preset as it is
_DEFAULTS = {"rules": "pineapple", "players": 2, "chain": False}
_CHAIN = 40
_MAX_PAIRS = 4  # two boards against two in criss-cross, else three opponents
_MAX_MULTIPLIER = 4  # a scoop that is a home-run


def _game_type(*, zero_sum: bool) -> pyspiel.GameType:
    kinds = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name="python_triptych",
        long_name="Triptych: the Chinese-poker family",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=kinds.ZERO_SUM if zero_sum else kinds.GENERAL_SUM,
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
    """Return a bound of what one deal pays a player: all that a pair can bring at once, from every opponent."""
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


def _named(value: RulesLike) -> tuple[str, Ruleset]:
    """Return rules and the text by which OpenSpiel writes and loads them: a preset's name, or all that they change.

    A parameter is a word without signs that mean something to OpenSpiel.
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
        wanted = {**_DEFAULTS, **(params or {})}
        self.name, self.rules = _named(wanted["rules"])
        self.shape = game_shape(self.rules, wanted["players"], chain=wanted["chain"])
        self.chain = bool(wanted["chain"])
        self.players = self.shape.players
        wanted = {"rules": self.name, "players": self.players, "chain": self.chain}
        self.table = compile_rules(self.rules)
        self.cards = 52 + self.rules.deal.jokers
        deals = _CHAIN if self.chain else 1
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
        super().__init__(_game_type(zero_sum=zero_sum), info, wanted)

    def __reduce__(self) -> tuple[type[TriptychGame], tuple[dict[str, Any]]]:
        """Return how to make it again."""
        return TriptychGame, ({"rules": self.name, "players": self.players, "chain": self.chain},)

    def new_initial_state(self) -> TriptychState:
        """Return the start of a game, before any card is dealt."""
        return TriptychState(self)

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401, ARG002 - the library's own types are opaque
        params: Any = None,  # noqa: ANN401, ARG002 - the library's own types are opaque
    ) -> TriptychObserver:
        """Return an observer: bytes of the kernel's observation as floats."""
        return TriptychObserver()


class TriptychState(pyspiel.State):  # type: ignore[misc] # the library has no types
    """A game in progress."""

    def __init__(self, game: TriptychGame) -> None:
        """Begin before the first card."""
        super().__init__(game)
        self._players = game.players
        self._cards = game.cards
        self._game = _kernel.make_game(game.table, game.shape)
        self._dealt: list[int] = []
        self._used = 0
        self._deals = self._game.deals
        self._done: list[int] = []
        self._begun = 0  # how many of them belong to earlier deals
        self._told: list[list[str]] = [[] for _ in range(game.players)]

    def current_player(self) -> int:
        """Return the player to act, or the library's ids for chance and the end."""
        if self._game.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self._game.wanted else self._game.player

    def _legal_actions(self, player: int) -> list[int]:
        return legal_actions(self._game.legal) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every card that is left, all equally likely."""
        left = [card for card in range(self._cards) if not self._used >> card & 1]
        return [(card, 1 / len(left)) for card in left]

    def _apply_action(self, action: int) -> None:
        self._done.append(action)
        if self._game.wanted:
            self._deal_card(action)
            return
        player = self._game.player
        self._game.step(action)
        if self._game.deals != self._deals:
            self._deals = self._game.deals
            self._used = 0
            self._begun = len(self._done)
        self._told[player].append(ACTIONS[action])

    def _deal_card(self, card: int) -> None:
        self._used |= 1 << card
        self._dealt.append(card)
        if len(self._dealt) == self._game.wanted:
            player = self._game.player
            self._told[player].append(self._view(player))
            self._game.deal_cards(bytes(self._dealt))
            self._told[player].append("".join(card_text(Card(dealt)) for dealt in self._dealt))
            self._dealt = []

    def _view(self, player: int) -> str:
        return self._game.observe(player).hex()

    def _action_to_string(self, player: int, action: int) -> str:
        return card_text(Card(action)) if player == pyspiel.PlayerId.CHANCE else ACTIONS[action]

    def is_terminal(self) -> bool:
        """Return whether the game has ended."""
        return bool(self._game.over)

    def returns(self) -> list[float]:
        """Return the points of all deals, by player; nothing before the end."""
        return [float(points) if self._game.over else 0.0 for points in self._game.total]

    def __deepcopy__(self, _memo: dict[int, object]) -> TriptychState:
        """Return a copy."""
        copy: TriptychState = self.clone()
        return copy

    def __reduce__(self) -> tuple[Callable[[TriptychGame, list[int]], TriptychState], tuple[TriptychGame, list[int]]]:
        """Return the game and its actions, from which it is made again."""
        return _replayed, (self.get_game(), self._done)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> TriptychState:
        """Return a state that a player cannot tell from this one: the cards that they do not know lie otherwise.

        Others have done with them what they did with the true ones. Where no such state is found in some tries,
        because somebody holds a natural, which other cards are not, the state itself is returned.
        """
        seen = self.information_state_string(player_id)
        observed = self._game.observe(player_id)[:OBSERVED_CARDS]
        hidden = [card for card in range(self._cards) if not observed[card]]
        for _ in range(_TRIES):
            others = list(hidden)
            for index in range(len(others) - 1, 0, -1):  # Fisher-Yates
                other = int(probability_sampler() * (index + 1))
                others[index], others[other] = others[other], others[index]
            changed = dict(zip(hidden, others, strict=True))
            state = TriptychState(self.get_game())
            try:
                for index, action in enumerate(self._done):
                    dealt = index >= self._begun and state.is_chance_node()
                    state.apply_action(changed.get(action, action) if dealt else action)
            except (ValueError, pyspiel.SpielError):
                continue
            if state.information_state_string(player_id) == seen:
                return state
        return self.__deepcopy__({})

    def information_state_string(self, player: int | None = None) -> str:
        """Return all that a player has seen and done, in order."""
        viewer = self._game.player if player is None else player
        return " ".join([*self._told[viewer], self._view(viewer)])

    def observation_string(self, player: int | None = None) -> str:
        """Return what a player sees now, as hexadecimal bytes of the kernel's observation."""
        return self._view(self._game.player if player is None else player)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return what a player sees now, floats (OBSERVATION_SIZE,)."""
        viewer = self._game.player if player is None else player
        return [float(value) for value in self._game.observe(viewer)]

    def __str__(self) -> str:
        """Return the whole state: every player's view and the cards on their way."""
        views = " ".join(self._view(player) for player in range(self._players))
        return f"{views} {bytes(self._dealt).hex()} {self._game.total}"


def _replayed(game: TriptychGame, actions: list[int]) -> TriptychState:
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


class TriptychObserver:
    """OpenSpiel's observer interface over the kernel's observation."""

    def __init__(self) -> None:
        """Make the one tensor that is filled again and again."""
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: TriptychState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        self.tensor[:] = state.observation_tensor(player)

    def string_from(self, state: TriptychState, player: int) -> str:
        """Return what a player sees as text."""
        return state.observation_string(player)


def register() -> None:
    """Make `python_triptych` known to OpenSpiel; done once at import."""
    if GAME_TYPE.short_name not in pyspiel.registered_names():
        pyspiel.register_game(GAME_TYPE, TriptychGame)


def load(rules: RulesLike = "pineapple", *, players: int = 2, chain: bool = False) -> TriptychGame:
    """Return a ruleset as an OpenSpiel game.

    Raises RulesError for unknown rules or a wrong number of players, ArgumentError.
    """
    return TriptychGame({"rules": rules, "players": players, "chain": chain})


register()
