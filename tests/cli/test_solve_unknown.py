"""`triptych solve fantasyland` against boards that are not known and under table stakes (issue 4, parts 2 and 7)."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_solve import ROYAL, solve
from triptych.cards import cards_text, parse_cards
from triptych.rulesets.load import resolve
from triptych.solve.exact.fantasyland import fantasyland
from triptych.solve.jsonl.fantasyland import process_line
from triptych.solve.value.sampled import sample_opponent_boards

BOARD = "QdQs7c/7s7h4d4c3d/6s6h8s8d8h"
TABLE = {"front": "QdQs7c", "middle": "7s7h4d4c3d", "back": "6s6h8s8d8h"}


def test_a_sampled_distribution() -> None:
    """The same seed in the library, on the command line and in JSON gives the same answer."""
    cards = parse_cards(ROYAL)
    samples = sample_opponent_boards(resolve("pineapple"), cards, count=60, opponents=2, seed=9)
    best = fantasyland(cards, samples=samples, repeat_value=11)
    options = ("--against-sample", "60", "--opponents", "2", "--seed", "9", "--repeat-value", "11")
    completed = solve("fantasyland", ROYAL, *options, "--json")
    assert completed.returncode == 0, completed.stderr
    answer = json.loads(completed.stdout)
    assert (answer["front"], answer["middle"], answer["back"]) == tuple(
        cards_text(row) for row in (best.front, best.middle, best.back)
    )
    assert answer["value"] == pytest.approx(best.value)
    line = {"cards": ROYAL, "repeat_value": 11, "sample": {"count": 60, "opponents": 2, "seed": 9}}
    assert process_line(json.dumps(line))[0] | {"id": None} == answer


def test_a_given_distribution() -> None:
    """A sample of weight 0 says nothing, one board of any weight is that board."""
    alone, good = process_line(json.dumps({"cards": ROYAL, "against": [TABLE]}))
    assert good
    other = {"front": "2s3s4s", "middle": "6d7dTdJdAs", "back": "8cTcJcQcKc"}
    spread = [{"boards": [TABLE], "weight": 3}, {"boards": [other], "weight": 0}]
    assert process_line(json.dumps({"cards": ROYAL, "distribution": spread})) == (alone, True)


def test_stacks_limit_the_value() -> None:
    completed = solve("fantasyland", ROYAL, "--against", BOARD, "--stacks", "100,20", "--json")
    assert completed.returncode == 0, completed.stderr
    assert json.loads(completed.stdout)["value"] == 20
    line = {"cards": ROYAL, "against": [TABLE], "stacks": [100, 20], "place": 1}
    assert process_line(json.dumps(line))[0]["value"] == 20


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--against-sample", "0", "--seed", "3"), "against.count"),
        (("--against-sample", "5", "--opponents", "3"), "cards.count"),
        (("--against-sample", "5", "--against", BOARD), "against.count"),
        (("--stacks", "5,x", "--against", BOARD), "line.type"),
        (("--stacks", "5", "--against", BOARD), "stacks.count"),
        (("--place", "1", "--against", BOARD), "line.missing"),
    ],
)
def test_refusals(arguments: tuple[str, ...], code: str) -> None:
    completed = solve("fantasyland", ROYAL, *arguments, "--json")
    assert completed.returncode == 1
    assert json.loads(completed.stdout)["error"]["code"] == code


@pytest.mark.parametrize(
    ("line", "code", "path"),
    [
        ({"distribution": 4}, "line.type", "$.distribution"),
        ({"distribution": []}, "against.count", "$.distribution"),
        ({"distribution": [4]}, "line.type", "$.distribution[0]"),
        ({"distribution": [{}]}, "line.missing", "$.distribution[0].boards"),
        ({"distribution": [{"boards": {}}]}, "line.type", "$.distribution[0].boards"),
        ({"distribution": [{"boards": [TABLE], "weight": "x"}]}, "line.type", "$.distribution[0].weight"),
        ({"distribution": [{"boards": [TABLE], "odds": 1}]}, "line.unknown_key", "$.distribution[0].odds"),
        (
            {"distribution": [{"boards": [{**TABLE, "front": "QdQsAh"}]}]},
            "card.duplicate",
            "$.distribution[0].boards[0].front[2]",
        ),
        ({"sample": 5}, "line.type", "$.sample"),
        ({"sample": {"count": 1.5}}, "line.type", "$.sample.count"),
        ({"sample": {"number": 5}}, "line.unknown_key", "$.sample.number"),
        ({"sample": {"count": 0}}, "against.count", "$.sample.count"),
        ({"sample": {}, "distribution": []}, "line.unknown_key", "$.sample"),
        ({"stacks": 5}, "line.type", "$.stacks"),
        ({"stacks": ["x"]}, "line.type", "$.stacks[0]"),
        ({"against": [TABLE], "stacks": [5, 5], "place": 0.5}, "line.type", "$.place"),
        ({"place": 1}, "line.missing", "$.stacks"),
    ],
)
def test_bad_lines(line: dict[str, object], code: str, path: str) -> None:
    body, good = process_line(json.dumps({"id": 9, "cards": ROYAL, **line}))
    assert not good
    error = body["error"]
    assert isinstance(error, dict)
    assert (error["code"], error["path"], body["id"]) == (code, path, 9)
