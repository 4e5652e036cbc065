"""Puzzles as lines of JSON. Issue 14, part 5; docs/reference/files.md."""

from __future__ import annotations

import msgspec
import pytest

from triptych.notation.position import parse_position
from triptych.rulesets.load import resolve
from triptych.rulesets.model import streets
from triptych.solve.puzzles.model import PuzzleError, collections, puzzle_id, puzzle_line, read_puzzles
from triptych.solve.puzzles.themes import THEMES

SPEC = {"preset": "pineapple"}
LINE = (
    '{"id":"f0667a51ff4f","rules":{"preset":"pineapple"},"position":"QhKd/2d5c5s/9sTs -?? | *QdQc/Ks/4c5d +7hAhJs",'
    '"street":2,"choices":[["/Ah/7h -Js",4.33,0.11,0.43,1.69,-1.41,3.62,0.46,0.54],'
    '["/AhJs/ -7h",1.77,0.11,0.26,0.76,-1.97,2.71,0.56,0.44]],"tempting":1,"lead":2.53,"error":0.314,'
    '"missed":{"novice":1.0,"fast":1.0,"medium":0.125},"rating":1550,"themes":["outs"],"deal":[1,0]}'
)


def test_a_line_is_read_and_written_as_it_was() -> None:
    (puzzle,) = read_puzzles([LINE], SPEC)
    assert puzzle_line(puzzle) == LINE
    assert puzzle.best.layout.middle == ("Ah",)
    assert puzzle.best.layout.back == ("7h",)


@pytest.mark.parametrize(
    ("line", "code", "path"),
    [
        ("{", "puzzle.line", "$[2]"),
        (LINE.replace('"street":2', '"street":"two"'), "puzzle.line", "$[2]"),
        (LINE.replace("QhKd/", "QhQh/"), "puzzle.line", "$[2].position"),
        (LINE.replace('"pineapple"', '"turbo"'), "puzzle.rules", "$[2].rules"),
    ],
)
def test_a_line_that_is_no_puzzle_of_these_rules_is_named(line: str, code: str, path: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        list(read_puzzles([LINE, line], SPEC))
    assert (caught.value.code, caught.value.path) == (code, path)


def test_suits_and_the_order_within_a_row_make_no_other_position() -> None:
    position = parse_position("QhKd/2d5c5s/9sTs -?? | *QdQc/Ks/4c5d +7hAhJs")
    renamed = parse_position("KhQc/5s2h5d/9dTd -?? | *QsQh/Kd/4s5h +AcJd7c")
    other_row = parse_position("QhKd/2d5c5s/9sTs -?? | *QdQc/4c/Ks5d +7hAhJs")
    other_seat = parse_position("*QhKd/2d5c5s/9sTs +7hAhJs -?? | QdQc/Ks/4c5d")
    assert puzzle_id(SPEC, position) == puzzle_id(SPEC, renamed)
    assert len({puzzle_id(SPEC, place) for place in (position, other_row, other_seat)}) == 3
    assert puzzle_id({"preset": "turbo"}, position) != puzzle_id(SPEC, position)


@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_every_installed_puzzle_keeps_its_promise(step: int) -> None:
    """One placement is clearly best, the tempting one is another, and none is there twice."""
    assert collections()
    for collection in collections():
        rules = resolve(collection.spec)
        lines = collection.content.decode().splitlines()
        puzzles = list(read_puzzles(lines[::step], collection.spec))
        assert len(lines) == collection.count
        assert len({puzzle.id for puzzle in puzzles}) == len(puzzles) == -(-collection.count // step)
        for number, puzzle in enumerate(puzzles):
            position = parse_position(puzzle.position)
            own = position.hands[position.acting[0]]
            assert number % 10 or puzzle.id == puzzle_id(collection.spec, position)  # all names of suits: slow
            assert puzzle.lead - 3 * puzzle.error >= 0.39, puzzle.id  # 0.4, both rounded
            assert 0 < puzzle.tempting < len(puzzle.choices)
            assert puzzle.missed["fast"] == 1
            assert set(puzzle.themes) <= set(THEMES)
            best = puzzle.best.layout
            laid = {*best.front, *best.middle, *best.back}
            assert laid <= {*own.drawn}, rules.name
            assert len(laid) == streets(rules)[puzzle.street - 1].placed, rules.name
            assert all(choice.value < puzzle.best.value for choice in puzzle.choices[1:])
            assert puzzle_line(puzzle) == msgspec.json.encode(puzzle).decode()
