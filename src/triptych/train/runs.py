"""Several trainings at once: a request and a result for each, in any process or on any machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import fmean
from typing import Any, Final

import msgspec
from msgspec import Struct

from triptych.parallel import Parallelism, Pool
from triptych.rulesets.load import resolve
from triptych.svg_plots import Curve, document, lines
from triptych.train.selfplay import Progress, Training


class TrainingRequest(Struct, frozen=True):
    """One training: `spec` is resolved where it runs."""

    preset: str
    spec: dict[str, Any]
    players: int
    deals: int
    seed: int
    method: str = "draws"

    def start(self) -> Training:
        """Return the training before its first deal. Raises RulesError."""
        return Training(
            resolve(self.spec),
            players=self.players,
            deals=self.deals,
            seed=self.seed,
            preset=self.preset,
            spec=self.spec,
            method=self.method,
        )


class TrainingResult(Struct, frozen=True):
    """The result of a training: the weights file, a plot of its progress, and the last progress."""

    request: TrainingRequest
    weights: bytes
    picture: str
    last: Progress


def training_result(run: Training) -> TrainingResult:
    """Return the result of a training so far."""
    request = TrainingRequest(run.preset, run.spec, run.players, run.deals, run.seed, run.method)
    title = f"{run.preset}: {run.done:,} deals, seed {run.seed}"
    return TrainingResult(request, run.result(), plot(run.history, title), run.history[-1])


def train_all(requests: Sequence[TrainingRequest], parallelism: Parallelism) -> Iterator[TrainingResult]:
    """Yield the result of each training, in the order of the requests. Raises RulesError and JobsError at once."""
    for request in requests:
        request.start()
    with Pool(parallelism) as pool:
        packed = ((msgspec.json.encode(request),) for request in requests)
        for packed_result in pool.map(_train, packed):
            yield msgspec.msgpack.decode(packed_result, type=TrainingResult)


def _train(packed: bytes) -> bytes:
    """Execute one training. Requests and results are bytes, so that each process decodes them with its classes."""
    run = msgspec.json.decode(packed, type=TrainingRequest).start()
    run.run()
    return msgspec.msgpack.encode(training_result(run))


_MAX_POINTS: Final = 150


def plot(history: Sequence[Progress], title: str) -> str:
    """Return an SVG document; each point is a mean over some slices, with a band from the lowest to the highest."""
    size = max(1, -(-len(history) // _MAX_POINTS))
    groups = [history[start : start + size] for start in range(0, len(history), size)]
    deals = [group[-1].done / 1000 for group in groups]

    def curve(label: str, value: Callable[[Progress], float]) -> Curve:
        values = [[value(progress) for progress in group] for group in groups]
        return Curve(label, deals, [*map(fmean, values)], [*map(min, values)], [*map(max, values)])

    shares = [
        curve("foul", lambda progress: 100 * progress.foul),
        curve("fantasyland", lambda progress: 100 * progress.fantasyland),
    ]
    royalties = [curve("royalties", lambda progress: progress.royalties)]
    panels = [("Per cent of boards", shares), ("Royalties a board", royalties)]
    if sizes := [size for size, value in enumerate(history[-1].fantasyland_values) if value]:
        values = [curve(f"{size} cards", partial(_fantasyland_value, size)) for size in sizes]
        panels.append(("Points that a fantasyland is worth", values))
    return document(
        title,
        [(name, [curve.label for curve in curves], lines(name, curves, "thousand deals")) for name, curves in panels],
    )


def _fantasyland_value(size: int, progress: Progress) -> float:
    return progress.fantasyland_values[size]
