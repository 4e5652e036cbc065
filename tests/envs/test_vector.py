"""The vector environment: Gymnasium's interface, the kernel's batch (issue 15, part 6)."""

from __future__ import annotations

import importlib.util
import pickle
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from triptych.envs.batch import NO_OP, BatchEnv
from triptych.envs.observations import FEATURE_COUNT, PLACE_COUNT, features
from triptych.rulesets.load import preset_names, resolve

DOCS = Path(__file__).parents[2] / "docs"
gymnasium = pytest.importorskip("gymnasium")

from triptych.envs.vector_env import TriptychVectorEnv, random_opponents  # noqa: E402 - after the library is known to be there


@pytest.mark.parametrize("name", preset_names())
def test_each_preset_and_number_of_players(name: str) -> None:
    """Spaces hold what comes, masks are never empty, and all players' points of a game sum to nothing."""
    rules = resolve(name)
    for players in range(rules.seats.min, rules.seats.max + 1):
        env = TriptychVectorEnv(64, rules, players=players, chain=name == "pineapple", seat=0)
        random = np.random.default_rng(1)
        observation, info = env.reset(seed=1)
        games = 0
        for _ in range(60):
            assert observation in env.observation_space
            assert info["action_mask"].any(axis=1).all()
            actions = random_opponents(observation, info["action_mask"].astype(np.bool_), random)
            observation, rewards, done, truncated, info = env.step(actions)
            assert rewards.shape == done.shape == truncated.shape == (64,)
            assert not rewards[~done].any() or name == "pineapple"
            assert ("final_obs" in info) == done.any()
            games += int(done.sum())
        assert games >= 64


def test_make_vec_finds_it() -> None:
    env = gymnasium.make_vec("triptych.envs.ids:triptych/turbo-v0", 8, players=3)
    assert isinstance(env.unwrapped, TriptychVectorEnv)
    observation, _ = env.reset(seed=7)
    two, _ = env.reset(seed=7)
    assert (observation == two).all()
    other, _ = env.reset(seed=8)
    assert (observation != other).any()


def test_a_learner_of_one_seat_gains_what_the_others_lose() -> None:
    """Against equals nothing is won in the long run: 20,000 random deals, mean within five standard errors."""
    env = TriptychVectorEnv(2000, "pineapple")
    random = np.random.default_rng(3)
    observation, info = env.reset(seed=3)
    points: list[float] = []
    while len(points) < 20_000:
        actions = random_opponents(observation, info["action_mask"].astype(np.bool_), random)
        observation, rewards, done, _, info = env.step(actions)
        points += rewards[done].tolist()
    assert abs(np.mean(points)) < 5 * np.std(points) / np.sqrt(len(points))


def test_an_illegal_action_is_refused_and_nothing_is_done() -> None:
    env = TriptychVectorEnv(4, "pineapple", seat=0)
    observation, _ = env.reset(seed=1)
    with pytest.raises(ValueError, match="not legal"):
        env.step(np.array([0, 0, 0, 3]))
    again, _, _, _, _ = env.step(np.zeros(4, dtype=np.int64))
    assert (again != observation).any()


def test_a_batch_waits_where_its_settings_say() -> None:
    batch = BatchEnv("pineapple", size=3, seed=1)
    before = batch.observe().copy()
    step = batch.step(np.array([NO_OP, 0, NO_OP], dtype=np.uint8))
    assert not step.done.any()
    after = batch.observe()
    assert [(earlier == two).all() for earlier, two in zip(before, after, strict=True)] == [True, False, True]


@pytest.mark.parametrize("name", ["pineapple_joker", "closed_1_6", "criss_cross"])
def test_a_batch_is_pickled_in_mid_game_and_restarted(name: str) -> None:
    batch = BatchEnv(name, size=9, chain=name == "pineapple_joker", seed=5)
    fresh = batch.observe().copy()
    batch.play_random(23)
    again: BatchEnv = pickle.loads(pickle.dumps(batch))  # noqa: S301 - our own
    for batch_env in (batch, again):
        batch_env.play_random(200)
    assert (batch.observe() == again.observe()).all()
    assert (batch.player == again.player).all()
    batch.reset(5)
    assert (batch.observe() == fresh).all()
    with pytest.raises(ValueError, match="not games of this batch"):
        BatchEnv(name, size=8)._batch.load(again._batch.save())


def test_features_are_the_observation() -> None:
    """One place a card, facts up to 1, any shape before; nothing is lost."""
    batch = BatchEnv("pineapple", size=50, seed=2)
    batch.play_random(9)
    observation = batch.observe()
    matrix = features(observation)
    assert matrix.shape == (50, FEATURE_COUNT)
    assert matrix.dtype == np.float32
    assert (matrix >= 0).all()
    assert (matrix <= 1).all()
    cards = matrix[:, : 54 * PLACE_COUNT].reshape(50, 54, PLACE_COUNT)
    assert (cards.sum(axis=2) == 1).all()
    assert (cards.argmax(axis=2) == observation[:, :54]).all()
    assert (features(observation.reshape(5, 10, -1)) == matrix.reshape(5, 10, -1)).all()


@pytest.mark.slow
@pytest.mark.timeout(1800)  # minutes, on an idle machine
def test_the_example_learns_to_beat_random_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 15, part 6: by a point and a half at least."""
    spec = importlib.util.spec_from_file_location("self_play", DOCS / "examples" / "self_play.py")
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    # Ten steps a second: a slow machine learns as much as a fast one.
    steps = count()
    monkeypatch.setattr(example, "process_time", lambda: next(steps) / 10)
    mean, half = example.measure(example.train(seconds=30))
    assert mean - half > 1.5
