"""Save a training run in a file and resume it, with bit for bit the same weights as without the interruption.

A file is one line of JSON (the run and its progress), then a numpy archive of the learner's memory.
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
_ARRAY_PREFIXES = ("at", "bits")


class StateError(TriptychError):
    """The file of a run cannot be read (`run.file`), or is of another learner (`run.shape`)."""

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
    fantasyland_values: tuple[float, ...] = msgspec.field(name="land_value")
    strengths: tuple[int, ...]
    remembers: tuple[int, ...]  # the sizes of the memory's arrays
    history: list[Progress]
    method: str


def save(training: Training, file: Path) -> None:
    """Write a run that is between two slices; an existing file is replaced when the new one is complete."""
    memories = training.learner.memory()
    head = _Head(
        training.preset,
        training.spec,
        training.players,
        training.deals,
        training.seed,
        training.done,
        training.learner.played(),
        training.fantasyland_values,
        training.strengths,
        tuple(memory.size for memory in memories),
        training.history,
        training.method,
    )
    arrays: dict[str, NDArray[Any]] = {}
    for number, memory in enumerate(memories):
        bits = memory.view(np.uint32)
        indices = np.flatnonzero(bits).astype(np.uint32)
        arrays[f"at{number}"] = indices
        arrays[f"bits{number}"] = bits[indices]
    body = io.BytesIO()
    np.savez(body, allow_pickle=False, **arrays)
    new_file = file.with_name(file.name + ".new")
    new_file.write_bytes(msgspec.json.encode(head) + b"\n" + body.getvalue())
    new_file.replace(file)


def restore(file: Path) -> Training:
    """Return the run of a file. Raises StateError, RulesError, OSError."""
    head_line, _, archive = file.read_bytes().partition(b"\n")
    try:
        head = msgspec.json.decode(head_line, type=_Head)
        with np.load(io.BytesIO(archive)) as arrays:
            stored_arrays = {
                f"{prefix}{number}": arrays[f"{prefix}{number}"]
                for number in range(len(head.remembers))
                for prefix in _ARRAY_PREFIXES
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
    run.fantasyland_values, run.strengths, run.history = head.fantasyland_values, head.strengths, head.history
    run.learner = new_learner(
        rules, head.players, fantasyland_values=head.fantasyland_values, strengths=head.strengths, seed=head.seed
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
