"""Weights files: the visited entries of a learner's table as small integers, compressed by xz.

A file is one JSON line (how it was trained, and figures of its play) and the compressed table.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from triptych import _kernel
from triptych.errors import TriptychError
from triptych.rulesets.model import Ruleset
from triptych.solve.errors import SolveError
from triptych.solve.value.points import can_learn, fill_missing_values, new_learner

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


SUFFIX = ".tw"
TEMPERATURE = "temperature.json"
CORRECTIONS_FILE = "answers.json"
GROUP = "triptych.weights"  # of entry points
Correction: TypeAlias = tuple[float, float, float, float]  # of rows, royalties, fouls, fantasylands
T = TypeVar("T")
_STEP = 0.015  # points: the rounding of an entry's outcome; a finer one would only store sampling noise
_MAX_FILE_BYTES = 5_000_000  # bytes of a file; a larger one is rounded twice as coarsely until it fits
_XZ_PRESET = 6  # of xz, 0 to 9
_MIN_STEP = 1e-4  # the rounding of an outcome without points in these rules


class WeightsError(TriptychError):
    """Weights not installed (`weights.none`), not readable (`weights.file`), for other rules (`weights.shape`)."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message, "$.weights")


class TrainingStats(msgspec.Struct, frozen=True):
    """Statistics of the learner's greedy play at the end of training: shares of boards, royalties a board."""

    foul: float
    fantasyland: float
    royalties: float


class Weights(msgspec.Struct, frozen=True):
    """The header of a weights file: rules, seed, deals, fitted fantasyland values, row strengths, figures."""

    preset: str
    spec: dict[str, Any]
    players: int
    deals: int
    seed: int
    fantasyland_values: tuple[float, ...] = msgspec.field(name="land_value")
    strengths: tuple[int, ...]
    figures: TrainingStats
    family: str


def family_key(rules: Ruleset) -> str:
    """Return the key of rules that can share weights: the game, the jokers, the kind of middle."""
    return f"{rules.deal.game}-{rules.deal.jokers}-{rules.rows.middle}"


def pack(weights: Weights, table: NDArray[np.float32], points: Sequence[float]) -> bytes:
    """Return a weights file of a learner's table, shape (entries, width).

    `points`: the value of each outcome, by which it is rounded to hundredths of a point.
    """
    step = _STEP
    while len(file := _packed(weights, table, points, step)) > _MAX_FILE_BYTES:
        step *= 2
    return file


def _packed(weights: Weights, table: NDArray[np.float32], points: Sequence[float], step: float) -> bytes:
    import numpy as np  # noqa: PLC0415 - heavy, and a server that reads only headers does not need it

    values = table[:, : _kernel.OUTCOMES]
    point_values = np.abs(np.array(points, np.float32))
    steps = np.where(point_values > 0, step / np.where(point_values > 0, point_values, 1), _MIN_STEP).astype(
        np.float32
    )
    steps = np.maximum(steps, np.abs(values).max(axis=0) / np.iinfo(np.int16).max)
    rounded = np.rint(values / steps).astype(np.int16)
    visited = np.flatnonzero(rounded.any(axis=1)).astype(np.uint32)
    gaps = np.diff(visited, prepend=np.uint32(0)).astype(np.uint32)
    # Column by column: neighbours are similar, which compresses better.
    body = visited.size.to_bytes(4, "little") + steps.tobytes() + gaps.tobytes() + rounded[visited].T.tobytes()
    return msgspec.json.encode(weights) + b"\n" + lzma.compress(body, preset=_XZ_PRESET)


def unpack(data: bytes) -> tuple[Weights, NDArray[np.uint32], NDArray[np.float32]]:
    """Return a weights file's header, the visited entries, and their values (visited, outcomes).

    Raises WeightsError.
    """
    import numpy as np  # noqa: PLC0415 - as above

    weights, body = _head(data), _cached_table(data)
    width = _kernel.OUTCOMES
    count = int.from_bytes(body[:4], "little")
    start = 4 + 4 * width
    steps = np.frombuffer(body, np.float32, width, 4)
    entries = np.cumsum(np.frombuffer(body, np.uint32, count, start), dtype=np.uint32)
    rounded = np.frombuffer(body, np.int16, count * width, start + 4 * count).reshape(width, count).T
    return weights, entries, (rounded * steps).astype(np.float32)


def raw_table(data: bytes) -> bytes:
    """Return a weights file's table: the number of visited entries, the steps, gaps between entries, rounded values.

    Raises WeightsError.
    """
    _, _, compressed = data.partition(b"\n")
    try:
        body = lzma.decompress(compressed)
    except lzma.LZMAError as error:
        raise WeightsError("weights.file", f"this is not a weights file: {error}") from error
    width = _kernel.OUTCOMES
    if len(body) != 4 + 4 * width + (4 + 2 * width) * int.from_bytes(body[:4], "little"):
        raise WeightsError("weights.file", "this weights file is cut short")
    return body


# House rules of one game share a file, and to decompress it takes 0.3 s.
_cached_table = lru_cache(maxsize=4)(raw_table)


