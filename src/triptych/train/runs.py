"""Several trainings at once: a request for each, whatever process or machine plays it, and what it brought."""

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
        """Return the training, nothing played yet. Raises RulesError."""
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
    """What a training brought: the weights file, its picture, the last progress."""

    request: TrainingRequest
    weights: bytes
    picture: str
    last: Progress


def training_result(run: Training) -> TrainingResult:
    """Return what a training has brought so far."""
    request = TrainingRequest(run.preset, run.spec, run.players, run.deals, run.seed, run.method)
    title = f"{run.preset}: {run.done:,} deals, seed {run.seed}"
    return TrainingResult(request, run.result(), plot(run.history, title), run.history[-1])


def train_all(requests: Sequence[TrainingRequest], spread: Parallelism) -> Iterator[TrainingResult]:
    """Yield what each training brought, in the order of the requests. Raises RulesError and JobsError at once."""
    for request in requests:
        request.start()
    with Pool(spread) as pool:
        packed = ((msgspec.json.encode(request),) for request in requests)
        for packed_result in pool.map(_train, packed):
            yield msgspec.msgpack.decode(packed_result, type=TrainingResult)


def _train(packed: bytes) -> bytes:
    """Play one training; plain bytes travel, so that every process reads them with its own classes."""
    run = msgspec.json.decode(packed, type=TrainingRequest).start()
    run.run()
    return msgspec.msgpack.encode(training_result(run))


_MAX_POINTS: Final = 150


def plot(history: Sequence[Progress], title: str) -> str:
    """Return an SVG document; each point is a mean over a stretch of deals, its band the lowest and highest slice."""
    size = max(1, -(-len(history) // _MAX_POINTS))
    stretches = [history[start : start + size] for start in range(0, len(history), size)]
    deals = [stretch[-1].done / 1000 for stretch in stretches]

    def curve(label: str, value: Callable[[Progress], float]) -> Curve:
        values = [[value(one) for one in stretch] for stretch in stretches]
        return Curve(label, deals, [*map(fmean, values)], [*map(min, values)], [*map(max, values)])

    shares = [curve("foul", lambda one: 100 * one.foul), curve("fantasyland", lambda one: 100 * one.fantasyland)]
    panels = [("Per cent of boards", shares), ("Royalties a board", [curve("royalties", lambda one: one.royalties)])]
    if sizes := [size for size, value in enumerate(history[-1].land_value) if value]:
        worth = [curve(f"{size} cards", partial(_fantasyland_value, size)) for size in sizes]
        panels.append(("Points that a fantasyland is worth", worth))
    return document(
        title, [(name, [one.label for one in some], lines(name, some, "thousand deals")) for name, some in panels]
    )


def _fantasyland_value(size: int, progress: Progress) -> float:
    return progress.land_value[size]
