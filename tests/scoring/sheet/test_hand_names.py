"""Rows in words: each hand by its name as players call it. Rules §3."""

from __future__ import annotations

import pytest

from triptych.cards import parse_cards
from triptych.rulesets.load import resolve
from triptych.scoring.partial import row_status
from triptych.scoring.sheet.hand_names import value_name
from triptych.scoring.showdown import ScoredHand, score_deal

OTHER = "7c7d6h/8c8d5c5d3h/TcTdTh4c4d"


def named(rules: str | dict[str, object], board: str) -> tuple[str, str, str]:
    """Return the names of a full board's rows, as the scorer has compared them."""
    chosen = resolve(rules)
    score = score_deal(chosen, [ScoredHand(parse_cards(text.replace("/", ""))) for text in (board, OTHER)])
    front, middle, back = score.hands[0].values
    return value_name(chosen, "front", front), value_name(chosen, "middle", middle), value_name(chosen, "back", back)


@pytest.mark.parametrize(
    ("preset", "middle", "name"),
    [
        ("pineapple_27", "7h5s4s3s2c", "7-5-4-3-2 low"),
        ("pineapple_27", "Jh5s4s3s2c", "Not a low: jack high"),
        ("pineapple_27", "9h9s4s3s2c", "Not a low: pair of nines"),
        ("closed_low_middle", "Jh5s4s3s2c", "J-5-4-3-2 low"),
        ("closed_low_middle", "As5s4s3s2c", "A-5-4-3-2 low"),
        ("closed_low_middle", "2s2c5s4s3s", "Pair of deuces, as a low"),
        ("closed_low_middle", "6s5s4s3s2s", "Straight flush, six high, as a low"),
    ],
)
def test_a_low_middle(preset: str, middle: str, name: str) -> None:
    """Rules §3 (`rows.low_limit`): a ten-low or none at all; without a limit whatever is there, as a low."""
    assert named(preset, f"QsJd9c/{middle}/KsKhQhQdTs")[1] == name


def test_only_the_middle_is_a_low() -> None:
    assert named("pineapple_27", "QsJd9c/7h5s4s3s2c/KsKhQhQdTs") == (
        "Queen high",
        "7-5-4-3-2 low",
        "Two pair, kings and queens",
    )


@pytest.mark.parametrize(
    ("back", "name"),
    [
        ("As2c3d4h5s", "Straight, five high"),
        ("As2s3s4s5s", "Straight flush, five high"),
        ("KsQcJdTs9s", "Straight, king high"),
        ("AsKcQhJdTs", "Straight, ace high"),
        ("AsKsQsJsTs", "Royal flush"),
    ],
)
@pytest.mark.parametrize("wheel", ["lowest", "second"])
def test_a_straight_is_named_by_its_highest_card(wheel: str, back: str, name: str) -> None:
    """Rules §3 (`rows.wheel`): A2345 may rank below all straights or above all but one; its five is on top."""
    rules: dict[str, object] = {"preset": "pineapple", "rows.wheel": wheel}
    assert named(rules, f"9d7h2h/9h6s6c8s3c/{back}")[2] == name


@pytest.mark.parametrize(("five", "name"), [(True, "Five aces"), (False, "Four aces")])
def test_a_joker_beside_four_of_a_kind(five: bool, name: str) -> None:  # noqa: FBT001 - a table
    """Rules §3 (`rows.five_of_a_kind`)."""
    rules: dict[str, object] = {"preset": "pineapple_joker", "rows.five_of_a_kind": five}
    assert named(rules, "9d7h2h/9h6s6c8s3c/AsAcAdAhX1")[2] == name


@pytest.mark.parametrize(
    ("preset", "board", "names"),
    [
        ("pineapple_27", "Kh/7h/Qs", ("King high", "7", "Queen high")),
        ("pineapple_joker", "//KhKdKcX1X2", ("", "", "Five kings (with joker)")),
        ("pineapple", "//Ah2d6c", ("", "", "Ace high")),
        ("pineapple", "//Ah2d5c", ("", "", "3 to a straight")),
        ("pineapple", "//AhTdQc", ("", "", "3 to a straight")),
        ("pineapple", "//Ah9dQc", ("", "", "Ace high")),
    ],
)
def test_a_row_that_is_not_full(preset: str, board: str, names: tuple[str, str, str]) -> None:
    """An ace is high or low in a straight, never both."""
    front, middle, back = map(parse_cards, board.split("/"))
    status = row_status(resolve(preset), front, middle, back)
    assert (status.front.name, status.middle.name, status.back.name) == names
