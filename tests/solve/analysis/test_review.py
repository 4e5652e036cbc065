"""Review of a played deal: nothing is lost by the best placement, everything adds up (issue 5, part 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from tests.deal.play import seats_for, shuffled
from triptych.bots.levels import level
from triptych.cli.main import app
from triptych.deal.engine import acting, decide, evolve, finished, start
from triptych.deal.view import view
from triptych.notation.history.model import History, record
from triptych.notation.history.text import history_text
from triptych.rules.load import resolve
from triptych.solve.analysis.analyse import Budget
from triptych.solve.analysis.review import review
from triptych.solve.errors import SolveError

if TYPE_CHECKING:
    from pathlib import Path

    from triptych.deal.events import DealEvent
    from triptych.deal.state import DealState
    from triptych.notation.history.model import Viewer

QUICK = Budget(error=0.5, slices=3)


def _history(names: tuple[str, ...], seen_by: Viewer, seed: int = 4, rules: str = "pineapple") -> History:
    ruleset = resolve(rules)
    bots = [level(name).factory(seed) for name in names]
    state: DealState | None = None
    told: list[DealEvent] = []
    new = start(ruleset, 1, seats_for(ruleset, len(bots)), shuffled(ruleset, seed))
    while True:
        for event in new:
            state = evolve(state, event)
        told += new
        assert state is not None
        if finished(state):
            break
        hand = acting(state)[0]
        seen = view(state, state.hands[hand].seat)
        task = next(task for task in seen.tasks if task.hand == hand)
        new = decide(state, bots[hand].choose(ruleset, seen, task))
    return record([(at, event) for at, event in enumerate(told)], seen_by, names)


def test_a_review_counts_what_could_be_paid() -> None:
    """LAW 6: with four points in front of both nobody lost more than four, and as much again in fantasylands."""
    history = _history(("fast", "random"), "all")
    short = review(replace(history, stacks=(4, 4)), QUICK)
    whole = review(history, QUICK)
    assert review(replace(history, stacks=(10**6, 10**6)), QUICK) == whole
    for one, two in zip(short.shares, whole.shares, strict=True):
        assert abs(one.result) <= 8
        assert abs(one.result) < abs(two.result)
        assert one.result == pytest.approx(one.luck - one.lost + one.given)
    assert all(decision.lost <= 16 for decision in short.decisions)


def test_a_review_takes_the_result_apart() -> None:
    history = _history(("fast", "random"), "all")
    answer = review(history, QUICK)
    assert len(answer.decisions) == 10
    assert answer.whole
    fast, rand = answer.shares
    assert fast.lost < rand.lost / 3, "who chooses at random gives more away"
    assert fast.result == pytest.approx(-rand.result)
    assert fast.luck == pytest.approx(-rand.luck)
    for share in answer.shares:
        assert share.result == pytest.approx(share.luck - share.lost + share.given)
    assert list(answer.dearest) == sorted(answer.decisions, key=lambda one: -one.lost)[:3]
    assert all(one.lost >= 0 for one in answer.decisions)
    assert answer == review(history, QUICK)


def test_a_players_own_history_reviews_that_player() -> None:
    answer = review(_history(("fast", "fast", "random"), 1), QUICK)
    assert {one.hand for one in answer.decisions} == {1}
    assert len(answer.decisions) == 5
    assert not answer.whole


@pytest.mark.parametrize(
    ("rules", "seen_by", "code"),
    [("pineapple", None, "review.spectator"), ("closed_basic", "all", "review.closed")],
)
def test_what_cannot_be_reviewed(rules: str, seen_by: Viewer, code: str) -> None:
    with pytest.raises(SolveError) as caught:
        review(_history(("random", "random"), seen_by, rules=rules), QUICK)
    assert caught.value.code == code


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "deal.toml"
    file.write_text(history_text(_history(("fast", "random"), "all")))
    assert app(["review", str(file), "--error", "2"], result_action="return_value") == 0
    printed = capsys.readouterr().out
    assert "luck" in printed
    assert "the same" in printed
    assert app(["review", str(tmp_path / "none.toml")], result_action="return_value") == 2
    assert "cannot read" in capsys.readouterr().err
