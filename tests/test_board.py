"""Board text. Rules §1: `QhQd7c/QsQc9d8c2c/8c9cTcJc2c` is front/middle/back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.board import Board, BoardError, board_text, parse_board
from triptych.cards import deck


@st.composite
def boards(draw: st.DrawFn) -> Board:
    cards = tuple(draw(st.permutations(deck(2))))
    front, middle, back = draw(st.integers(0, 3)), draw(st.integers(0, 5)), draw(st.integers(0, 5))
    return Board(cards[:front], cards[3 : 3 + middle], cards[8 : 8 + back])


@given(boards())
def test_round_trip(board: Board) -> None:
    assert parse_board(board_text(board)) == board


def test_the_rulebooks_board() -> None:
    text = "QhQd7c/QsQc9d8c2d/8h9cTcJc2c"
    assert board_text(parse_board(text, full=True)) == text


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("", "board.rows", "$"),
        ("QhQd7c/QsQc9d8c2d", "board.rows", "$"),
        ("QhQd7c/QsQc9d8c2d/8h9cTcJc2c/", "board.rows", "$"),
        ("QhQd7cAh//", "row.size", "$.front"),
        ("/AhKhQhJhTh9h/", "row.size", "$.middle"),
        ("Qh/Qz/", "card.unknown", "$.middle[0]"),
        ("Qh/Q/", "card.unknown", "$.middle[0]"),
        ("Qh//2cQh", "card.duplicate", "$.back[1]"),
        ("Qh/??/", "card.unknown", "$.middle[0]"),
    ],
)
def test_bad_text(text: str, code: str, path: str) -> None:
    with pytest.raises(BoardError) as refused:
        parse_board(text)
    assert (refused.value.code, refused.value.path) == (code, path)


def test_a_full_board_has_thirteen_cards() -> None:
    with pytest.raises(BoardError) as refused:
        parse_board("QhQd/QsQc9d8c2d/8h9cTcJc2c", full=True)
    assert (refused.value.code, refused.value.path) == ("row.size", "$.front")
