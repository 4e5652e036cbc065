"""A deal that the client reviews has the numbers of `triptych review`, with the same seed; issue 14, part 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import astuple, replace

from tests.solve.analysis.played import played_history
from tests.web_kernel.positions import OpenPosition
from tests.web_kernel.test_client import run_client
from triptych.board import Layout
from triptych.cards import Card, card_text
from triptych.notation.history.model import History
from triptych.notation.history.read import parse_history
from triptych.solve.analysis.analyse import SearchBudget, same_placement
from triptych.solve.analysis.decision import Decision
from triptych.solve.analysis.review import ReviewedDecision as Reviewed
from triptych.solve.analysis.review import played_decisions, review_decision, stacks_from_history
from triptych.solve.analysis.stacks import kernel_stacks, limited_fantasyland_values
from triptych.solve.value.carried import browser_bundle_parts

DEAL = Path("docs/examples/deal.toml")
BUDGET = SearchBudget(max_error=0.3)
SEED = 5


@pytest.mark.parametrize(
    ("stacks", "first"),
    [pytest.param((), 1, marks=pytest.mark.slow), pytest.param((9, 30), 1, marks=pytest.mark.slow), ((9, 30), 4)],
)
def test_the_client_reviews_as_the_command_line_does(tmp_path: Path, stacks: tuple[int, ...], first: int) -> None:
    """Sums are added up in another order, so that the last bits may differ.

    With stacks that do not reach (Rules §6) fantasylands are worth less to the player that both ask. The `first`
    street takes as long as all others.
    """
    decisions = reviewed_alike(tmp_path, replace(parse_history(DEAL.read_text()), stacks=stacks), first)
    assert [decision.street for decision in decisions] == list(range(first, 6))
    assert first > 1 or any(decision.lost > 1 for decision in decisions), "Bob made mistakes"


@pytest.mark.parametrize("stacks", [(), pytest.param((9, 30), marks=pytest.mark.slow)])
def test_fantasylands_are_reviewed_alike(tmp_path: Path, stacks: tuple[int, ...]) -> None:
    """The second hand sets one of 14 cards beside a board that still grows; no decision of a rate."""
    history = played_history(("fast", "novice"), "all", fantasylands=(0, 14))
    (fantasyland,) = reviewed_alike(tmp_path, replace(history, stacks=stacks))
    assert (fantasyland.street, fantasyland.counted) == (0, False)
    assert fantasyland.lost >= 0


def reviewed_alike(tmp_path: Path, history: History, first: int = 1) -> list[Reviewed]:
    """Return what the command line says of the second hand's decisions, once the client has said the same."""
    decisions = [decision for decision in played_decisions(history) if decision.action.hand == 1][first - 1 :]
    brought = kernel_stacks(history.rules, stacks_from_history(history), 2)
    reviews = [review_decision(history, decision, BUDGET, SEED) for decision in decisions]
    questions = []
    for played_decision in decisions:
        decision = Decision.from_position(history.rules, played_decision.position, 1, played_decision.in_row or 1)
        numbers = {card_text(card): card for card in decision.cards}
        rows = (
            played_decision.action.layout.front,
            played_decision.action.layout.middle,
            played_decision.action.layout.back,
        )
        front, middle, back = (bytes(numbers[card] for card in row) for row in rows)
        named = ((front, middle, back),)
        position = OpenPosition(
            decision.street,
            1,
            bytes(decision.cards),
            decision.unseen,
            decision.hands,
            brought,
            named,
            decision.street_orders,
        )
        questions.append(
            {
                "position": position.plain(),
                "played": [[numbers[card] for card in row] for row in rows],
                "options": {"seed": SEED, "error": BUDGET.max_error, "slices": BUDGET.max_slices, "best": BUDGET.top},
            }
        )
    plain = browser_bundle_parts(history.rules)
    assert plain is not None
    fantasylands = None if brought is None else limited_fantasyland_values(brought, 1, plain.fantasyland_values)
    assert (fantasylands is None) == (not history.stacks)
    player = browser_bundle_parts(history.rules, fantasylands)
    assert player is not None
    (answers,) = run_client({"judge": questions, "teams": [2]}, tmp_path, player.head + player.table)
    for answer, review in zip(answers, reviews, strict=True):
        assert answer["lost"] == pytest.approx(review.lost, abs=1e-9)
        assert answer["error"] == pytest.approx(review.error, abs=1e-9)
        best = answer["lines"][0]
        chosen = next(line for line in answer["lines"] if same_placement(layout(line["rows"]), review.chosen))
        for line, value in ((best, review.best), (chosen, review.chosen)):
            assert same_placement(layout(line["rows"]), value)
            count = line["rollouts"]
            assert count == value.rollouts
            assert line["value"] == pytest.approx(value.value, abs=1e-9)
            assert line["unsure"] == pytest.approx(value.error, abs=1e-9)
            names = ("rows", "royalties", "fouls", "fantasyland", "foul", "enters", "stacks")
            parts = [getattr(value, name) for name in names]
            sums = (
                line[key]
                for key in ("rows_", "royalties", "fouled", "fantasyland", "fouls", "fantasylands", "stacks")
            )
            assert [total / count for total in sums] == pytest.approx(parts, abs=1e-9)
            for side, key in ((value.own, "own"), (value.opponents, "opponents")):
                sides = [line[key][part] / count for part in ("rows", "royalties", "fouled", "fantasyland")]
                assert sides == pytest.approx(astuple(side), abs=1e-9)
    return reviews


def layout(rows: list[list[int]]) -> Layout:
    front, middle, back = (tuple(card_text(Card(card)) for card in row) for row in rows)
    return Layout(front, middle, back)
