"""Environments: random play a second on one core, beside games of OpenSpiel and PettingZoo in the same run.

uv run --group bench python -m bench envs
"""

from __future__ import annotations

from random import Random
from time import thread_time
from typing import TYPE_CHECKING, Any

import pyspiel
from pettingzoo.classic import texas_holdem_no_limit_v6

from bench.report import RUNS, Spread, at_least, write
from triptych.envs import openspiel
from triptych.envs.batch import BatchEnv
from triptych.envs.gymnasium_env import TriptychEnv
from triptych.envs.pettingzoo_env import TriptychAEC
from triptych.rulesets.load import resolve

if TYPE_CHECKING:
    from collections.abc import Callable

COMMAND = "uv run --group bench python -m bench envs"
NOTE = "Random play, a second; the median of 5 runs (least – most)"
SECONDS = 1.0
DEALS = 2e6  # heads-up Pineapple on one core


def main() -> None:
    """Measure every environment and write the section."""
    rng = Random(1)
    rows = [
        ("batch in the kernel", _batch("pineapple")),
        ("batch in the kernel, closed_1_6", _batch("closed_1_6")),
        ("PettingZoo adapter", _aec(TriptychAEC("pineapple"), rng)),
        ("PettingZoo `texas_holdem_no_limit_v6`", _aec(texas_holdem_no_limit_v6.env(), rng)),
        ("OpenSpiel adapter", _spiel(openspiel.load("pineapple"), rng)),
        ("OpenSpiel `leduc_poker`", _spiel(pyspiel.load_game("leduc_poker"), rng)),
        ("Gymnasium adapter", _gym(TriptychEnv("pineapple"), rng)),
    ]
    table = [("environment, heads-up pineapple unless named", "steps a second", "deals a second", "target", "")]
    for name, work in rows:
        steps, deals = _run(work)
        verdict = ("", "") if table[1:] else (f"≥ {DEALS / 1e6:.0f} M deals", at_least(deals, DEALS))
        table.append((name, _text(steps), _text(deals), *verdict))
    write("Environments", COMMAND, table, NOTE)


def _text(spread: Spread) -> str:
    least, middle, most = spread.text(",.0f")
    return f"{middle} ({least} – {most})"


def _run(work: Callable[[], tuple[int, int]]) -> tuple[Spread, Spread]:
    """Return steps and deals a second over the runs, after one that warms up."""
    samples: list[tuple[float, float]] = []
    for _ in range(RUNS + 1):
        start = thread_time()
        steps = deals = 0
        while (spent := thread_time() - start) < SECONDS:
            more = work()
            steps += more[0]
            deals += more[1]
        samples.append((steps / spent, deals / spent))
    rates = list(zip(*samples[1:], strict=True))
    return Spread.of(rates[0]), Spread.of(rates[1])


def _batch(preset: str) -> Callable[[], tuple[int, int]]:
    env = BatchEnv(resolve(preset), size=1000, seed=1)
    return lambda: (1000 * 200, env.play_random(200))


def _aec(env: Any, rng: Random) -> Callable[[], tuple[int, int]]:  # noqa: ANN401 - PettingZoo carries no types
    def play() -> tuple[int, int]:
        env.reset(seed=rng.randrange(1 << 30))
        steps = 0
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            mask = observation["action_mask"]
            env.step(None if ended or cut else rng.choice([int(a) for a in mask.nonzero()[0]]))
            steps += 1
        return steps, 1

    return play


def _spiel(game: Any, rng: Random) -> Callable[[], tuple[int, int]]:  # noqa: ANN401 - OpenSpiel carries no types
    def play() -> tuple[int, int]:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                action = rng.choice(state.chance_outcomes())[0]
            else:
                action = rng.choice(state.legal_actions())
            state.apply_action(action)
            steps += 1
        return steps, 1

    return play


def _gym(env: TriptychEnv, rng: Random) -> Callable[[], tuple[int, int]]:
    def play() -> tuple[int, int]:
        _, info = env.reset(seed=rng.randrange(1 << 30))
        steps, done = 0, False
        while not done:
            legal = [int(a) for a in info["action_mask"].nonzero()[0]]
            _, _, done, _, info = env.step(rng.choice(legal))
            steps += 1
        return steps, 1

    return play


if __name__ == "__main__":
    main()
