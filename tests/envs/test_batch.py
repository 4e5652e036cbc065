"""The batch environment: what it shows, what it refuses, and that a game does not depend on its neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from triptych.envs.actions import ACTION_COUNT, OBSERVATION_SIZE, OBSERVED_CARDS
from triptych.envs.batch import BatchEnv
from triptych.rulesets.load import preset_names, resolve


def _random_legal(env: BatchEnv, rng: np.random.Generator) -> np.ndarray:
    draws = rng.random((env.size, ACTION_COUNT)) * env.legal
    chosen: np.ndarray = draws.argmax(axis=1).astype(np.uint8)
    return chosen


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_plays_and_pays_to_the_point(name: str) -> None:
    rules = resolve(name)
    env = BatchEnv(rules, size=64, chain=True, seed=3)
    rng = np.random.default_rng(5)
    ended = 0
    for _ in range(120):
        assert env.legal.any(axis=1).all()
        reward, done = env.step(_random_legal(env, rng))
        if rules.scoring.rows != "first_to_11":
            assert (reward.sum(axis=1) == 0).all()
        ended += int(done.sum())
    assert ended > 64


def test_a_game_does_not_depend_on_its_neighbours() -> None:
    few, many = (BatchEnv(resolve("pineapple"), size=size, seed=9) for size in (2, 50))
    for _ in range(200):
        assert (few.observe() == many.observe()[:2]).all()
        assert (few.legal == many.legal[:2]).all()
        actions = many.legal.argmax(axis=1).astype(np.uint8)
        few.step(actions[:2])
        many.step(actions)


def test_an_illegal_action_is_refused_and_nothing_happens() -> None:
    env = BatchEnv(resolve("pineapple"), size=8, seed=1)
    before = env.observe().copy()
    actions = env.legal.argmax(axis=1).astype(np.uint8)
    actions[5] = 4  # announce in an open game
    with pytest.raises(ValueError, match="not legal"):
        env.step(actions)
    with pytest.raises(ValueError, match="expected 8 actions"):
        env.step(actions[:3])
    assert (env.observe() == before).all()


def test_a_viewer_sees_its_own_cards_and_open_rows_only() -> None:
    """Rules §2: five own cards at the start; draws and discards are the owner's alone."""
    env = BatchEnv(resolve("pineapple"), size=500, seed=2)
    rng = np.random.default_rng(1)
    first = env.observe()
    assert first.shape == (500, OBSERVATION_SIZE)
    assert ((first[:, :OBSERVED_CARDS] > 0).sum(axis=1) == 5).all()
    for _ in range(5):
        env.step(_random_legal(env, rng))
    assert (env.player == 1).all()
    second = env.observe()[:, :OBSERVED_CARDS]
    assert ((second >= 7).sum(axis=1) == 5).all()
    for _ in range(5 + 3):
        env.step(_random_legal(env, rng))
    third = env.observe()[:, :OBSERVED_CARDS]  # the first player's discard of street 2 stays unseen
    assert ((third >= 7).sum(axis=1) == 7).all()
