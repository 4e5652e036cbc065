"""What is shown as best is the best by the final measurement; what is not told apart is said to be so; issue 27.2."""

from __future__ import annotations

import json
from itertools import combinations
from math import hypot
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.solve.analysis.played import played_history
from triptych import _kernel
from triptych.cards import card_text, deck
from triptych.cli.main import app
from triptych.solve.analysis.analyse import Analysis, PlacementValue, SearchBudget, analyse, pairwise_loss
from triptych.solve.analysis.measurement import SIGNIFICANT_Z, Measurement
from triptych.solve.analysis.review import review

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOTHING = (0.0,) * (len(_kernel.SearchedPlacement._fields) - 7)
# So little sorting that it often prefers the wrong one.
HASTY = SearchBudget(max_error=5, max_slices=1, screening_rollouts=300, width=40)
POSITION = "*Kd/7s7h/AhAd +Qc4s9h | As/8c8d/TcJc"


def _first_street(seed: int) -> str:
    return f"*// +{''.join(map(card_text, Random(seed).sample(deck(), 5)))} | //"


def verify_best(answer: Analysis) -> None:
    """Fail where another row is above the first one, beyond what both are uncertain."""
    best = answer.placements[0]
    longest = best.rollouts
    for placement in answer.placements:
        assert placement.rollouts < longest or placement.value <= best.value
        assert placement.value - best.value <= 1.5 * hypot(placement.error, best.error) + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_no_row_stands_above_the_first(seed: int) -> None:
    """Before, the first was what the sorting preferred, however far its own numbers put it behind."""
    verify_best(analyse(_first_street(seed), "pineapple", HASTY, seed=seed))


def test_how_far_the_others_are_behind_is_measured_by_common_cards() -> None:
    """The error of a difference is below that of two values by themselves; `behind` finds the same with others."""
    budget = SearchBudget(max_error=1, screening_rollouts=2_000)
    answer = analyse(POSITION, budget=budget)
    best, second = answer.placements[:2]
    assert (best.behind, best.behind_error, best.within_error) == (0, 0, True)
    assert 0 < second.behind_error < hypot(best.error, second.error)
    assert second.behind == pytest.approx(best.value - second.value)
    again, unsure = pairwise_loss(POSITION, "pineapple", (best, second), budget)
    assert second.behind == pytest.approx(again, abs=4 * hypot(second.behind_error, unsure))
    for placement in answer.placements:
        assert placement.within_error == (placement.behind <= SIGNIFICANT_Z * placement.behind_error)
    ahead = [placement for placement in answer.placements if placement.rollouts == best.rollouts]
    assert answer.within_error == sum(placement.within_error for placement in ahead)


class _FixedSearch:
    """A search whose rollouts are given: the same for all placements, and what is between them."""

    def __init__(self, means: Sequence[float], seed: int) -> None:
        chance = np.random.default_rng(seed)
        common = chance.normal(0, 10, (20_000, 1))
        self.points = common + np.array(means) + chance.normal(0, 2, (20_000, len(means)))
        self.done = [[0, 0.0, 0.0] for _ in means]

    def table(self) -> list[_kernel.SearchedPlacement]:
        """Return rows as the kernel's."""
        rows: list[_kernel.SearchedPlacement] = []
        for count, total, squares in self.done:
            mean = total / max(1, count)
            error = (max(0.0, squares / max(1, count) - mean**2) / max(1, count - 1)) ** 0.5
            rows.append(_kernel.SearchedPlacement(b"", b"", b"", 0.0, int(count), mean, error, *_NOTHING))
        return rows

    def measure(self, _: int, each: int, seed: int, first: int, also: Sequence[int]) -> None:
        """Count the rollouts from `first` on."""
        assert seed == 7
        for at in also:
            points = self.points[first : first + each, at]
            measurement = self.done[at]
            self.done[at] = [measurement[0] + each, measurement[1] + points.sum(), measurement[2] + (points**2).sum()]


