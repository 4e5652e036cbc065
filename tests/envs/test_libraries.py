"""The adapters against the libraries' own conformance tests, for every preset."""

from __future__ import annotations

import copy
import pickle
import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.case_sample import sample_cases
from triptych.bots.levels import get_level
from triptych.errors import TriptychError
from triptych.rulesets.errors import RulesError
from triptych.rulesets.load import preset_names, resolve

if TYPE_CHECKING:
    from triptych.deal.actions import Action
    from triptych.deal.view_types import DealView, Task
    from triptych.envs.gymnasium_env import Opponent
    from triptych.envs.openspiel import TriptychState
    from triptych.rulesets.model import Ruleset

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
pyspiel = pytest.importorskip("pyspiel")

from gymnasium.utils.env_checker import check_env  # noqa: E402 - after the optional library is known to be there
from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr  # noqa: E402 - after the optional library is known to be there
from pettingzoo.test import api_test, seed_test  # noqa: E402 - after the optional library is known to be there

from triptych.envs import openspiel  # noqa: E402 - after the optional library is known to be there
from triptych.envs.gymnasium_env import TriptychEnv, random_opponent  # noqa: E402 - after the optional library is known to be there
from triptych.envs.pettingzoo_env import TriptychAEC  # noqa: E402 - after the optional library is known to be there
from triptych.envs.shape import game_shape  # noqa: E402 - after the optional library is known to be there

# Presets of every kind of game; test_batch.py and test_policy.py play all of them in every run.
OFTEN = ("pineapple", "pineapple_joker", "ofc_27", "turbo", "closed_1_6", "closed_2_4", "criss_cross", "first_to_11")


@pytest.mark.filterwarnings("ignore:Observation:UserWarning")  # a dict with a mask is PettingZoo's own convention
@pytest.mark.parametrize("name", sample_cases(preset_names(), OFTEN))
def test_pettingzoo(name: str) -> None:
    api_test(TriptychAEC(name, chain=True), num_cycles=60)


def test_pettingzoo_is_drawn_as_text() -> None:
    """What the agent to act sees; nothing where no mode was asked for."""
    env = TriptychAEC("pineapple", render_mode="ansi")
    env.reset(seed=1)
    first = env.render()
    assert first is not None
    assert first.startswith("you    - / - / -\nstreet 1: ")
    env.step(0)
    assert env.render() != first
    silent = TriptychAEC("pineapple")
    silent.reset(seed=1)
    assert silent.render() is None
    with pytest.raises(TriptychError, match="render_mode"):
        TriptychAEC("pineapple", render_mode="human")


def test_pettingzoo_seeds() -> None:
    seed_test(lambda: TriptychAEC("pineapple"), num_cycles=50)


@pytest.mark.parametrize("chain", [False, True])
@pytest.mark.parametrize("name", sample_cases(preset_names(), OFTEN))
def test_openspiel(name: str, *, chain: bool) -> None:
    game = openspiel.load(name, chain=chain)
    pyspiel.random_sim_test(game, num_sims=1, serialize=not chain, verbose=False)


def _dealt(name: str, actions: int, seed: int = 1) -> TriptychState:
    """A game of random actions in which a player is to act."""
    random = np.random.RandomState(seed)
    state = openspiel.load(name).new_initial_state()
    while state.is_chance_node() or actions > 0:
        legal = [card for card, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        actions -= not state.is_chance_node()
        state.apply_action(int(random.choice(legal)))
    return state


@pytest.mark.parametrize("name", ["pineapple", "closed_2_4", "pineapple_joker"])
def test_openspiel_search_and_sampling_run(name: str) -> None:
    """Its own MCTS, IS-MCTS and outcome-sampling CFR (issue 15, part 6): they crashed for want of copies."""
    state, random = _dealt(name, 6), np.random.RandomState(1)
    game = state.get_game()
    rollouts = mcts.RandomRolloutEvaluator(1, random)
    legal = state.legal_actions()
    assert mcts.MCTSBot(game, 2.0, 20, rollouts, random_state=random).step(state) in legal
    assert ismcts.ISMCTSBot(game, rollouts, 2.0, 20, random_state=random).step(state) in legal
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    solver.iteration()
    assert solver.average_policy() is not None


@pytest.mark.parametrize("name", ["pineapple", "ofc_american", "closed_2_4", "criss_cross", "pineapple_joker"])
def test_openspiel_states_are_copied_pickled_and_written(name: str) -> None:
    state = _dealt(name, 9)
    game = state.get_game()
    copies = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]  # noqa: S301 - our own
    copies.append(game.deserialize_state(state.serialize()))
    before, after = str(state), None
    for copied in copies:
        assert str(copied) == before
        copied.apply_action(copied.legal_actions()[0])
        after = after or str(copied)
        assert str(copied) == after
    assert str(state) == before


