"""What the guide says of a board as it lies (issue 11, part 2; Rules §3 for what is out of order)."""

from __future__ import annotations

import pytest

from triptych.board import Layout
from triptych.cards import Card, parse_cards
from triptych.deal.actions import Announce, Arrange, ClaimNatural, Declare, Place
from triptych.deal.engine import decide, start
from triptych.deal.project import view
from triptych.deal.state import HandStart
from triptych.deal.view_types import FreeSlots, Task
from triptych.rulesets.load import resolve
from triptych.server.content.guide_texts import guide_lines, proposal

NOTHING = Place(0, Layout())


def said(preset: str, cards: str, layout: Layout = Layout()) -> dict[str, list[str]]:  # noqa: B008 - it cannot change
    """Return what the guide says to the first hand of a deal, dealt these cards and laid so, by kind."""
    rules = resolve(preset)
    first = parse_cards(cards)
    size = 52 + rules.deal.jokers
    deck = (*first, *(Card(number) for number in range(size) if Card(number) not in first))
    state = start(rules, 1, (HandStart(0), HandStart(1)), deck).state
    state = decide(state, Arrange(0, layout)).state
    own_view = view(state, 0)
    texts: dict[str, list[str]] = {}
    for line in guide_lines(rules, own_view.boards[0], own_view.tasks[0], NOTHING):
        texts.setdefault(line.kind, []).append(line.text)
    return texts


THIRTEEN = "KsKh2d9d9c4h6s7c8hJsJd3c5h"


def test_a_foul_names_both_hands() -> None:
    """The issue's own words: a pair of kings in front would beat a pair of nines."""
    layout = Layout(("Ks", "Kh", "2d"), ("9d", "9c", "4h", "6s", "7c"), ())
    assert said("closed_2_4", THIRTEEN, layout)["foul"] == [
        "This fouls: front (pair of kings) would beat middle (pair of nines)."
    ]


def test_a_row_that_can_no_longer_grow_enough_is_a_foul_already() -> None:
    layout = Layout(("Ks", "Kh"), ("9d", "4h", "6s", "7c"), ())
    assert said("closed_2_4", THIRTEEN, layout)["foul"] == [
        "This fouls: front (pair of kings) would beat middle (at best pair of nines)."
    ]


def test_a_middle_that_is_no_low_fouls_by_itself() -> None:
    layout = Layout((), ("9d", "9c"), ())
    assert said("pineapple_27", "9d9cAhKs2d", layout)["foul"] == [
        "This fouls: the middle (pair of nines) can no longer make a ten-low."
    ]


def test_the_guide_warns_of_a_row_that_must_still_grow() -> None:
    texts = said("pineapple", "QsQh9d9c2h", Layout(("Qs", "Qh"), ("9d", "9c"), ()))
    assert "foul" not in texts
    assert texts["care"] == [
        "Your middle (pair of nines) must still improve to beat the front (pair of queens).",
        "Your back must still improve to beat the middle (pair of nines).",
    ]


def test_queens_in_front_are_priced() -> None:
    """Rules §4 and 5: a pair of queens in front is 7 points, and leads to fantasyland with 14 cards."""
    texts = said("pineapple", "QsQh9d9c2h", Layout(("Qs", "Qh"), (), ()))
    assert texts["points"] == [
        "Pair of queens in front: 7 points of royalties, if the board is legal.",
        "QQ or better in front earns fantasyland: 14 cards at once in the next deal, beside 7 points of royalties.",
    ]


@pytest.mark.parametrize(
    ("preset", "words"),
    [
        ("pineapple", "Back must beat or equal middle, middle must beat or equal front: else it is a foul."),
        (
            "pineapple_27",
            "The middle is a low: ten-low or better, no pair. Back must beat or equal front: else it is a foul.",
        ),
        (
            "closed_low_middle",
            "The middle is a low: the lower, the better. Back must beat or equal front: else it is a foul.",
        ),
    ],
)
def test_the_rows_are_named_and_ordered(preset: str, words: str) -> None:
    cards = THIRTEEN if preset.startswith("closed") else THIRTEEN[:10]
    (order,) = said(preset, cards)["order"]
    assert order.startswith("Front 3 cards, on top; middle and back 5 each.")
    assert words in order


def test_the_next_step_depends_on_the_cards() -> None:
    assert said("pineapple", "QsQh9d9c2h")["next"] == [
        "Place 5 cards. Tap a card, then a row, or use the suggestion."
    ]
    everything = Layout(("Qs", "Qh"), (), ("9d", "9c", "2h"))
    assert said("pineapple", "QsQh9d9c2h", everything)["next"] == [
        "All cards placed. Adjust them if you like, then press Ready."
    ]


def test_questions_besides_the_cards_are_answered_too() -> None:
    rules = resolve("closed_2_4")
    board = view(start(rules, 1, (HandStart(0), HandStart(1)), tuple(map(Card, range(52)))).state, 0).boards[0]
    task = Task(0, "announce", 1, (), 0, 0, FreeSlots(0, 0, 0), Layout(), surrender=3)
    (line,) = guide_lines(rules, board, task, Announce(0, play=False))
    assert line.text == "Play, or surrender for 3 points to each opponent. Suggestion: surrender."
    declare = Task(0, "declare", 1, (), 0, 0, FreeSlots(0, 0, 0), Layout(), rows=("front", "middle", "back"))
    (line,) = guide_lines(rules, board, declare, Declare(0, ("middle", "back")))
    assert line.text == "Declare the royalties of your middle and back."
    assert proposal(Declare(0, ())) is None


def test_a_natural_is_to_be_taken() -> None:
    cards = "2s3s4s5s6s7s8s9sTsJsQsKsAs"
    rules = resolve("closed_2_4")
    deck = (*parse_cards(cards), *(Card(n) for n in range(52) if Card(n) not in parse_cards(cards)))
    deal_view = view(start(rules, 1, (HandStart(0), HandStart(1)), deck).state, 0)
    texts = [line.text for line in guide_lines(rules, deal_view.boards[0], deal_view.tasks[0], ClaimNatural(0))]
    assert any(text.startswith("You have a natural (") for text in texts)
