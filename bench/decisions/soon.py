"""How soon analysis answers: CPU time to a standard error of 0.1, by preset, players and street."""

from __future__ import annotations

from time import process_time, thread_time
from typing import TYPE_CHECKING

from msgspec import Struct

from bench.decisions.positions import spot
from triptych.rulesets.load import resolve
from triptych.rulesets.model import streets
from triptych.solve.analysis.analyse import SearchBudget, analyse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triptych.notation.position import Position
    from triptych.solve.analysis.analyse import Analysis

BUDGET = SearchBudget(max_error=0.1)
PLAYERS = (2, 3)


class Timing(Struct, frozen=True):
    """What an analysis took: CPU seconds in all, and those of the thread that waits: two cores need as long.

    `error`: the largest standard error of the placements that are measured to the end.
    """

    error: float
    seconds: float
    waited: float


def timed(position: Position | str, preset: str, seed: int) -> tuple[Analysis, Timing]:
    """Return an analysis to a standard error of 0.1, and what it took."""
    began, waiting = process_time(), thread_time()
    answer = analyse(position, preset, BUDGET, seed=seed)
    seconds, waited = process_time() - began, thread_time() - waiting
    most = max(placement.rollouts for placement in answer.placements)
    error = max(placement.error for placement in answer.placements if placement.rollouts == most)
    return answer, Timing(error, seconds, waited)


def soon(preset: str, chosen: Sequence[int], each: int) -> Iterator[tuple[int, int, list[Timing]]]:
    """Yield players, street, and what analyses of so many positions took; streets from 1, without `chosen` all."""
    every = range(1, len(streets(resolve(preset))) + 1)
    timed(spot(preset, 2, 1, "first"), preset, 1)  # the weights are loaded once a process
    for players in PLAYERS:
        for street in chosen or every:
            spots = [spot(preset, players, street, f"soon/{index}") for index in range(each)]
            yield players, street, [timed(position, preset, number)[1] for number, position in enumerate(spots)]
