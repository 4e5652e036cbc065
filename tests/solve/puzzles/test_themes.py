"""What a puzzle is about, by the rules of docs/reference/files.md. Issue 14, part 5."""

from __future__ import annotations

import pytest

from triptych.notation.position import parse_position
from triptych.rulesets.load import resolve
from triptych.solve.puzzles.model import Choice
from triptych.solve.puzzles.themes import themes

RULES = resolve("pineapple")


def choice(text: str, value: float = 0.0, rows: float = 0.0, foul: float = 0.0, enters: float = 0.0) -> Choice:
    return Choice(text, value, 0.1, rows, 0.0, 0.0, 0.0, foul, enters)


@pytest.mark.parametrize(
    ("name", "position", "best", "tempting", "holds"),
    [
        # More fantasyland for more fouls, either way round; not where one of the two is better at both.
        ("fantasyland_or_safety", 0, choice("Qs/Kc/", foul=0.4, enters=0.5), choice("/QsKc/", foul=0.2), True),
        ("fantasyland_or_safety", 0, choice("/QsKc/", foul=0.2), choice("Qs/Kc/", foul=0.4, enters=0.5), True),
        ("fantasyland_or_safety", 0, choice("Qs/Kc/", foul=0.1, enters=0.5), choice("/QsKc/", foul=0.2), False),
        ("fantasyland_or_safety", 0, choice("Qs/Kc/", foul=0.4, enters=0.5), choice("/QsKc/", foul=0.36), False),
        # A queen beside the queen that lies in front, or none.
        ("front_pair", 0, choice("Qs/Kc/"), choice("/QsKc/"), True),
        ("front_pair", 0, choice("Qs/Kc/"), choice("Qs//Kc"), False),
        # 2h 5h 9h lie behind.
        ("flush_draw", 0, choice("/Qs/Th"), choice("/Th/Qs"), True),
        ("flush_draw", 0, choice("/Qs/Th"), choice("/Kc/Th"), False),
        # The third street of five is not late, the fourth is.
        ("late_foul", 0, choice("/QsKc/", foul=0.1), choice("Qs/Kc/", foul=0.4), False),
        ("late_foul", 1, choice("/QsTh/", foul=0.1), choice("Qs/Th/", foul=0.4), True),
        ("late_foul", 1, choice("/QsTh/", foul=0.1), choice("Qs/Th/", foul=0.15), False),
        # Rows make up half of two points; the rival has nine cards, or seven.
        ("blocking", 1, choice("/QsTh/", value=2, rows=1), choice("Qs/Th/"), True),
        ("blocking", 1, choice("/QsTh/", value=2, rows=0.5), choice("Qs/Th/"), False),
        ("blocking", 0, choice("/Qs/Th", value=2, rows=2), choice("Qs/Th/"), False),
        # With the king beside two sevens, sevens, threes and kings lift the middle; with both it is full.
        ("outs", 0, choice("Qs/Kc/"), choice("/QsKc/"), True),
        ("outs", 0, choice("/QsKc/"), choice("Qs/Kc/"), False),
    ],
)
def test_a_theme_holds_by_its_rule(name: str, position: int, best: Choice, tempting: Choice, holds: bool) -> None:  # noqa: FBT001 - a case
    place = parse_position(POSITIONS[position])
    assert (name in themes(RULES, place, best, tempting)) == holds


POSITIONS = (
    "*Qd/7s7c3c/2h5h9h +QsKcTh | Kh/8c8d5s/TcJcQh",
    "*Qd/7s7c3c/2h5h9hAh3h +QsKcTh -4d | Kh/8c8d5sJs/TcJcQh9c",
)


def test_a_joker_pairs_the_highest_card_in_front_and_fits_every_suit() -> None:
    rules = resolve("pineapple_joker")
    place = parse_position("*Qd/7s7c3c/2h5h9h +X1KcTh | Kh/8c8d5s/TcJcQh")
    assert "front_pair" in themes(rules, place, choice("X1/Kc/"), choice("X1Kc//"))
    assert "flush_draw" not in themes(rules, place, choice("/Kc/X1"), choice("/Kc/Th"))
