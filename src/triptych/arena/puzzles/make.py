"""Generate a collection of puzzles, deal by deal over processes, and extend an existing one."""

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
    puzzle_search: PuzzleSearch,
    existing: Sequence[Puzzle] = (),
    spread: Parallelism = Parallelism(),  # noqa: B008 - it cannot change
) -> Iterator[tuple[Puzzle, ...]]:
    """Yield the new puzzles of one deal of self-play after another, without end; none is one of `existing`.

    It begins after the last deal in `existing` with this seed. Results do not depend on the number of processes.
    Raises as `verify_puzzle_search`, and JobsError.
    """
    verify_puzzle_search(puzzle_search)
    ids = {puzzle.id for puzzle in existing}
    first = max(
        (number + 1 for seed, number in (puzzle.deal for puzzle in existing) if seed == puzzle_search.seed), default=0
    )
    search_json = msgspec.json.encode(puzzle_search)
    with Pool(spread) as pool:
        for deal in pool.map(_encoded_puzzles, ((search_json, number) for number in count(first))):
            puzzles = msgspec.json.decode(deal, type=tuple[Puzzle, ...])
            yield tuple(puzzle for puzzle in puzzles if puzzle.id not in ids)
            ids.update(puzzle.id for puzzle in puzzles)


def _encoded_puzzles(search_json: bytes, number: int) -> bytes:
    """Return a deal's puzzles as JSON, which every process decodes with its own classes."""
    return msgspec.json.encode(puzzles_in_deal(msgspec.json.decode(search_json, type=PuzzleSearch), number))


def stale_puzzles(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """Return the puzzles that another or an unknown engine has measured."""
    versions = {msgspec.json.encode(puzzle.rules): puzzle.rules for puzzle in puzzles}
    engines = {key: engine_version(resolve(spec)) for key, spec in versions.items()}
    return [puzzle for puzzle in puzzles if puzzle.engine != engines[msgspec.json.encode(puzzle.rules)]]


def remeasure_puzzles(
    puzzles: Sequence[Puzzle],
    min_margin: float,
    spread: Parallelism = Parallelism(),  # noqa: B008 - it cannot change
) -> Iterator[Puzzle | None]:
    """Yield each puzzle with new values, in order; None where its best placement no longer leads for certain.

    Raises JobsError.
    """
    with Pool(spread) as pool:
        for line in pool.map(_remeasured, ((msgspec.json.encode(puzzle), min_margin) for puzzle in puzzles)):
            yield msgspec.json.decode(line, type=Puzzle | None)


def _remeasured(puzzle: bytes, min_margin: float) -> bytes:
    return msgspec.json.encode(remeasure(msgspec.json.decode(puzzle, type=Puzzle), min_margin))
