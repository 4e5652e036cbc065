"""The grammars of docs/reference/notation.md are what the readers read and the writers write (issue 15, part 4)."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from triptych.board import board_text, parse_board
from triptych.bots.levels import get_level
from triptych.cards import deck
from triptych.deal.engine import decide, start
from triptych.deal.project import view
from triptych.deal.state import HandStart, acting_hands, finished
from triptych.errors import TriptychError
from triptych.notation.history.action_codec import parse_step, step_text
from triptych.notation.history.model import HistoryResult, record
from triptych.notation.history.read import _File
from triptych.notation.position import parse_position, position_from_view, position_text
from triptych.rulesets.load import resolve

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "notation.md"
_TOKEN = re.compile(r'"([^"]*)"|([a-z]+)|([\[\]{}()|,])')
_SIGNS = {"[": "(?:", "]": ")?", "{": "(?:", "}": ")*", "(": "(?:", ")": ")", "|": "|", ",": ""}


def grammar() -> dict[str, str]:
    """Return each rule of the page's EBNF as a regular expression: no rule leads back to itself."""
    blocks = "".join(re.findall(r"^```ebnf\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL))
    rules = dict(re.findall(r'^([a-z]+)\s*=((?:"[^"]*"|[^";])*);', blocks, re.MULTILINE))

    def pattern(body: str) -> str:
        return "".join(
            _SIGNS[sign] if sign else (f"(?:{pattern(rules[name])})" if name else re.escape(text))
            for text, name, sign in _TOKEN.findall(body)
        )

    return {name: pattern(body) for name, body in rules.items()}


GRAMMAR = grammar()


def matches(name: str, text: str) -> bool:
    """Return whether the page's rule of this name takes a text."""
    return re.fullmatch(GRAMMAR[name], text) is not None


@pytest.mark.parametrize("preset", ["pineapple", "ofc_american", "closed_1_6", "pineapple_joker", "criss_cross"])
@pytest.mark.parametrize("viewer", ["all", 0, None])
def test_texts_of_played_deals_follow_the_grammar(preset: str, viewer: int | str | None) -> None:
    rules = resolve(preset)
    seats = 2
    hands = [HandStart(seat) for seat in range(seats)] * (2 if rules.deal.game == "criss_cross" else 1)
    cards = tuple(Random(4).sample(deck(rules.deal.jokers), 52 + rules.deal.jokers))
    course = start(rules, 1, tuple(hands), cards)
    bot = get_level("random").factory(5)
    events, state = [(0, event) for event in course.events], course.state
    while not finished(state):
        hand = acting_hands(state)[0]
        deal_view = view(state, state.hands[hand].seat)
        assert matches("position", position_text(position_from_view(deal_view)))
        task = next(task for task in deal_view.tasks if task.hand == hand)
        course = decide(state, bot.choose(rules, deal_view, task))
        events += [(len(events) * 700, event) for event in course.events]
        state = course.state
    steps = record(events, viewer).steps  # type: ignore[arg-type]
    assert steps
    assert [text for text in map(step_text, steps) if not matches("action", text)] == []


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Kd/7s7h/", True),
        ("//", True),
        ("Kd/7s7h", False),
        ("1d//", False),
        ("X1//X2", True),
    ],
)
def test_boards(text: str, right: bool) -> None:  # noqa: FBT001 - the expected answer
    assert matches("board", text) == right == _read(parse_board, text)


@pytest.mark.parametrize("text", ["10d/ qh, QH2c /x1", "T♦/Q♡2♣/"])
def test_forms_that_only_people_write_are_read_and_never_written(text: str) -> None:
    """Issue 28.14: the grammar is of what is stored."""
    board = parse_board(text.replace("QH", "Qs"))
    assert not matches("board", text)
    assert matches("board", board_text(board))


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("*Kd/7s7h3c/AhAd2c +Qc4s9h -2d | Th/8c8d5s/TcJcQd", True),
        ("Kd/??/ -?? | *// =14", True),
        ("*// +Kd =17 | //", True),
        ("*Kd/7s7h.3c/AhAd..2c +Qc | Th..??/8c./.", True),
        ("*Kd/7s7h.3/AhAd | //", False),
        ("*Kd/7s7h.3,/AhAd | //", False),
        ("*// =18 | //", False),
        ("*// -2d +Kd | //", False),
        ("** // | //", False),
        ("*// + | //", False),
    ],
)
def test_positions(text: str, right: bool) -> None:  # noqa: FBT001 - the expected answer
    assert matches("position", text) == right == _read(parse_position, text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("d dc p1 Kd7s2c @3.2", True),
        ("p1 pl Kd/f 7s/m x2c @9.8", True),
        ("p4 pl ??/? ??/? x?? @12.345", True),
        ("p2 ar @0", True),
        ("p2 nt six_pairs @4.0", True),
        ("p2 an surrender @4.0", True),
        ("p2 de front back @4.0", True),
        ("p2 de @4.0", True),
        ("p2 dd @4.0", True),
        ("p2 sm QhQd7c/QsQc9d8c2c/8c9cTcJc2d @4.0", True),
        ("p5 dd @4.0", False),
        ("p2 dd", False),
        ("p2 dd @4.0000", False),
        ("p2 an stay @4.0", False),
        ("p2 pl Kd/x @4.0", False),
        ("d dc p1 @4.0", False),
        ("p1 dc Kd @4.0", False),
    ],
)
def test_actions(text: str, right: bool) -> None:  # noqa: FBT001 - the expected answer
    assert matches("action", text) == right == _read(lambda line: parse_step(line, "$"), text)


def test_the_page_names_every_key_of_a_history() -> None:
    """Those of the file, and those of its result."""
    page = PAGE.read_text("utf-8")
    keys = {*_File.__struct_fields__, *HistoryResult.__struct_fields__}
    assert {key for key in keys if f"`{key}`" not in page and f"`[{key}]`" not in page} == set()


def _read(reader: object, text: str) -> bool:
    assert callable(reader)
    try:
        reader(text)
    except TriptychError:
        return False
    return True
