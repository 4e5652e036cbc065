"""`triptych.rank`: three or five cards by themselves, in every form (issue 33, part 3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import triptych
from tests.case_notes import case
from triptych.cards import parse_cards


def test_ranks_are_compared_and_named() -> None:
    """Rules §3: the categories in their order, the lowest first."""
    rows = [
        "7c5d4h3s2c",
        "2h2d5c4c3c",
        "3h3d2c2s9s",
        "4h4d4c5c6c",
        "5h6c7d8s9s",
        "2c4c6c8cTc",
        "2h2d2s3c3d",
        "6c6d6h6s2d",
    ]
    ranks = [triptych.rank(row) for row in (*rows, "5s6s7s8s9s")]
    assert ranks == sorted(ranks)
    assert str(triptych.rank("AsKsQsJsTs")) == "<Rank Royal flush>"


def test_jokers_make_the_most_of_a_rank() -> None:
    """Rules §3: a joker stands for any card; `7s X1 X2` in front is 777, aces with two jokers are quads."""
    same = [("7sX1X2", "7s7h7d"), ("AhAdAcX1X2", "AhAdAcAsKd"), ("AsKsX1JsTs", "AsKsQsJsTs"), ("KdX1", "KdKc")]
    for joker, plain in same[:3]:
        assert triptych.rank(joker) == triptych.rank(plain)
    assert triptych.rank("AhAdX1KcKd").name == "Full house, aces over kings"


def test_lows_are_compared_and_named() -> None:
    """Rules §3 (`rows.middle = deuce_to_seven`): lower is better, a pair or straight only makes it a worse low."""
    rows = ["6h5d4c3s2c", "9h9d5c3s2c", "AhKdQcJs9h", "Th9d8c7s5h", "8c6d4h3s2c", "7c5d4h3s2c"]
    ranks = [triptych.rank(row, low=True) for row in rows]
    assert ranks == sorted(ranks)
    assert str(ranks[-1]) == "<Rank 7-5-4-3-2 low>"
    assert triptych.rank("7c5dX13s2c", low=True) == ranks[-1]


def test_prepared_numbers_are_ranked_as_text() -> None:
    """A tuple of numbers takes a shorter way to the same answer, and to the same errors."""
    for row in ("AsKsQsJsTs", "9h9d9c9s2c", "QhQd7c", "2c2d2h", "AhAdX1", "7sX1X2", "2c3c4c5cX2", "AcAdAhAs2c"):
        with case(row):
            cards = parse_cards(row)
            forms: tuple[Any, ...] = (cards, [*cards], np.array(cards), tuple(np.array(cards)))
            assert {triptych.rank(form) for form in forms} == {triptych.rank(row)}
    for wrong, code in (((1, 2), "cards.count"), ((1, 1, 2), "card.duplicate"), ((1, 2, 54), "value.range")):
        with case(wrong), pytest.raises(triptych.TriptychError) as error:
            triptych.rank(wrong)
        assert error.value.code == code
    five = parse_cards("8c6d4h3s2c")
    assert triptych.rank(five, low=True) != triptych.rank(five)
    assert (triptych.rank(five).name, triptych.rank(five, low=True).name) == ("Eight high", "8-6-4-3-2 low")
