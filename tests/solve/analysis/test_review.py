"""Review of a played deal: nothing is lost by the best placement, everything adds up (issue 5, part 4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from tests.solve.analysis.played import played_history
from triptych.cards import card_text, parse_card
from triptych.cli.main import app
from triptych.notation.history.text import history_text
from triptych.solve.analysis.analyse import SearchBudget
from triptych.solve.analysis.review import ReviewedDecision, played_decisions, review
from triptych.solve.closed.settings import ALL_SETTINGS, ClosedSetting, solve_closed
from triptych.solve.errors import SolveError

if TYPE_CHECKING:
    from pathlib import Path


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
    for share, whole_share in zip(short.shares, whole.shares, strict=True):
        assert abs(share.result) <= 8
        assert abs(share.result) < abs(whole_share.result)
        assert share.luck + share.skill == share.result
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
    assert list(answer.dearest) == sorted(answer.decisions, key=lambda decision: -decision.lost)[:3]
    assert all(decision.lost >= 0 for decision in answer.decisions)
    assert answer == review(history, budget)


@budgets
def test_a_players_own_history_reviews_that_player(budget: SearchBudget) -> None:
    answer = review(played_history(("fast", "fast", "random"), 1), budget)
    assert {decision.hand for decision in answer.decisions} == {1}
    assert [share.skill for share in answer.shares] == pytest.approx(
        [-share.lost for share in answer.shares], abs=1e-5
    )
    assert len(answer.decisions) == 5
    assert not answer.whole


@pytest.mark.parametrize("rules", ["pineapple", "closed_basic"])
def test_histories_that_cannot_be_reviewed_are_refused(rules: str) -> None:
    with pytest.raises(SolveError) as caught:
        review(played_history(("random", "random"), None, rules=rules), COARSE)
    assert caught.value.code == "review.spectator"


@pytest.mark.parametrize("rules", ["closed_basic", pytest.param("thirteen_water", marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", [4, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5, 104))])
def test_closed_deals_are_compared_with_the_best_setting(rules: str, seed: int) -> None:
    """Issue 32, Shown by 3: as `solve_closed` has them, on 200 deals."""
    history = played_history(("random", "random"), "all", rules=rules, seed=seed)
    answer = review(history)
    assert answer.decisions, "nobody set a board"
    for reviewed, decision in zip(answer.decisions, played_decisions(history), strict=True):
        cards = [parse_card(text) for text in decision.position.hands[reviewed.hand].drawn]
        solution = solve_closed(cards, rules, opponents=1, top=ALL_SETTINGS)
        best, own = (
            solution.settings[0],
            next(each for each in solution.settings if row_texts(each) == played(reviewed)),
        )
        # Several settings can be worth the same to the last bit: 3c in front or 3d.
        equal = [row_texts(each) for each in solution.settings if each.value == best.value]
        assert tuple(sorted(row) for row in (reviewed.best.front, reviewed.best.middle, reviewed.best.back)) in equal
        assert (reviewed.best.value, reviewed.chosen.value) == (best.value, own.value)
        assert reviewed.lost == best.value - own.value >= 0
    for share in answer.shares:
        assert share.luck + share.skill == share.result


def row_texts(setting: ClosedSetting) -> tuple[list[str], ...]:
    return tuple(sorted(map(card_text, row)) for row in (setting.front, setting.middle, setting.back))


def played(decision: ReviewedDecision) -> tuple[list[str], ...]:
    chosen = decision.chosen
    return tuple(sorted(row) for row in (chosen.front, chosen.middle, chosen.back))


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
