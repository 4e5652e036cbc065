"""The front door as somebody meets it who has only the README (issue 15, part 1)."""

from __future__ import annotations

import inspect
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import triptych
import triptych.api
from triptych.board import parse_board
from triptych.bots.levels import get_level
from triptych.cards import deck, parse_cards
from triptych.deal.engine import decide, start
from triptych.deal.project import view
from triptych.deal.state import HandStart, acting_hands, finished
from triptych.notation.history.model import record
from triptych.notation.history.text import history_text
from triptych.rulesets.model import Ruleset

if TYPE_CHECKING:
    from triptych.deal.actions import Action
    from triptych.deal.view_types import DealView, Task

ANN, BOB = "QhQd7c/KsKc9d8c2c/AcAdTcJc2d", "9h6c5d/9s9c8d7h2h/KdKhTdJs3d"
HISTORIES = sorted((Path(__file__).parent / "golden").rglob("*.toml"))


class FixedBot:
    """A bot of one's own, as docs/reference/bot-protocol.md shows it: an object with `choose`."""

    name = "steady one"

    def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:
        return get_level("steady").factory(1).choose(rules, view, task, budget_ms)


def test_every_name_is_there_and_documented() -> None:
    assert {*dir(triptych)} == {*triptych.api.__all__, "__version__"}
    for name in dir(triptych):
        assert getattr(triptych, name) is not None
        assert getattr(triptych.api, name, triptych.__version__).__doc__
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        _ = triptych.scores  # type: ignore[attr-defined]


def test_rules_and_score_are_functions() -> None:
    """Issue 30: `help(triptych.score)` shows a function, and not a package."""
    assert inspect.isfunction(triptych.score)
    assert inspect.isfunction(triptych.rules)
    assert triptych.score({"Ann": ANN, "Bob": BOB}).totals == {"Ann": 13, "Bob": -13}
    assert triptych.rules("taiwanese").name == "taiwanese"


def test_values_are_made_of_every_form_of_cards() -> None:
    """Issue 33, part 2: text, rows of text, lists of texts or numbers; a history's text and file too."""
    board = parse_board("QhQd7c/KsKc/")
    forms: tuple[Any, ...] = (
        ("QhQd7c", "KsKc", ""),
        (["Qh", "Qd", "7c"], ["Ks", "Kc"], []),
        (("Qh", "Qd", "7c"), [47, 44]),
    )
    assert {triptych.Board(*form) for form in forms} == {board, triptych.Board("QhQd7c/KsKc/")}  # type: ignore[arg-type]
    placement = triptych.Placement(("Kd",), ("7s", "7h"), (), ("2c",))
    assert triptych.Placement("Kd/7s7h/ -2c") == triptych.Placement("Kd", "7s7h", "", "2c") == placement  # type: ignore[arg-type]
    with pytest.raises(triptych.TriptychError, match="not a card"):
        triptych.Board("Qx//")  # type: ignore[arg-type]
    file = Path(__file__).parents[1] / "docs/examples/deal.toml"
    deals = [
        triptych.Deal.from_history(form) for form in (file, str(file), file.read_text(), triptych.read_history(file))
    ]
    assert {deal.result().totals["Ann"] for deal in deals} == {11}


def test_text_and_objects_are_taken_alike() -> None:
    rules = triptych.rules("pineapple")
    boards = {"Ann": parse_board(ANN), "Bob": parse_board(BOB)}
    assert triptych.score(boards, rules) == triptych.score({"Ann": ANN, "Bob": BOB}, "pineapple")
    cards = "AhAdAcKhKdQsQc9c8c7c6c5c2d2s"
    assert triptych.solve_fantasyland(parse_cards(cards), rules) == triptych.solve_fantasyland(cards)
    assert triptych.outs(parse_board("QhQd/9d8c2c5s/Tc9cJc"), rules) == triptych.outs("QhQd/9d8c2c5s/Tc9cJc")


