"""Environments take house rules in every form, and say at the call what they cannot take (issue 28.11 and 12)."""

from __future__ import annotations

import math
import pickle
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import triptych
from triptych.envs.batch import BatchEnv
from triptych.envs.gymnasium_env import TriptychEnv
from triptych.envs.pettingzoo_env import TriptychAEC
from triptych.envs.vector_env import TriptychVectorEnv
from triptych.errors import TriptychError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ODD: list[Any] = [None, math.nan, -1, 10**30, b"pineapple", "nonsense", [1], np.array([1, 2]), object()]
TWO: Any = np.int64(2)
MAKERS: dict[str, Callable[..., Any]] = {
    "batch": lambda rules: BatchEnv(rules, size=2).rules,
    "gymnasium": lambda rules: TriptychEnv(rules)._rules,
    "vector": lambda rules: TriptychVectorEnv(2, rules)._batch.rules,
    "pettingzoo": lambda rules: TriptychAEC(rules)._rules,
}


@pytest.fixture
def rules_file(tmp_path: Path) -> Path:
    file = tmp_path / "house.toml"
    file.write_text('title = "Our house, at ease"\nextends = "turbo"\n[scoring]\nbonus = 5\n', "utf-8")
    return file


def forms(rules_file: Path) -> list[Any]:
    return [
        str(rules_file),
        rules_file,
        triptych.rules(rules_file),
        {"preset": "turbo", "scoring.bonus": np.int64(5)},
    ]


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_house_rules_are_taken_in_every_form(make: Callable[..., Any], rules_file: Path) -> None:
    for form in forms(rules_file):
        assert make(form).scoring == triptych.rules(rules_file).scoring
    assert make("turbo") == triptych.rules("turbo")


@pytest.mark.skipif(sys.platform == "win32", reason="OpenSpiel has no wheels for Windows")
def test_openspiel_takes_them_and_writes_them_down(rules_file: Path) -> None:
    """A game, and a state of it, are written as text and made again where the file is not."""
    pyspiel = pytest.importorskip("pyspiel")
    from triptych.envs import openspiel  # noqa: PLC0415 - only where the library is

    for form in forms(rules_file):
        game = openspiel.load(form, players=TWO)
        for again in (pickle.loads(pickle.dumps(game)), pyspiel.load_game(str(game))):  # noqa: S301 - our own
            assert str(again) == str(game)
        assert game.rules.scoring == triptych.rules(rules_file).scoring
        state = game.new_initial_state()
        state.apply_action(state.legal_actions()[0])
        text = pyspiel.serialize_game_and_state(game, state)
        _, other = pyspiel.deserialize_game_and_state(text)
        assert str(other) == str(state)
    assert "rules=turbo" in str(openspiel.load("turbo"))
    for odd in (None, b"turbo", "rules-????", "nonsense"):
        with pytest.raises(TriptychError):
            openspiel.load(odd)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", ["seat", "opponent", "illegal", "render_mode", "players", "chain", "budget_ms", "rules"]
)
def test_a_game_is_refused_where_it_is_made(name: str) -> None:
    for odd in ODD:
        if odd is None and name in ("seat", "render_mode", "players"):
            continue
        with pytest.raises(TriptychError) as error:
            TriptychEnv(**{name: odd})
        assert error.value.code.partition(".")[0] in ("value", "rules", "env", "level"), odd


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"seat": 7}, "$.seat"),
        ({"seat": 2}, "$.seat"),
        ({"opponent": 5}, "$.opponent"),
        ({"illegal": "foo"}, "$.illegal"),
        ({"render_mode": "human"}, "$.render_mode"),
        ({"players": 5}, "$.players"),
        ({"players": 2.0}, "$.players"),
        ({"budget_ms": 0}, "$.budget_ms"),
    ],
)
def test_the_refusal_names_the_argument(arguments: dict[str, Any], path: str) -> None:
    with pytest.raises(TriptychError) as error:
        TriptychEnv(**arguments)
    assert error.value.path == path


@pytest.mark.parametrize(
    "make",
    [
        lambda odd: BatchEnv(size=odd),
        lambda odd: BatchEnv(size=2, seed=odd),
        lambda odd: BatchEnv(size=2).reset(odd),
        lambda odd: BatchEnv(size=2).step(odd),
        lambda odd: BatchEnv(size=2, chain=odd),
        TriptychVectorEnv,
        lambda odd: TriptychVectorEnv(2, opponents=odd),
        lambda odd: TriptychVectorEnv(2, seat=5 if odd is None else odd),
        lambda odd: TriptychAEC(players=9 if odd is None else odd),
    ],
)
def test_many_games_are_refused_where_they_are_made(make: Callable[[Any], object]) -> None:
    for odd in (odd for odd in ODD if not isinstance(odd, np.ndarray)):
        with pytest.raises(TriptychError):
            make(odd)


def test_a_number_that_would_wrap_to_an_action_is_refused() -> None:
    """-1 is 255 as a byte, which lets a game wait, and 256 is 0."""
    for wrong in (-1, 256):
        with pytest.raises(TriptychError) as error:
            BatchEnv(size=2).step(np.array([0, wrong]))
        assert error.value.path == "$.actions"
    assert BatchEnv(size=2).step(np.array([2, 2], dtype=np.int64)).done.tolist() == [False, False]


def test_numbers_of_numpy_are_numbers() -> None:
    arguments: dict[str, Any] = {
        "players": TWO,
        "seat": np.uint8(1),
        "chain": np.bool_(True),
        "budget_ms": np.int32(50),
    }
    env = TriptychEnv(**arguments)
    _, info = env.reset(seed=1)
    assert info["seat"] == 1
    env.step(np.int64(np.flatnonzero(info["action_mask"])[0]))
    assert BatchEnv(size=TWO, seed=TWO).size == 2
