"""Review of a played deal: nothing is lost by the best placement, everything adds up (issue 5, part 4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from tests.solve.analysis.played import played_history
from triptych.cli.main import app
from triptych.notation.history.text import history_text
from triptych.solve.analysis.analyse import SearchBudget
from triptych.solve.analysis.review import review
from triptych.solve.errors import SolveError

if TYPE_CHECKING:
    from pathlib import Path

    from triptych.notation.history.model import Viewer

# Enough where the numbers have to add up, however roughly they are known.
COARSE = SearchBudget(max_error=5, max_slices=0, screening_rollouts=200, width=2)
FINE = pytest.param(SearchBudget(max_error=0.5, max_slices=3), marks=pytest.mark.slow, id="fine")
budgets = pytest.mark.parametrize("budget", [pytest.param(COARSE, id="coarse"), FINE])


@budgets
def test_a_review_counts_what_could_be_paid(budget: SearchBudget) -> None:
    """Rules §6: with four points in front of both nobody lost more than four, and as much again in fantasylands."""
    history = played_history(("fast", "random"), "all")
    short = review(replace(history, stacks=(4, 4)), budget)
    whole = review(history, budget)
    assert review(replace(history, stacks=(10**6, 10**6)), budget) == whole
    for one, two in zip(short.shares, whole.shares, strict=True):
        assert abs(one.result) <= 8
        assert abs(one.result) < abs(two.result)
        assert one.luck + one.skill == one.result
    assert all(decision.lost <= 16 for decision in short.decisions)


@budgets
def test_a_review_takes_the_result_apart(budget: SearchBudget) -> None:
    history = played_history(("fast", "random"), "all")
    answer = review(history, budget)
    assert len(answer.decisions) == 10
    assert answer.whole
    fast, rand = answer.shares
    assert fast.lost < rand.lost / 3, "who chooses at random gives more away"
    assert fast.result == pytest.approx(-rand.result)
    assert fast.luck == pytest.approx(-rand.luck)
    for share in answer.shares:
        assert share.luck + share.skill == share.result
    assert list(answer.dearest) == sorted(answer.decisions, key=lambda one: -one.lost)[:3]
    assert all(one.lost >= 0 for one in answer.decisions)
    assert answer == review(history, budget)


@budgets
def test_a_players_own_history_reviews_that_player(budget: SearchBudget) -> None:
    answer = review(played_history(("fast", "fast", "random"), 1), budget)
    assert {one.hand for one in answer.decisions} == {1}
    assert [one.skill for one in answer.shares] == pytest.approx([-one.lost for one in answer.shares], abs=1e-5)
    assert len(answer.decisions) == 5
    assert not answer.whole


@pytest.mark.parametrize(
    ("rules", "seen_by", "code"),
    [("pineapple", None, "review.spectator"), ("closed_basic", "all", "review.closed")],
)
def test_what_cannot_be_reviewed(rules: str, seen_by: Viewer, code: str) -> None:
    with pytest.raises(SolveError) as caught:
        review(played_history(("random", "random"), seen_by, rules=rules), COARSE)
    assert caught.value.code == code


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "deal.toml"
    file.write_text(history_text(played_history(("fast", "random"), 1)))
    assert app(["review", str(file), "--error", "2"], result_action="return_value") == 0
    printed = capsys.readouterr().out
    assert "the cards and the others" in printed
    assert "the same" in printed
    assert re.search(r" lost \d+\.\d\d: (own |opponents' )?(rows|royalties|fantasyland|fouls) [+-]\d", printed), (
        "no reason"
    )
    assert app(["review", str(tmp_path / "none.toml")], result_action="return_value") == 2
    assert "cannot read" in capsys.readouterr().err