def test_a_rules_file_is_accepted_wherever_a_preset_is(tmp_path: Path) -> None:
    """Anna pays two points a row and no scoop: 2 + 2 + 2, and the royalties."""
    file = tmp_path / "anna.toml"
    file.write_text('extends = "pineapple"\n[scoring]\nrows = "custom"\npoints = [2, 2, 2]\n')
    for rules in (file, str(file)):
        assert triptych.score({"Ann": ANN, "Bob": BOB}, rules).totals["Ann"] == 6 + 7
    assert triptych.rules(file, **{"scoring.bonus": 4}).scoring.bonus == 4
    assert triptych.rules(triptych.rules(file), **{"scoring.bonus": 4}) == triptych.rules(
        file, **{"scoring.bonus": 4}
    )


@pytest.mark.parametrize(
    ("ask", "code", "path"),
    [
        (lambda: triptych.rules("no_such"), "rules.preset", "$.preset"),
        (lambda: triptych.rules("missing.toml"), "file.read", "$.rules"),
        (lambda: triptych.rules("pineapple", **{"scoring.row": 1}), "rules.unknown_key", "$.scoring.row"),
        (lambda: triptych.score({"Ann": "Qh/", "Bob": BOB}), "board.rows", "$.players.Ann"),
        (lambda: triptych.score({"Ann": ANN, "Bob": ANN}), "card.duplicate", "$.players.Bob.front[0]"),
        (lambda: triptych.solve_fantasyland("AhAd"), "cards.count", "$.cards"),
        (lambda: triptych.rank("AhAd"), "cards.count", "$"),
        (lambda: triptych.rank("AhAdKc", low=True), "cards.count", "$"),
        (lambda: triptych.rank("AhAdAh"), "card.duplicate", "$"),
        (lambda: triptych.can_still_be_legal("AhAdX1//"), "card.joker", "$.front[2]"),
        (lambda: triptych.solve_closed("Ah", "pineapple"), "game.open", "$.rules"),
        (lambda: triptych.read_history("nothing"), "history.toml", "$"),
        (lambda: triptych.play_match("fast"), "arena.bots", "$.bots"),
        (lambda: triptych.play_match("fast", "faster"), "level.unknown", "$.level"),
    ],
)
def test_an_error_has_its_code_and_path(ask: object, code: str, path: str) -> None:
    assert callable(ask)
    with pytest.raises(triptych.TriptychError) as error:
        ask()
    assert (error.value.code, error.value.path) == (code, path)


def test_a_board_can_still_be_legal_or_not() -> None:
    """Rules §3: back, middle, front; a front of trips needs more than a pair's worth of room below."""
    assert triptych.can_still_be_legal("//")
    assert triptych.can_still_be_legal("AhAdAs/2c3d/")
    assert not triptych.can_still_be_legal("AhAdAs/2c3d5h7s9c/")
    assert triptych.can_still_be_legal(ANN)
    assert not triptych.can_still_be_legal("AcKh3d/7c2h4d9s5d/8dTs6dJs2s")
    assert not triptych.can_still_be_legal("/KcKd/", "pineapple_27")


def test_parts_of_a_view_are_accepted_as_input() -> None:
    """A board, a task, a deal itself, wherever cards, a board or a position are asked for."""
    deal = triptych.Deal(players=["Ann", "Bob"], seed=1)
    assert deal.task is not None
    assert triptych.rank(deal.task) == triptych.rank(deal.cards) == triptych.rank("".join(deal.cards))
    while deal.street < 5 or deal.player != "Bob":  # the last decision of all has nothing to sample
        deal.time_out()
    board_view, board = deal.view("Bob").boards[1], deal.board("Bob")
    rows = triptych.Placement(*(getattr(board_view, row).cards for row in ("front", "middle", "back")))
    assert len({repr(triptych.outs(form)) for form in (board_view, board, str(board), rows)}) == 1
    first, *others = (triptych.analyse(position) for position in (deal, deal.view("Bob"), deal.to_position()))
    assert [first, first] == others
    deal.place(first.placements[0])
    assert len(deal.discards("Bob")) == 4