def read_header(rules: Ruleset, data: bytes) -> Weights:
    """Return the header of a weights file, with guesses for fantasylands of `rules` that it lacks.

    Raises WeightsError when it was learned for other games.
    """
    weights = _head(data)
    if weights.family != family_key(rules):
        message = f"these weights were learned for {weights.family}, and {rules.name} is {family_key(rules)}"
        raise WeightsError("weights.shape", message)
    return replace(weights, fantasyland_values=fill_missing_values(rules, weights.fantasyland_values))


def load(rules: Ruleset, data: bytes) -> tuple[Weights, _kernel.Learner]:
    """Return a learner with a file's weights, choosing by the points of `rules`. Raises WeightsError.

    Fantasylands of these rules that the file lacks have guessed values.
    """
    _, entries, values = unpack(data)
    weights = read_header(rules, data)
    learner = new_learner(
        rules, weights.players, fantasyland_values=weights.fantasyland_values, strengths=weights.strengths
    )
    table = learner.table()
    if entries.size and int(entries[-1]) >= len(table):
        raise WeightsError("weights.shape", "these weights have more entries than the learner")
    table[entries, : _kernel.OUTCOMES] = values
    learner.refresh_weights()
    learner.set_temperature(temperatures().get(weights.preset, ()))
    learner.set_first_answers(first_street_corrections().get(weights.preset, ()))
    return weights, learner


@lru_cache(maxsize=1)
def temperatures() -> dict[str, tuple[float, ...]]:
    """Return by preset and street the softmax temperatures of beliefs, in points; fitted by `bench.belief`."""
    return _read_by_preset(TEMPERATURE, tuple[float, ...])


@lru_cache(maxsize=1)
def first_street_corrections() -> dict[str, tuple[Correction, ...]]:
    """Return by preset the best-response corrections of a first street's points; made by `bench.answers`.

    For two hands; for three with one or two still to respond; for four with one to three.
    """
    return _read_by_preset(CORRECTIONS_FILE, tuple[Correction, ...])


def _read_by_preset(name: str, kind: type[T]) -> dict[str, T]:
    """Return the merged contents by preset of all installed files with a name."""
    decoder = msgspec.json.Decoder(dict[str, kind])  # type: ignore[valid-type]
    documents = (decoder.decode(file.read_bytes()) for file in installed_files() if file.name == name)
    return {preset: item for presets in documents for preset, item in presets.items()}


@lru_cache(maxsize=8)
def packaged(rules: Ruleset, variant: str = "") -> tuple[Weights, _kernel.Learner] | None:
    """Return the weights that are installed for a ruleset: its own, else its family's; None without any.

    `variant`: `base` is the frozen baseline. Raises WeightsError; `weights.none`: none installed.
    """
    file = packaged_file(rules, variant)
    return None if file is None else load(rules, file)


def packaged_file(rules: Ruleset, variant: str = "") -> bytes | None:
    """Return the file of `packaged`. Raises WeightsError `weights.none`."""
    heads = _heads()
    if not heads:  # else the levels would be far weaker without a message
        message = "the learned weights are a package of their own: pip install triptych-weights"
        raise WeightsError("weights.none", message)
    names = [
        (file, file.name.removesuffix(SUFFIX).partition("."))
        for file, head in heads
        if head.family == family_key(rules)
    ]
    candidates = [(file, name) for file, (name, _, kind) in names if kind == variant]
    best_file = next(
        (file for file, name in candidates if name == rules.name), candidates[0][0] if candidates else None
    )
    return None if best_file is None else best_file.read_bytes()


@lru_cache(maxsize=1)
def _heads() -> tuple[tuple[Traversable, Weights], ...]:
    """Return all installed weights files in the order of their names, with their headers."""
    files = sorted((file for file in installed_files() if file.name.endswith(SUFFIX)), key=lambda file: file.name)
    return tuple((file, _head(_first_line(file))) for file in files)


def _first_line(file: Traversable) -> bytes:
    with file.open("rb") as stream:
        return stream.readline()


@lru_cache(maxsize=1)
def installed_files() -> tuple[Traversable, ...]:
    """Return the files of all packages with weights: those of the entry points `triptych.weights`."""
    return tuple(file for point in entry_points(group=GROUP) for file in files(point.module).iterdir())


def _head(data: bytes) -> Weights:
    try:
        return msgspec.json.decode(data.partition(b"\n")[0], type=Weights)
    except msgspec.MsgspecError as error:
        raise WeightsError("weights.file", f"this is not a weights file: {error}") from error


def require_weights(rules: Ruleset, path: str = "$.rules", advice: str = "") -> tuple[Weights, _kernel.Learner]:
    """Return the installed weights for a ruleset, and the learner with them.

    Raises SolveError `value.none` at `path`, which ends with `advice`, and WeightsError.
    """
    weights = packaged(rules) if can_learn(rules) else None
    if weights is None:
        raise SolveError("value.none", f"nothing has been learned for {rules.name}{advice}", path)
    return weights
