"""Which two rows of a growing board are out of order, or not yet in it. Rules §3 (ranking and fouls)."""

from __future__ import annotations

import pytest

from triptych.cards import parse_cards
from triptych.rulesets.load import resolve
from triptych.scoring.partial import OrderViolation, order_violations

OPEN, LOW = "pineapple", "pineapple_27"


def violations(preset: str, board: str, **rows: str) -> tuple[OrderViolation, ...]:
    rules = resolve({"preset": preset, **{f"rows.{key}": value for key, value in rows.items()}})
    front, middle, back = map(parse_cards, board.split("/"))
    return order_violations(rules, front, middle, back)


@pytest.mark.parametrize(
    ("preset", "board", "clash"),
    [
        # One card more makes the back three eights at most; three nines lie above it.
        (
            OPEN,
            "/9h9d9c/8c8d3s2h",
            OrderViolation("middle", "back", "Three nines", "Pair of eights", "Three eights", certain=True),
        ),
        # A front of aces is above every pair that a middle of four ranks can become.
        (
            OPEN,
            "AhAdAc/Kh9d2c3d/",
            OrderViolation("front", "middle", "Three aces", "King high", "Pair of kings", certain=True),
        ),
        # Four of the middle's cards may become a straight flush; the back can only become a pair.
        (
            OPEN,
            "AhAdAc/2c3c4c5c/Kd9h7c2d",
            OrderViolation("front", "back", "Three aces", "King high", "Pair of kings", certain=True),
        ),
        # Rows that are full become nothing more; of several clashes the lowest two rows are named.
        (
            OPEN,
            "QhQd7c/QsQc9d8d2c/8c9cTcJc2h",
            OrderViolation("middle", "back", "Pair of queens", "Jack high", "", certain=True),
        ),
        (
            OPEN,
            "QhQd7c/Ks9c4d3d2c/AcAd7d6c5h",
            OrderViolation("front", "middle", "Pair of queens", "King high", "", certain=True),
        ),
        # Nothing is lost yet, but the lower row has to grow.
        (OPEN, "QhQd/Kh9d2c/", OrderViolation("front", "middle", "Pair of queens", "King high", "", certain=False)),
        (OPEN, "QhQd/KhKd/3c", OrderViolation("middle", "back", "Pair of kings", "Three high", "", certain=False)),
        # A deuce-to-seven middle may be ahead of nothing; only the back has to be above the front.
        (LOW, "AhAd/7h5d/Kc", OrderViolation("front", "back", "Pair of aces", "King high", "", certain=False)),
        (
            LOW,
            "AhAdAc/7h5d/KcQd9s8h",
            OrderViolation("front", "back", "Three aces", "King high", "Pair of kings", certain=True),
        ),
        # It can be no ten-low any more: no other row has anything to do with it.
        (LOW, "/JhTd/", OrderViolation("middle", "middle", "J-10", "J-10", "Not a low: jack high", certain=True)),
        (
            LOW,
            "5h4h3d/Js7d5c4s2c/AcAd7s6c3h",
            OrderViolation("middle", "middle", "Not a low: jack high", "Not a low: jack high", "", certain=True),
        ),
    ],
)
def test_rows_out_of_order_are_violations(preset: str, board: str, clash: OrderViolation) -> None:
    assert violations(preset, board) == (clash,)


def test_a_middle_that_is_no_low_goes_before_what_else_is_wrong() -> None:
    """Rules §3 (`deuce_to_seven`): a pair is not a low; the three aces in front are above the back, too."""
    (clash,) = violations(LOW, "AhAdAc/2h2d/KcQd9s8h")
    assert (clash.upper, clash.lower, clash.upper_name, clash.certain) == ("middle", "middle", "Pair of deuces", True)
    assert clash.best.startswith("Not a low: ")


@pytest.mark.parametrize(
    ("preset", "board"),
    [
        (OPEN, "//"),
        (OPEN, "Ah/Kh/Qh"),  # below a pair rows overtake each other with every card
        (OPEN, "QhQd/KhKd/AhAd"),
        (OPEN, "QhQd/KhKd/KcKs"),
        (OPEN, "QhQd7c/KhKd9d8d2c/AhAd6c5h3h"),
        (LOW, "AhAd/7h5d/AcAs"),  # the front outranks the middle, as it may
        (LOW, "/7h5d/2c"),
    ],
)
def test_rows_in_order_are_no_violations(preset: str, board: str) -> None:
    assert violations(preset, board) == ()


def test_two_rows_that_may_both_have_to_grow() -> None:
    """Front above middle and middle above back, neither for certain: each pair of neighbours is named once."""
    both = violations(OPEN, "AhAd/KhKd/QhQd")
    assert [(clash.upper, clash.lower, clash.certain) for clash in both] == [
        ("front", "middle", False),
        ("middle", "back", False),
    ]


@pytest.mark.parametrize(("order", "count"), [("ge", 0), ("gt", 1)])
def test_equal_rows_are_out_of_order_only_where_each_must_be_weaker(order: str, count: int) -> None:
    """Rules §3 (`rows.order`)."""
    assert len(violations(OPEN, "/9h9d/9c9s", order=order)) == count
    whole = violations(OPEN, "7c3d2h/5h6d7h8s9h/5d6c7d8d9s", order=order)
    assert [(clash.upper, clash.lower, clash.certain) for clash in whole] == [("middle", "back", True)] * count
    assert violations(OPEN, "QhQd/KhKd/AhAd", order=order) == ()
