"""Self-play in numpy alone: a small network learns by REINFORCE. `python docs/examples/self_play.py`."""

import sys
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triptych.envs import FEATURE_COUNT, BatchEnv, TriptychVectorEnv, features

GAMES, HIDDEN, RATE = 512, 64, 0.005
Array = NDArray[Any]


def act(network: list[Array], seen: Array, legal: Array, random: np.random.Generator) -> tuple[Array, ...]:
    """Draw an action for each game; returns features, hidden units, chances (games, 7) and the actions."""
    inputs = features(seen)
    hidden = np.maximum(inputs @ network[0], 0)
    logits = np.where(legal, hidden @ network[1], -1e9)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return inputs, hidden, chances, (chances.cumsum(axis=1) > random.random((len(seen), 1))).argmax(axis=1)


def gradients(network: list[Array], games: int, players: int, random: np.random.Generator, seed: int) -> list[Array]:
    """Play games against oneself to their end; returns what makes the actions of winners likelier."""
    batch, over = BatchEnv("pineapple", size=games, seed=seed), np.zeros(games, bool)
    moves: list[tuple[Array, ...]] = []
    points, each = np.zeros((games, players)), np.arange(games)
    while not over.all():
        player, live = batch.player.copy(), ~over
        *thought, actions = act(network, batch.observe(), batch.legal, random)
        moves.append((*thought, actions, player, live))
        reward, done = batch.step(actions.astype(np.uint8))
        points[live] += reward[live]
        over |= done
    sums = [np.zeros_like(layer) for layer in network]
    for inputs, hidden, chances, actions, player, live in moves:
        error = -chances
        error[each, actions] += 1
        error *= (points[each, player] / points.std() * live / games)[:, None]
        sums[1] += hidden.T @ error
        sums[0] += inputs.T @ ((error @ network[1].T) * (hidden > 0)).astype(np.float32)
    return sums


def train(seconds: float, seed: int = 0) -> list[Array]:
    """Learn for so many seconds of a processor, and print how it goes; returns the network's two layers."""
    random = np.random.default_rng(seed)
    network = [
        (random.normal(size=(m, n)) / m**0.5).astype(np.float32) for m, n in ((FEATURE_COUNT, HIDDEN), (HIDDEN, 7))
    ]
    network[0] *= 4
    means, squares = ([np.zeros_like(layer) for layer in network] for _ in range(2))
    step, began, shown = 0, process_time(), 0.0
    while (used := process_time() - began) < seconds:
        if used - shown > 10:
            shown = used
            print(f"{used:4.0f} s: {measure(network, 2_000)[0]:+.2f} points a deal against random play")
        step += 1
        for layer, gradient in enumerate(gradients(network, GAMES, 2, random, step)):  # Adam
            means[layer] += 0.1 * (gradient - means[layer])
            squares[layer] += 0.001 * (gradient**2 - squares[layer])
            size = np.sqrt(squares[layer] / (1 - 0.999**step)) + 1e-8
            network[layer] += (RATE * means[layer] / (1 - 0.9**step) / size).astype(np.float32)
    return network


def measure(network: list[Array], deals: int = 20_000, seed: int = 1) -> tuple[float, float]:
    """Return points a deal against random play, and the half-width of the 95 % interval."""
    env, random = TriptychVectorEnv(GAMES, "pineapple"), np.random.default_rng(seed)
    points: list[float] = []
    seen, info = env.reset(seed=seed)
    while len(points) < deals:
        *_, actions = act(network, seen, info["action_mask"] > 0, random)
        seen, rewards, done, _, info = env.step(actions)
        points += rewards[done].tolist()
    return float(np.mean(points)), float(1.96 * np.std(points) / np.sqrt(len(points)))


if __name__ == "__main__":
    learned = train(float(sys.argv[1]) if len(sys.argv) > 1 else 100)
    print("points a deal against random play: {:+.2f} ± {:.2f}".format(*measure(learned)))
