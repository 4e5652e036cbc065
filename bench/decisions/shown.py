"""Whether analysis shows what it promises: intervals that cover the referee's values, and soon."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from msgspec import Struct

from bench.decisions.positions import PRESET
from bench.decisions.referee import analysis, placed
from bench.decisions.soon import Timing, timed
from triptych.cards import parse_card

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bench.decisions.referee import Verdict
    from triptych.solve.analysis.analyse import PlacementValue


class CheckedAnalysis(Struct, frozen=True):
    """One analysis: which of its intervals cover the referee's value (the best one's first), and what it took.

    `gaps`: how far off the shown values are, in standard errors of both together.
    """

    street: int
    gaps: tuple[float, ...]
    took: Timing


def answers(verdicts: Iterable[Verdict]) -> Iterator[CheckedAnalysis]:
    """Yield an analysis to a standard error of 0.1 of each position, held against the referee.

    Its own seed: the referee's samples are others. Placements that the referee dropped early are not compared.
    """
    for number, verdict in enumerate(verdicts):
        answer, took = timed(verdict.position, PRESET, 1_000_000 + number)
        texts = sorted(placed(row) for row in analysis(verdict.position).table())
        by_text = {texts[index]: (verdict.value[index], error) for index, error in verdict.error.items()}
        gaps = [
            _gap(placement, *by_text[text])
            for placement in answer.placements
            if (text := _text(placement)) in by_text and placement.rollouts > 0
        ]
        yield CheckedAnalysis(verdict.street, tuple(gaps), took)


def _text(placement: PlacementValue) -> tuple[str, str, str]:
    front, middle, back = (
        "".join(sorted(row, key=parse_card)) for row in (placement.front, placement.middle, placement.back)
    )
    return front, middle, back


def _gap(placement: PlacementValue, value: float, error: float) -> float:
    both = sqrt(placement.error**2 + error**2)
    return (placement.value - value) / both if both > 0 else 0.0
