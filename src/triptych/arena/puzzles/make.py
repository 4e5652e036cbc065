"""A collection of puzzles, deal by deal over processes; what there is already is gone on from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import msgspec

from triptych.arena.puzzles.find import (
    PuzzleSearch,
    engine_version,
    puzzles_in_deal,
    remeasure,
    verify_puzzle_search,
)
from triptych.parallel import Parallelism, Pool
from triptych.rulesets.load import resolve
from triptych.solve.puzzles.model import Puzzle


def generate_puzzles(
    hunt: PuzzleSearch,
    existing: Sequence[Puzzle] = (),
    spread: Parallelism = Parallelism(),  # noqa: B008 - it cannot change
) -> Iterator[tuple[Puzzle, ...]]:
    """Yield the new puzzles of one deal of self-play after the other, without end; none is one of `existing`.

    It begins behind the last deal of `existing` that has this seed. The same for any number of processes.
    Raises what `verify_hunt` raises, and JobsError.
    """
    verify_puzzle_search(hunt)
    ids = {puzzle.id for puzzle in existing}
    first = max((number + 1 for seed, number in (one.deal for one in existing) if seed == hunt.seed), default=0)
    packed = msgspec.json.encode(hunt)
    with Pool(spread) as pool:
        for deal in pool.map(_encoded_puzzles, ((packed, number) for number in count(first))):
            puzzles = msgspec.json.decode(deal, type=tuple[Puzzle, ...])
            yield tuple(puzzle for puzzle in puzzles if puzzle.id not in ids)
            ids.update(puzzle.id for puzzle in puzzles)


def _encoded_puzzles(hunt: bytes, number: int) -> bytes:
    """Return a deal's puzzles; plain bytes travel, so that every process reads them with its own classes."""
    return msgspec.json.encode(puzzles_in_deal(msgspec.json.decode(hunt, type=PuzzleSearch), number))


def stale_puzzles(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """Return the puzzles that another engine has measured, or one that is not known."""
    versions = {msgspec.json.encode(puzzle.rules): puzzle.rules for puzzle in puzzles}
    engines = {key: engine_version(resolve(spec)) for key, spec in versions.items()}
    return [puzzle for puzzle in puzzles if puzzle.engine != engines[msgspec.json.encode(puzzle.rules)]]


def remeasure_puzzles(
    puzzles: Sequence[Puzzle],
    min_margin: float,
    spread: Parallelism = Parallelism(),  # noqa: B008 - it cannot change
) -> Iterator[Puzzle | None]:
    """Yield each puzzle with its values of now, in order; None where its best placement is not surely ahead any more.

    Raises JobsError.
    """
    with Pool(spread) as pool:
        for line in pool.map(_remeasured, ((msgspec.json.encode(puzzle), min_margin) for puzzle in puzzles)):
            yield msgspec.json.decode(line, type=Puzzle | None)


def _remeasured(puzzle: bytes, min_margin: float) -> bytes:
    return msgspec.json.encode(remeasure(msgspec.json.decode(puzzle, type=Puzzle), min_margin))
