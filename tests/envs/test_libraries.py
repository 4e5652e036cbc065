"""The adapters against the libraries' own conformance tests, for every preset."""

from __future__ import annotations

import numpy as np
import pytest

from triptych.rules.errors import RulesError
from triptych.rules.load import preset_names, resolve

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
pyspiel = pytest.importorskip("pyspiel")

from gymnasium.utils.env_checker import check_env  # noqa: E402 - after the optional library is known to be there
from pettingzoo.test import api_test, seed_test  # noqa: E402 - after the optional library is known to be there

from triptych.envs import openspiel  # noqa: E402 - after the optional library is known to be there
from triptych.envs.gymnasium_env import TriptychEnv  # noqa: E402 - after the optional library is known to be there
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


class _Legal(TriptychEnv):
    """The checker draws any action; this one turns it into a legal one, as learners do by the mask."""

    def step(self, action: np.int64 | int):  # type: ignore[no-untyped-def] # noqa: ANN202 - the base's own type
        assert self._table is not None
        legal = self._table.legal()
        return super().step(legal[int(action) % len(legal)])


@pytest.mark.parametrize("name", preset_names())
def test_gymnasium(name: str) -> None:
    check_env(_Legal(name), skip_render_check=True)


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
