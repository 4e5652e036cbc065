"""The chart shows each hand as it is, at the price that the scorer pays (Rules §4)."""

from __future__ import annotations

import pytest

from tests.case_notes import case
from triptych import _kernel
from triptych.cards import parse_cards
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.describe.chart import FIVE_CARD_HANDS, UNPAID_HANDS, ExampleHand, chart
from triptych.rulesets.load import preset_names, resolve
from triptych.scoring.sheet.hand_names import rank_name

BACK = "AsKsQsJsTs"
LOW_BACK = "9s8s7s6s5s"


def paid(preset: str, front: str, middle: str, back: str) -> tuple[int, ...]:
    """Return the kernel's royalties of front, middle and back; a row that is not asked about stands as empty text."""
    table = compile_rules(resolve(preset))
    values = []
    for row, text in zip((0, 1, 2), (front, middle, back), strict=True):
        cards = ["", "", ""]
        cards[row] = text
        rows = [bytes(parse_cards(each)) for each in cards]
        bounds = _kernel.row_bounds(table, rows[0], rows[1], rows[2])[:3]
        values.append(bounds[row][0])
    return _kernel.row_royalties(table, values[0], values[1], values[2])


def text(picture: ExampleHand) -> str:
    return "".join(picture.cards)


def test_every_picture_is_paid_as_the_chart_says() -> None:
    for preset in preset_names():
        with case(preset):
            royalty_chart = chart(resolve(preset))
            for five in royalty_chart.fives:
                assert paid(preset, "", "", text(five.hand))[2] == five.back, five
                if five.middle is not None:
                    assert paid(preset, "", text(five.hand), "")[1] == five.middle, five
            for low in royalty_chart.lows:
                assert paid(preset, "", text(low.hand), "")[1] == low.points, low
            for front in royalty_chart.front:
                assert paid(preset, text(front.hand), "", "")[0] == front.points, front


def test_the_ranking_goes_down() -> None:
    for preset in preset_names():
        with case(preset):
            rules = resolve(preset)
            table = compile_rules(rules)
            ranking = [bytes(parse_cards(text(hand))) for hand in chart(rules).ranking]
            values = [_kernel.row_bounds(table, b"", b"", cards)[2][0] for cards in ranking]
            assert values == sorted(set(values), reverse=True)
            assert len(ranking) == (11 if rules.rows.five_of_a_kind and rules.deal.jokers else 10)


@pytest.mark.parametrize(("name", "cards"), [*FIVE_CARD_HANDS.values(), *UNPAID_HANDS.values()])
def test_a_hand_is_called_as_the_score_sheet_calls_it(name: str, cards: str) -> None:
    """`Four of a kind` are `Four queens` on the sheet: the first word is the same; a pair is a `Pair of tens`."""
    if "X1" in cards:
        return
    sheet = rank_name(_kernel.rank5(*parse_cards(cards)))
    same = {"High card": "Ace high"}.get(name, name.split(maxsplit=1)[0])
    assert sheet.startswith(same)


def test_american_royalties_as_the_book_has_them() -> None:
    """Source 002 L62-96: a royal flush is 25 in the back and 50 in the middle.

    66 to AA 1 to 9, 222 to AAA 10 to 22.
    """
    royalty_chart = chart(resolve("pineapple"))
    assert [(five.hand.name, five.middle, five.back) for five in royalty_chart.fives] == [
        ("Royal flush", 50, 25),
        ("Straight flush", 30, 15),
        ("Four of a kind", 20, 10),
        ("Full house", 12, 6),
        ("Flush", 8, 4),
        ("Straight", 4, 2),
        ("Three of a kind", 2, 0),
    ]
    assert [(entry.hand.name, entry.points) for entry in royalty_chart.front[:2]] == [("AAA", 22), ("KKK", 21)]
    assert [(entry.hand.name, entry.points) for entry in royalty_chart.front[-2:]] == [("77", 2), ("66", 1)]
    assert [(way.words, way.cards) for way in royalty_chart.fantasyland] == [("QQ or better in front", 14)]
    assert royalty_chart.lows == ()


def test_a_low_in_the_middle_has_prices_of_its_own() -> None:
    """Rules §4: nine-low 1, eight-low 2, seven-low 4, 75432 8; no high hand counts there."""
    royalty_chart = chart(resolve("pineapple_27"))
    assert [(low.hand.name, low.points) for low in royalty_chart.lows] == [
        ("7-5-4-3-2", 8),
        ("Seven-low", 4),
        ("Eight-low", 2),
        ("Nine-low", 1),
    ]
    assert {five.middle for five in royalty_chart.fives} == {None}
    assert "Three of a kind" not in {five.hand.name for five in royalty_chart.fives}


def test_a_game_without_royalties_has_an_empty_chart_and_a_ranking() -> None:
    royalty_chart = chart(resolve("closed_basic"))
    assert (royalty_chart.fives, royalty_chart.lows, royalty_chart.front, royalty_chart.fantasyland) == (
        (),
        (),
        (),
        (),
    )
    assert royalty_chart.ranking[0].name == "Royal flush"
