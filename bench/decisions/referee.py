"""The referee: what every placement of the fixed positions is worth, by very many rollouts with the same cards.

Street 5 is exact. Else each placement gets rollouts of both players' learned choice with an exact end (street 4: all
own draws of each) until it is so many standard errors of its paired difference behind the best that it is out. The
file gets a line a position as it is done, so a stopped run goes on where it was. To this referee any unseen card may
still come: it knows no belief in discards (native/include/triptych/learn/belief.hpp), and so overrates the hopes of
both hands.
"""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np
from msgspec import Struct

from bench.decisions.positions import EACH, PRESET, Spot, weights_digest
from bench.learned import learned
from triptych.cards import Card, card_text
from triptych.notation.position import parse_position
from triptych.parallel import Parallelism, Pool
from triptych.rulesets.load import resolve
from triptych.solve.analysis.decision import Decision

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triptych import _kernel

FILE: Final = Path(__file__).with_name("referee.jsonl")
SEED: Final = 20_261_121
_FIRST: Final = 400  # rollouts of every placement; then twice as many, and so on
COUNTED: Final = 5  # on street 4 one rollout costs about so many: it counts all own draws
COUNTED_STREET: Final = 4
_SLICE: Final = 5_000


class Head(Struct, frozen=True):
    """How a file was made. `weights`: a digest of what the referee's players have learned."""

    preset: str
    weights: str
    land_value: float
    rollouts: int
    drop: float
    seed: int


class Verdict(Struct, frozen=True):
    """What a position's placements are worth, in the order of their texts; `rollouts` of those that stayed.

    `value`: points. `behind`: standard error of how far each is behind the best. `error`: standard error of the value
    itself, of those that stayed to the end, by their number.
    """

    position: str
    street: int
    rollouts: int
    value: tuple[float, ...]
    behind: tuple[float, ...]
    error: dict[int, float]


Placed = tuple[str, str, str]


def head(rollouts: int, drop: float) -> Head:
    """Return the head of a file that would be made now."""
    weights, _ = learned(PRESET)
    return Head(PRESET, weights_digest(), round(weights.fantasyland_values[14], 4), rollouts, drop, SEED)


def load(file: Path = FILE) -> tuple[Head, dict[str, Verdict]]:
    """Return a file's head and what it says of each position; a line that was cut off is left out."""
    first, *lines = file.read_bytes().splitlines(keepends=True)
    whole = (line for line in lines if line.endswith(b"\n"))
    verdicts = (msgspec.json.decode(line, type=Verdict) for line in whole)
    return msgspec.json.decode(first, type=Head), {verdict.position: verdict for verdict in verdicts}


def fill(file: Path, expected: Head, spots: Sequence[Spot], jobs: int) -> Iterator[tuple[int, int]]:
    """Judge the positions that the file does not have yet, street about; yields how many it has, and of how many."""
    spots = sorted(spots, key=lambda spot: spot.number % EACH)
    done: dict[str, Verdict] = {}
    if file.exists():
        stored_head, done = load(file)
        if stored_head != expected:
            raise SystemExit(
                f"{file} was made otherwise: {stored_head}; now {expected}. Move it away to begin again."
            )
    keep = [done[spot.text] for spot in spots if spot.text in done]
    lines = [msgspec.json.encode(line) + b"\n" for line in (expected, *keep)]
    file.write_bytes(b"".join(lines))  # without a line that was cut off
    left = [spot for spot in spots if spot.text not in done]
    yield len(keep), len(spots)
    with file.open("ab") as out, Pool(Parallelism(jobs)) as pool:
        for count, verdict in enumerate(pool.map(judge, ((expected, spot) for spot in left)), len(keep) + 1):
            out.write(msgspec.json.encode(verdict) + b"\n")
            out.flush()
            yield count, len(spots)


