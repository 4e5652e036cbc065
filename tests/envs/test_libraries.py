"""The adapters against the libraries' own conformance tests, for every preset."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

from triptych.bots.levels import level
from triptych.rules.errors import RulesError
from triptych.rules.load import preset_names, resolve

if TYPE_CHECKING:
    from triptych.deal.actions import Action
    from triptych.deal.views import DealView, Task
    from triptych.envs.gymnasium_env import Opponent
    from triptych.rules.model import Ruleset

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
pyspiel = pytest.importorskip("pyspiel")

from gymnasium.utils.env_checker import check_env  # noqa: E402 - after the optional library is known to be there
from pettingzoo.test import api_test, seed_test  # noqa: E402 - after the optional library is known to be there

from triptych.envs import openspiel  # noqa: E402 - after the optional library is known to be there
from triptych.envs.gymnasium_env import TriptychEnv, random_opponent  # noqa: E402 - after the optional library is known to be there
from triptych.envs.pettingzoo_env import TriptychAEC  # noqa: E402 - after the optional library is known to be there
from triptych.envs.shape import game_shape  # noqa: E402 - after the optional library is known to be there


@pytest.mark.filterwarnings("ignore:Observation:UserWarning")  # a dict with a mask is PettingZoo's own convention
@pytest.mark.parametrize("name", preset_names())
def test_pettingzoo(name: str) -> None:
    api_test(TriptychAEC(name, chain=True), num_cycles=60)


def test_pettingzoo_seeds() -> None:
    seed_test(lambda: TriptychAEC("pineapple"), num_cycles=50)


@pytest.mark.parametrize("chain", [False, True])
@pytest.mark.parametrize("name", preset_names())
def test_openspiel(name: str, *, chain: bool) -> None:
    game = openspiel.load(name, chain=chain)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", preset_names())
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
    """They are asked with the view of their own seat, as in the room."""

    class Watched:
        name = "watched"

        def __init__(self) -> None:
            self.seats: set[int] = set()

        def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
            self.seats |= {board.seat for board in view.boards if board.hand == task.hand}
            shown = [card for board in view.boards if board.hand != task.hand for card in board.draws]
            assert set(shown) <= {"??"} or name == "criss_cross"
            return level("random").factory(1).choose(rules, view, task, budget_ms)

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