def test_openspiel_deals_again_what_a_player_cannot_know() -> None:
    """The player sees the same; what others threw away is drawn from all cards that the player has not seen."""
    state = _dealt("pineapple", 5 + 5 + 3 + 3 + 3 + 2)
    player = state.current_player()
    random = np.random.RandomState(2)
    text = state.information_state_string(player)
    theirs = {state.information_state_string(1 - player)}
    for _ in range(50):
        again = state.resample_from_infostate(player, random.random_sample)
        assert again.information_state_string(player) == text
        assert again.legal_actions() == state.legal_actions()
        theirs.add(again.information_state_string(1 - player))
    assert len(theirs) > 20


@pytest.mark.parametrize("name", sample_cases(preset_names(), OFTEN))
def test_gymnasium(name: str) -> None:
    """Its own checker, on what its own `make` gives, without a wrapper between (issue 15, part 6)."""
    check_env(gymnasium.make(f"triptych.envs.ids:triptych/{name}-v0", render_mode="ansi").unwrapped)


def test_an_action_that_is_not_legal_costs_a_scoop_or_is_an_error() -> None:
    env = TriptychEnv("pineapple", players=3, seat=0)
    _, info = env.reset(seed=1)
    assert list(info["action_mask"]) == [1, 1, 1, 0, 0, 0, 0]
    _, reward, done, truncated, info = env.step(3)
    assert (reward, done, truncated, info["illegal"]) == (-12.0, True, False, True)
    with pytest.raises(ValueError, match="reset"):
        env.step(0)
    strict = TriptychEnv("pineapple", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(ValueError, match="not legal"):
        strict.step(3)


def test_it_is_drawn_as_text() -> None:
    env = gymnasium.make("triptych.envs.ids:triptych/pineapple-v0", render_mode="ansi", seat=0)
    assert env.unwrapped.render() is None
    _, info = env.reset(seed=1)
    first = env.render()
    for _ in range(5):
        _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert re.fullmatch(r"you    - / - / -\nstreet 1: (..) in turn, (..){4} to come, 0 to discard", first)
    cards = re.findall(r"[2-9TJQKA][shdc]", first)
    assert re.match(
        r"you    (..){3} / (..){2} / -\nleft 1 .*\nstreet 2: .. in turn, .{4} to come, 1 to discard", env.render()
    )
    assert all(card in env.render().splitlines()[0] for card in cards)


@pytest.mark.parametrize(("name", "players"), [("pineapple", 2), ("turbo", 3), ("closed_2_4", 2), ("criss_cross", 2)])
def test_levels_and_bots_are_opponents(name: str, players: int) -> None:
    """They are asked with the view of their own seat, as at a table."""

    class Watched:
        name = "watched"

        def __init__(self) -> None:
            self.seats: set[int] = set()

        def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
            self.seats |= {board.seat for board in view.boards if board.hand == task.hand}
            drawn = [card for board in view.boards if board.hand != task.hand for card in board.draws]
            assert set(drawn) <= {"??"} or name == "criss_cross"
            return get_level("random").factory(1).choose(rules, view, task, budget_ms)

    watched = Watched()
    for opponent in (watched, "fast"):
        env = TriptychEnv(name, players=players, chain=True, opponent=opponent, seat=0)
        _, info = env.reset(seed=5)
        done = False
        while not done:
            _, reward, done, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
        assert reward == int(reward)
    assert watched.seats == set(range(1, players))


def test_a_weak_player_loses_to_a_level_and_not_to_chance() -> None:
    """Points of a hundred deals each, the same cards: `fast` takes about nine points a deal from random play."""

    def played(opponent: str | Opponent) -> float:
        env = TriptychEnv("pineapple", opponent=opponent, seat=0)
        random, total = np.random.default_rng(1), 0.0
        for seed in range(100):
            _, info = env.reset(seed=seed)
            done = False
            while not done:
                _, reward, done, _, info = env.step(int(random.choice(np.flatnonzero(info["action_mask"]))))
                total += reward
        return total / 100

    assert played("fast") < -5 < played(random_opponent) < 5


def test_random_gymnasium_games_end_with_points_that_sum_over_both_seats_to_zero() -> None:
    for seat in (0, 1):
        env = TriptychEnv("pineapple", seat=seat)
        for seed in range(20):
            _, info = env.reset(seed=seed)
            done = False
            while not done:
                action = int(np.flatnonzero(info["action_mask"])[0])
                _, reward, done, _, info = env.step(action)
            assert reward == int(reward)
            with pytest.raises(ValueError, match="reset"):
                env.step(0)


def test_a_table_that_the_rules_do_not_seat_is_refused() -> None:
    with pytest.raises(RulesError) as caught:
        TriptychAEC("pineapple", players=4)
    assert (caught.value.code, caught.value.path) == ("env.players", "$.players")


@pytest.mark.parametrize(
    ("changes", "players", "chain"),
    [
        ({"seats.max": 4}, 4, False),  # four boards of Pineapple need 68 cards
        ({"seats.max": 4, "deal.game": "classic", "fantasyland.kind": "progressive"}, 4, True),  # 4 times 17
    ],
)
def test_a_deck_that_does_not_suffice_is_refused(changes: dict[str, object], players: int, *, chain: bool) -> None:
    with pytest.raises(RulesError) as caught:
        game_shape(resolve({"preset": "pineapple", **changes}), players, chain=chain)
    assert (caught.value.code, caught.value.path) == ("env.cards", "$.players")