def _measurement(means: Sequence[float], measured: Sequence[int], seed: int = 1) -> tuple[Measurement, _FixedSearch]:
    search = _FixedSearch(means, seed)
    kernel: _kernel.Analysis = search  # type: ignore[assignment]
    return Measurement(kernel, measured, 7, 200), search


def test_gaps_and_their_errors_are_those_of_the_rollouts() -> None:
    measurement, search = _measurement([1, 1, 0.5, -3], [0, 1, 2])
    measurement.extend(2_000)
    for first, second in combinations(range(3), 2):
        gap = measurement.paired_loss(first, second)
        each = search.points[:2_200, first] - search.points[:2_200, second]
        assert gap.points == pytest.approx(each.mean())
        assert gap.error == pytest.approx(each.std() / 2_200**0.5, rel=0.6)
    assert measurement.paired_loss(0, 0).points == 0


def test_a_placement_missed_by_the_sorting_is_measured_to_the_end() -> None:
    """The last one is far the best, but not among those that the sorting put first."""
    measurement, search = _measurement([0, 0, 0, 30], [0, 1])
    assert measurement.measured == [0, 1, 3]
    measurement.extend(2_000)
    counts = [row[4] for row in search.table()]
    assert counts == [2_200, 2_200, 200, 2_200]


def test_a_late_one_gets_the_rollouts_that_the_others_had() -> None:
    """The best of those measured falls back only then: the late one is measured from the second batch on."""
    measurement, search = _measurement([40, 0, 5], [0, 1])
    search.points[200:, 0] -= 60
    measurement.extend(2_000)
    assert 2 in measurement.measured
    assert [row[4] for row in search.table()] == [2_200] * 3
    assert search.done[2][1] == pytest.approx(search.points[:2_200, 2].sum())


def test_the_command_says_what_is_within_the_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def row(front: str, value: float, *, close: bool) -> PlacementValue:
        parts = (0.0,) * 7
        return PlacementValue((front,), (), (), (), value, 0.1, 9, *parts, 2 - value, 0.1, close)

    rows = (row("As", 2, close=True), row("Ks", 1.9, close=True), row("Qs", 1, close=False))
    analysis = Analysis(POSITION, 0, 2, rows, exact=False, seed=1, within_error=2)
    monkeypatch.setattr("triptych.cli.analyse.iter_analyses", lambda *_, **__: iter((analysis,)))
    app(["analyse", POSITION], result_action="return_value")
    lines = capsys.readouterr().out.splitlines()
    assert ["≈" in line for line in lines if "·" in line] == [True, True, False]
    assert lines[-1] == "≈ 2 placements within the error: which of them is best is not known"
    app(["analyse", POSITION, "--json"], result_action="return_value")
    printed = json.loads(capsys.readouterr().out)
    assert printed["within_error"] == 2
    assert [placement["within_error"] for placement in printed["placements"]] == [True, True, False]
    assert [placement["behind"] for placement in printed["placements"]] == pytest.approx([0, 0.1, 1])


def test_equal_placements_of_an_exact_answer_have_the_same_value(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Rows that win or lose whatever is placed: all ways are worth the same."""
    done = "9s7d5h/8c8d3s2h4h/TcTdThJc6s"
    position = f"{done} | *QcQd/KsKhAc3d2d/AsAhJs5c +Jd4c5d"
    answer = analyse(position)
    same = [placement for placement in answer.placements if placement.value == answer.placements[0].value]
    assert answer.within_error == len(same) > 1
    app(["analyse", position], result_action="return_value")
    assert f"= {len(same)} placements are worth the same" in capsys.readouterr().out


def test_a_review_calls_nothing_better_that_its_last_measurement_puts_behind() -> None:
    history = played_history(("fast", "novice"), 1, seed=3)
    answer = review(history, SearchBudget(max_error=5, max_slices=1, screening_rollouts=100, width=10, top=2))
    for decision in answer.decisions:
        assert decision.behind >= 0 or decision.best == decision.chosen
        assert decision.within_error == (decision.behind <= max(SIGNIFICANT_Z * decision.error, 1e-6))
        assert decision.within_error or decision.lost > 0