def judge(settings: Head, spot: Spot) -> Verdict:
    """Return the verdict on a position; it depends on the head and the position alone."""
    search = analysis(spot.text)
    if search.exact():
        search.run(1, 1, 1)
        rows = sorted((placed(row), row[5]) for row in search.table())
        none = (0.0,) * len(rows)
        return Verdict(
            spot.text, spot.street, 0, tuple(round(value, 4) for _, value in rows), none, dict(enumerate(none))
        )
    texts = [placed(row) for row in search.table()]
    most = settings.rollouts // COUNTED if spot.street == COUNTED_STREET else settings.rollouts
    race = Race(len(texts))
    race.run(search, most, settings.drop, settings.seed + spot.number)
    value, error = race.values(), race.errors()
    order = sorted(range(len(texts)), key=lambda index: texts[index])
    return Verdict(
        spot.text,
        spot.street,
        race.done,
        tuple(round(value[index], 3) for index in order),
        tuple(round(race.behind[index], 3) for index in order),
        {place: round(error[index], 4) for place, index in enumerate(order) if index in error},
    )


class Race:
    """Rollouts of placements with common random numbers; one that is clearly behind gets no more."""

    def __init__(self, count: int) -> None:
        self.done = 0
        self.alive = list(range(count))
        self.behind = [0.0] * count  # standard error of the difference to the best
        self._sums = np.zeros(count)
        self._products = np.zeros((count, count))
        self._dropped: list[tuple[int, int, float]] = []  # who, behind whom, by how much on the rollouts of both

    def run(self, search: _kernel.Analysis, most: int, drop: float, seed: int) -> None:
        """Give `most` rollouts to the best; one that is `drop` standard errors behind it gets no more."""
        while self.done < most:
            until = min(most, 2 * self.done or _FIRST)
            while self.done < until:
                each = min(_SLICE, until - self.done)
                points = search.sample_points(self.alive, each, seed, self.done).astype(np.float64)
                self._sums[self.alive] += points.sum(axis=0)
                self._products[np.ix_(self.alive, self.alive)] += points.T @ points
                self.done += each
            self._drop(drop)

    def _drop(self, drop: float) -> None:
        best = max(self.alive, key=lambda index: self._sums[index])
        stay = []
        for index in self.alive:
            gap = float(self._sums[best] - self._sums[index]) / self.done
            own, other, both = (self._products[pair] for pair in ((best, best), (index, index), (best, index)))
            square = float(own + other - 2 * both) / self.done
            self.behind[index] = sqrt(max(0.0, square - gap * gap) / (self.done - 1))
            if gap > drop * self.behind[index]:
                self._dropped.append((index, best, gap))
            else:
                stay.append(index)
        self.alive = stay

    def values(self) -> dict[int, float]:
        """Return points of every placement; of one that is out by its distance to the best of that moment."""
        means = {index: float(self._sums[index]) / self.done for index in self.alive}
        for index, best, gap in reversed(self._dropped):
            means[index] = means[best] - gap
        return means

    def errors(self) -> dict[int, float]:
        """Return the standard errors of the points of those that stayed."""
        spread = {index: float(self._products[index, index]) / self.done for index in self.alive}
        means = {index: float(self._sums[index]) / self.done for index in self.alive}
        return {index: sqrt(max(0.0, spread[index] - means[index] ** 2) / (self.done - 1)) for index in self.alive}


def analysis(text: str) -> _kernel.Analysis:
    """Return the kernel's search at a position, not run yet."""
    weights, learner = learned(PRESET)
    position = parse_position(text)
    return Decision.from_position(resolve(PRESET), position, position.acting[0]).analysis(
        learner, weights.fantasyland_values, believing=False
    )


def placed(row: Sequence[object]) -> Placed:
    """Return a placement as text, front, middle, back; cards within a row in order."""
    front, middle, back = (
        "".join(card_text(Card(card)) for card in sorted(cards)) for cards in row[:3] if isinstance(cards, bytes)
    )
    return front, middle, back