def test_results_are_read_at_a_glance() -> None:
    setting = triptych.solve_fantasyland("AhAdAcKhKdQsQc9c8c7c6c5c2d2s")
    assert repr(setting) == "<Setting KhKd2s/AhAdAcQsQc/9c8c7c6c5c, +35 points, royalties 35, brings a fantasyland>"
    score = triptych.score({"<b>Ann": ANN, "Bob": BOB})
    deal = triptych.Deal("pineapple", ["<b>Ann", "Bob"], seed=1)
    deal.place("Kc/3d3s/7cJc")
    assert repr(deal.rules) == "<Ruleset pineapple>"
    assert "fantasyland.kind" in deal.rules._repr_html_()
    assert repr(deal.history()) == "<History of deal 1 of pineapple, 3 steps: <b>Ann, Bob>"
    assert str(deal.view("Bob")).endswith("hand 0  Kc / 3d 3s / 7c Jc\nhand 1* - / - / -  + 7h Ts 7d 2d 5d")
    assert "7♥" in deal.view("Bob")._repr_html_()
    history = deal.history()._repr_html_()
    assert "&lt;b&gt;Ann" in history
    assert "<b>" not in history + deal._repr_html_()
    match = triptych.play_match("random", "random", deals=2)
    assert repr(match).startswith("<MatchResult of 2 decks of pineapple: random ")
    assert "<td>random#2</td>" in match._repr_html_()
    for result in (setting, score, score.sheet, triptych.solve_closed("AhAdAcKhKdQsQc9c8c7c6c2d2s", top=2)):
        html = result._repr_html_()
        assert "♥" in html
        assert "<b>" not in html


def test_bots_meet_whether_they_are_levels_or_objects() -> None:
    """What the players win from each other is nothing in all, deck by deck."""
    result = triptych.play_match(FixedBot(), "random", "random", deals=3, seed="front door")
    assert [bot.bot for bot in result.bots] == ["steady one", "random", "random#2"]
    assert sum(bot.plain.duplicate.mean for bot in result.bots) == pytest.approx(0)
    assert not any(bot.faults for bot in result.bots)
    assert triptych.play_match(FixedBot(), "random", "random", deals=3, seed="front door") == result


def test_a_bot_that_breaks_is_not_the_end_of_the_match() -> None:
    class BrokenBot(FixedBot):
        name = "broken"

        def choose(self, rules: Ruleset, view: DealView, task: Task, budget_ms: int = 1000) -> Action:  # noqa: ARG002
            raise ZeroDivisionError

    result = triptych.play_match("random", BrokenBot(), deals=2)
    assert result.bots[1].faults["crash"] > 0


def test_a_history_is_read_and_reviewed(tmp_path: Path) -> None:
    rules = triptych.rules("turbo")
    hands = (HandStart(0), HandStart(1))
    course = start(rules, 1, hands, tuple(Random(3).sample(deck(), 52)))
    events, state = list(course.events), course.state
    while not finished(state):
        hand = acting_hands(state)[0]
        deal_view = view(state, state.hands[hand].seat)
        task = next(task for task in deal_view.tasks if task.hand == hand)
        course = decide(state, FixedBot().choose(rules, deal_view, task))
        events += course.events
        state = course.state
    text = history_text(record([(0, event) for event in events], "all", ("Ann", "Bob")))
    file = tmp_path / "deal.txt"
    file.write_text(text)
    assert triptych.read_history(file) == triptych.read_history(text)
    named = file.rename(tmp_path / "deal.toml")
    assert triptych.read_history(str(named)) == triptych.read_history(text)
    file.write_text(text)
    review = triptych.review(file, error=5.0)
    assert len(review.decisions) == 6
    assert repr(review).startswith("<Review of 6 decisions: Ann gave away")
    assert "<table>" in review._repr_html_()
