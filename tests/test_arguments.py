"""Odd arguments are typed errors at the call, and numpy's numbers are numbers (issue 28.11)."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest

import triptych as typed
from tests.case_notes import case
from triptych.cards import parse_cards
from triptych.errors import TriptychError

if TYPE_CHECKING:
    from collections.abc import Callable

# What no type checker would let pass.
triptych: Any = typed
ANN, BOB = "QhQd7c/KsKc9d8c2c/AcAdTcJc2d", "9h6c5d/9s9c8d7h2h/KdKhTdJs3d"
POSITION: Final = "*Kd/7s7h3c2c/AhAd2d9s +Qc4s9h -Th8d | 8h/6c6d5h9c/JsJdTs8c"
FOURTEEN: Final = "AhAdAcKhKdQsQc9c8c7c6c5c2d2s"
THIRTEEN: Final = "AhAdAcKhKdQsQc9c8c7c6c2d2s"
BETWEEN: Final = "QhQd/9d8c2c5s/Tc9cJc8h7s"
ODD: Final[dict[str, Any]] = {
    "None": None,
    "NaN": math.nan,
    "infinity": math.inf,
    "below zero": -1,
    "huge": 10**30,
    "of 5000 digits": 10**5000,
    "bytes": b"AhKd",
    "text": "nonsense",
    "no file": "a\0.toml",
    "list of None": [None],
    "array": np.array([1, 2]),
    "array of nothing": np.array(math.nan),
    "object": object(),
    "complex": 1j,
    "table of nothing": {None: None},
}
# None of the odd values may stand in any of these places.
CALLS: Final[dict[str, Callable[[Any], object]]] = {
    "rank": triptych.rank,
    "rules": triptych.rules,
    "rules, an option": lambda odd: triptych.rules("pineapple", **{"scoring.bonus": odd}),
    "score": triptych.score,
    "score, a board": lambda odd: triptych.score({"Ann": ANN, "Bob": odd}),
    "score, a row": lambda odd: triptych.score({"Ann": ANN, "Bob": (odd, "9s9c8d7h2h", "KdKhTdJs3d")}),
    "score, rules": lambda odd: triptych.score({"Ann": ANN, "Bob": BOB}, odd),
    "score, stakes": lambda odd: triptych.score({"Ann": ANN, "Bob": BOB}, stakes=odd),
    "score, order": lambda odd: triptych.score({"Ann": ANN, "Bob": BOB}, order=odd),
    "fantasyland": triptych.solve_fantasyland,
    "fantasyland, against": lambda odd: triptych.solve_fantasyland(FOURTEEN, against=odd),
    "fantasyland, in_row": lambda odd: triptych.solve_fantasyland(FOURTEEN, in_row=odd),
    "closed": triptych.solve_closed,
    "closed, opponents": lambda odd: triptych.solve_closed(THIRTEEN, opponents=odd),
    "closed, top": lambda odd: triptych.solve_closed(THIRTEEN, top=odd),
    "closed, nearest": lambda odd: triptych.solve_closed(THIRTEEN, nearest=odd),
    "outs": triptych.outs,
    "outs, draws": lambda odd: triptych.outs(BETWEEN, draws=odd),
    "outs, seed": lambda odd: triptych.outs(BETWEEN, seed=odd),
    "analyse": triptych.analyse,
    "analyse, rules": lambda odd: triptych.analyse(POSITION, odd),
    "analyse, error": lambda odd: triptych.analyse(POSITION, error=odd),
    "analyse, top": lambda odd: triptych.analyse(POSITION, top=odd),
    "analyse, seed": lambda odd: triptych.analyse(POSITION, seed=odd),
    "analyse, stacks": lambda odd: triptych.analyse(POSITION, stacks=[odd, odd]),
    "review": triptych.review,
    "review, error": lambda odd: triptych.review("", error=odd),
    "rate": triptych.error_rates,
    "rate, by": lambda odd: triptych.error_rates(by=odd),
    "rate, error": lambda odd: triptych.error_rates(error=odd),
    "rate, seed": lambda odd: triptych.error_rates(seed=odd),
    "read_history": triptych.read_history,
    "play": lambda odd: triptych.play_match("random", odd),
    "play, deals": lambda odd: triptych.play_match("random", "random", deals=odd),
    "play, rules": lambda odd: triptych.play_match("random", "random", rules=odd),
    "can_still_be_legal": triptych.can_still_be_legal,
    "can_still_be_legal, rules": lambda odd: triptych.can_still_be_legal("//", odd),
    "score_many": triptych.score_many,
    "score_many, a column": lambda odd: triptych.score_many({"Ann": [ANN], "Bob": odd}),
    "score_many, a board": lambda odd: triptych.score_many({"Ann": [ANN], "Bob": [odd]}),
    "score_many, fantasyland": lambda odd: triptych.score_many(
        {"Ann": [ANN], "Bob": [BOB]}, fantasyland={"Ann": odd}
    ),
    "deal": triptych.Deal,
    "deal, players": lambda odd: triptych.Deal(players=odd),
    "deal, a player": lambda odd: triptych.Deal(players=[odd, odd]),
    "deal, seed": lambda odd: triptych.Deal(seed=odd),
    "deal, deck": lambda odd: triptych.Deal(deck=odd),
    "deal, number": lambda odd: triptych.Deal(number=odd),
    "deal, fantasyland": lambda odd: triptych.Deal(fantasyland=odd),
    "deal, a fantasyland": lambda odd: triptych.Deal(fantasyland={"p1": odd}),
    "deal, stakes": lambda odd: triptych.Deal(stakes=odd),
    "deal, stacks": lambda odd: triptych.Deal(stacks=odd),
    "deal, from_history": triptych.Deal.from_history,
    "deal, place": lambda odd: triptych.Deal().place(odd),
    "deal, place for": lambda odd: triptych.Deal(seed=1).place("Kc/3d3s/7cJc", odd),
    "deal, board": lambda odd: triptych.Deal().board(odd),
    "deal, declare": lambda odd: triptych.Deal().declare([odd]),
    "deal, apply": lambda odd: triptych.Deal().apply(odd),
    "board, from_text": triptych.Board.from_text,
    "match": triptych.Match,
    "match, button": lambda odd: triptych.Match(button=odd),
    "match, stacks": lambda odd: triptych.Match(stacks=odd),
}
# Where None is the same as nothing given.
TAKE_NONE: Final = {
    "score, stakes",
    "score, order",
    "outs, draws",
    "analyse, rules",
    "deal, seed",
    "deal, deck",
    "deal, fantasyland",
    "deal, stakes",
    "deal, stacks",
    "deal, place for",
    "match, button",
    "match, stacks",
}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scoring": None}, "expected a mapping, got None"),
        ({"scoring": True}, "expected a mapping, got True"),
        ({"fantasyland.entry": {"front": "QQ"}}, "each a mapping, got a mapping"),
        ({"royalties.deuce_of_spades": 3}, "expected True or False, got the number 3"),
        ({"scoring.rows": object()}, "not a mapping of plain values"),
    ],
)
def test_errors_use_the_words_of_python(options: dict[str, object], message: str) -> None:
    """A file says the same of a table, of true and of nothing (tests/rulesets/test_bad_rules.py)."""
    for call in (triptych.rules, triptych.Deal):
        with pytest.raises(TriptychError) as error:
            call(options)
        assert message in str(error.value)


@pytest.mark.parametrize("name", CALLS)
def test_an_odd_argument_is_a_typed_error(name: str) -> None:
    call = CALLS[name]
    for kind, odd in ODD.items():
        if odd is None and name in TAKE_NONE:
            continue
        with case(kind):
            with pytest.raises(TriptychError) as error:
                call(odd)
            assert "." in error.value.code
            assert len(str(error.value)) < 700


@pytest.mark.parametrize(
    ("call", "code", "path"),
    [
        (lambda: triptych.analyse(POSITION, error=0), "value.range", "$.error"),
        (lambda: triptych.review("", error=-1), "value.range", "$.error"),
        (lambda: triptych.analyse(POSITION, top=0), "value.range", "$.top"),
        (lambda: triptych.analyse(POSITION, top=True), "value.type", "$.top"),
        (lambda: triptych.error_rates(by="nonsense"), "value.choice", "$.by"),
        (lambda: triptych.score(None), "value.type", "$.players"),
        (lambda: triptych.score({"Ann": ANN, 2: BOB}), "value.type", "$.players"),
        (lambda: triptych.score({"Ann": ANN, "Bob": math.nan}), "value.type", "$.players.Bob"),
        (lambda: triptych.score({"Ann": ANN, "Bob": BOB}, stakes=2), "value.type", "$.stakes"),
        (lambda: triptych.score({"Ann": ANN, "Bob": BOB}, owners=["Ann"]), "value.type", "$.owners"),
        (lambda: triptych.score({"Ann": ANN, "Bob": BOB}, stacks={"Ann": 10**400}), "value.range", "$.stacks.Ann"),
        (lambda: triptych.rules(b"pineapple"), "rules.type", "$.rules"),
        (lambda: triptych.rank(b"AsKsQs"), "value.type", "$"),
        (lambda: triptych.rank([1, 2, 54]), "value.range", "$[2]"),
        (lambda: triptych.rank([1, 2, -1]), "value.range", "$[2]"),
        (lambda: triptych.solve_fantasyland(FOURTEEN, against=ANN), "value.type", "$.against"),
        (lambda: triptych.solve_fantasyland(FOURTEEN, repeat_value=None), "value.type", "$.repeat_value"),
        (
            lambda: triptych.solve_fantasyland(FOURTEEN, repeat_value={14: math.nan}),
            "value.range",
            "$.repeat_value.14",
        ),
        (lambda: triptych.solve_closed(THIRTEEN, opponents=4), "against.count", "$.opponents"),
        (lambda: triptych.outs(BETWEEN, seed=-1), "value.range", "$.seed"),
        (lambda: triptych.play_match("random", object()), "value.type", "$.bots[1]"),
        (lambda: triptych.play_match("random", "random", deals=0), "arena.deals", "$.deals"),
        (lambda: triptych.play_match("random", "random", seed=1.5), "value.type", "$.seed"),
    ],
)
def test_the_error_names_the_parameter(call: Callable[[], object], code: str, path: str) -> None:
    with pytest.raises(TriptychError) as error:
        call()
    assert (error.value.code, error.value.path) == (code, path)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
def test_whole_numbers_of_numpy_are_numbers(kind: type[np.integer[Any]]) -> None:
    cards = [kind(card) for card in (48, 49, 44)]
    assert triptych.rank(cards) == triptych.rank("AcAdKc") == triptych.rank(np.array(cards))
    assert triptych.solve_fantasyland(FOURTEEN, in_row=kind(1)) == triptych.solve_fantasyland(FOURTEEN)
    assert triptych.solve_fantasyland(FOURTEEN, repeat_value={kind(14): kind(8)}).value == 43
    assert triptych.outs(BETWEEN, seed=kind(3)) == triptych.outs(BETWEEN, seed=3)
    assert triptych.play_match("random", "random", deals=kind(2), seed=kind(1)) == triptych.play_match(
        "random", "random", deals=2
    )
    assert triptych.rules("pineapple", **{"scoring.bonus": kind(4)}).scoring.bonus == 4


@pytest.mark.parametrize("kind", [float, np.float32, np.float64])
def test_fractions_of_numpy_are_numbers(kind: type[Any]) -> None:
    """Issue 28.10 too: a half is exact in all of them."""
    boards = {"Ann": ANN, "Bob": BOB}
    result = triptych.score(
        boards, stakes=MappingProxyType({"default": kind(0.5)}), stacks={"Ann": kind(99.5), "Bob": 9}
    )
    assert result.totals == {"Ann": 6.5, "Bob": -6.5}
    assert result.stacks == {"Ann": 106, "Bob": 2.5}
    assert result.sheet.pairs[0].moved.points == 6.5
    assert [(stack.before, stack.after) for stack in result.sheet.stacks] == [(99.5, 106), (9, 2.5)]


def test_boards_and_orders_are_taken_in_any_sequence() -> None:
    rows = [["Qh", "Qd", "7c"], "KsKc9d8c2c", np.array(parse_cards("AcAdTcJc2d"))]
    assert triptych.score({"Bob": BOB, "Ann": rows}, order=("Bob", "Ann")) == triptych.score({"Bob": BOB, "Ann": ANN})
    assert triptych.score({"Ann": ANN, "Bob": BOB}, stacks={"Ann": 5}).stacks == {"Ann": 10}
