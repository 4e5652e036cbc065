"""A training run as a file, so that another process can go on with it: the same weights, bit for bit, as in one go.

A file is one JSON line (what the run is and how far) and numpy's archive of all that the learner remembers.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import msgspec
import numpy as np
from numpy.typing import NDArray

from triptych.errors import TriptychError
from triptych.rulesets.load import resolve
from triptych.solve.value.points import new_learner
from triptych.train.selfplay import Progress, Training

SUFFIX = ".run"
_PARTS = ("at", "bits")


class StateError(TriptychError):
    """A file of a run that cannot be read (`run.file`) or is of another learner (`run.shape`)."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message, "$.resume")


class _Head(msgspec.Struct, frozen=True):
    preset: str
    spec: dict[str, Any]
    players: int
    deals: int
    seed: int
    done: int
    played: int
    land_value: tuple[float, ...]
    strengths: tuple[int, ...]
    remembers: tuple[int, ...]  # how many numbers in each part of the memory
    history: list[Progress]
    method: str


def save(training: Training, file: Path) -> None:
    """Write a run that stands between two slices; a file that is there is replaced only when all is written."""
    memories = training.learner.memory()
    head = _Head(
        training.preset,
        training.spec,
        training.players,
        training.deals,
        training.seed,
        training.done,
        training.learner.played(),
        training.land_value,
        training.strengths,
        tuple(memory.size for memory in memories),
        training.history,
        training.method,
    )
    arrays: dict[str, NDArray[Any]] = {}
    for number, memory in enumerate(memories):
        bits = memory.view(np.uint32)
        visited = np.flatnonzero(bits).astype(np.uint32)
        arrays[f"at{number}"] = visited
        arrays[f"bits{number}"] = bits[visited]
    body = io.BytesIO()
    np.savez(body, allow_pickle=False, **arrays)
    partly = file.with_name(file.name + ".new")
    partly.write_bytes(msgspec.json.encode(head) + b"\n" + body.getvalue())
    partly.replace(file)


def restore(file: Path) -> Training:
    """Return the run of a file. Raises StateError, RulesError, OSError."""
    first, _, packed = file.read_bytes().partition(b"\n")
    try:
        head = msgspec.json.decode(first, type=_Head)
        with np.load(io.BytesIO(packed)) as arrays:
            stored_arrays = {
                f"{part}{number}": arrays[f"{part}{number}"]
                for number in range(len(head.remembers))
                for part in _PARTS
            }
    except (msgspec.MsgspecError, ValueError, OSError, EOFError, KeyError, BadZipFile) as error:
        raise StateError("run.file", f"{file} is not a training run: {error}") from error
    rules = resolve(head.spec)
    run = Training(
        rules,
        players=head.players,
        deals=head.deals,
        seed=head.seed,
        preset=head.preset,
        spec=head.spec,
        method=head.method,
    )
    run.done = head.done
    run.land_value, run.strengths, run.history = head.land_value, head.strengths, head.history
    run.learner = new_learner(
        rules, head.players, land_value=head.land_value, strengths=head.strengths, seed=head.seed
    )
    memories = run.learner.memory()
    if head.remembers != tuple(memory.size for memory in memories):
        raise StateError("run.shape", f"{file} is of a learner that remembers other things")
    for number, memory in enumerate(memories):
        memory[:] = 0
        memory.view(np.uint32)[stored_arrays[f"at{number}"]] = stored_arrays[f"bits{number}"]
    run.learner.refresh_weights()
    run.learner.resume(head.played)
    return run
