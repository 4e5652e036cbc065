"""Learned weights as a file: half-precision numbers of the entries that were ever visited, packed by xz.

A file is one JSON line (what made it, and the figures of its play) and the packed table.
"""

from __future__ import annotations

import lzma
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from triptych import _kernel
from triptych.bots.learned.recipe import learner
from triptych.rules.load import resolve

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triptych.rules.model import Ruleset

SUFFIX = ".tw"


class WeightsError(ValueError):
    """A weights file that cannot be read (`weights.file`) or does not fit the rules (`weights.shape`)."""

    path = "$.weights"

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Figures(msgspec.Struct, frozen=True):
    """What the learner's greedy play did at the end of training: shares of boards, royalties a board."""

    foul: float
    fantasyland: float
    royalties: float


class Weights(msgspec.Struct, frozen=True):
    """Everything that made a player: rules, seed, deals, the fitted fantasyland values, row strengths, figures."""

    preset: str
    spec: dict[str, Any]
    players: int
    deals: int
    seed: int
    land_value: tuple[float, ...]
    strengths: tuple[int, ...]
    figures: Figures
    family: str


def family(rules: Ruleset) -> str:
    """Return what weights can be shared by: the streets, the pack, the rows' order of rank."""
    return f"{rules.deal.game}-{rules.deal.jokers}-{rules.rows.middle}"


def pack(weights: Weights, table: NDArray[np.float32]) -> bytes:
    """Return a weights file of a learner's table, shape (entries, width)."""
    small = table[:, : _kernel.OUTCOMES].astype(np.float16)
    visited = np.flatnonzero(small.any(axis=1)).astype(np.uint32)
    gaps = np.diff(visited, prepend=np.uint32(0)).astype(np.uint32)
    # Column by column, high bytes apart from low ones: neighbours are alike, so the packer finds more.
    columns = np.ascontiguousarray(small[visited].T).view(np.uint8).reshape(-1, 2)
    body = visited.size.to_bytes(4, "little") + gaps.tobytes() + columns[:, 1].tobytes() + columns[:, 0].tobytes()
    return msgspec.json.encode(weights) + b"\n" + lzma.compress(body, preset=6)


def unpack(data: bytes) -> tuple[Weights, NDArray[np.uint32], NDArray[np.float16]]:
    """Return what a weights file says: its head, the visited entries, their numbers (visited, outcomes).

    Raises WeightsError.
    """
    head, found, packed = data.partition(b"\n")
    try:
        weights = msgspec.json.decode(head, type=Weights)
        body = lzma.decompress(packed)
    except (msgspec.MsgspecError, lzma.LZMAError) as error:
        raise WeightsError("weights.file", f"this is not a weights file: {error}") from error
    count = int.from_bytes(body[:4], "little")
    size = count * _kernel.OUTCOMES
    if not found or len(body) != 4 + 4 * count + 2 * size:
        raise WeightsError("weights.file", "this weights file is cut short")
    entries = np.cumsum(np.frombuffer(body, np.uint32, count, 4), dtype=np.uint32)
    start = 4 + 4 * count
    columns = np.empty((size, 2), np.uint8)
    columns[:, 1] = np.frombuffer(body, np.uint8, size, start)
    columns[:, 0] = np.frombuffer(body, np.uint8, size, start + size)
    return weights, entries, columns.view(np.float16).reshape(_kernel.OUTCOMES, count).T


def load(rules: Ruleset, data: bytes) -> tuple[Weights, _kernel.Learner]:
    """Return a learner with a file's weights, choosing by the points of `rules`. Raises WeightsError."""
    weights, entries, values = unpack(data)
    if weights.family != family(rules):
        message = f"these weights were learned for {weights.family}, and {rules.name} is {family(rules)}"
        raise WeightsError("weights.shape", message)
    made = learner(rules, weights.players, land_value=weights.land_value, strengths=weights.strengths)
    table = made.table()
    if entries.size and int(entries[-1]) >= len(table):
        raise WeightsError("weights.shape", "these weights have more entries than the learner")
    table[entries, : _kernel.OUTCOMES] = values
    made.reweigh()
    return weights, made


def folder() -> Path:
    """Return where the package keeps its weights."""
    return Path(str(files("triptych.bots.learned"))) / "tables"


@lru_cache(maxsize=8)
def packaged(rules: Ruleset, variant: str = "") -> tuple[Weights, _kernel.Learner] | None:
    """Return the weights that come with the package for a ruleset: its own, else its family's; None without any.

    `variant`: `base` for the frozen one of MEASURES 2.
    """
    found = [path for path in sorted(folder().glob(f"*{SUFFIX}")) if _variant(path) == variant]
    fitting = [path for path in found if _head(path).family == family(rules)]
    own = [path for path in fitting if resolve(_head(path).spec) == rules or path.name.split(".")[0] == rules.name]
    for path in own or fitting:
        return load(rules, path.read_bytes())
    return None


def _variant(path: Path) -> str:
    return path.name.removesuffix(SUFFIX).partition(".")[2]


def _head(path: Path) -> Weights:
    with path.open("rb") as file:
        return msgspec.json.decode(file.readline(), type=Weights)
