"""What stands in an answer of the scoring contract, and in which form. Rules §8."""

from __future__ import annotations

import json
from typing import Any

import pytest

from triptych.scoring.jsonl.answer import process_line

# P1 wins all three rows of everybody else's boards.
P1 = {"front": "AcAdQd", "middle": "KdKcKh6d6c", "back": "JdJcJhJs8d"}
P2 = {"front": "Td3c2c", "middle": "9c9d4c3d2s", "back": "QcQhTc6s3h"}
SIX_PAIRS = {"natural": "AsAhTsTh8s8h7s7h5s5h4s4h2d"}
MIS_SET = {"front": "9s9h2h", "middle": "Qs7d5d4d3s", "back": "8c7c6h5c4c"}
# Four fours in the back, a full house in the middle, three deuces in front: 4, 2 and 3 units.
OTHER = {"front": "Td8h5s", "middle": "Th9d7c6s5h", "back": "QcQhTc6h8s"}
RICH = {"front": "2c2d2h", "middle": "3c3d3h9s9c", "back": "4c4d4h4sKd"}


def scored(rules: object, players: dict[str, Any], **more: Any) -> dict[str, Any]:
    body, good = process_line(json.dumps({"rules": rules, "players": players, **more}))
    assert good, body
    return body


def settled(**document: Any) -> dict[str, Any]:
    body, good = process_line(json.dumps({"rules": "pineapple", "order": ["A", "B"], **document}))
    assert good, body
    return body


def test_only_boards_have_royalties() -> None:
    """Under `foul.scope = rows` a board that is out of order keeps those of its other rows."""
    players = {"P1": P1, "P2": MIS_SET, "P3": SIX_PAIRS, "P4": {"surrender": True}}
    by_rows = scored({"preset": "closed_1_6", "foul.scope": "rows"}, players)
    assert list(by_rows["royalties"]) == ["P1", "P2"]
    assert by_rows["legal"] == {"P1": True, "P2": False}
    assert list(scored("closed_1_6", players)["royalties"]) == ["P1"]


@pytest.mark.parametrize("holder", ["first", "last"])
def test_a_natural_is_paid_first(holder: str) -> None:
    """Rules §4; source 003 L41, by hand: P2 brings 3, and owes P1 6 and the holder of six pairs 3."""
    players = {"P1": P1, "P2": P2, "P3": SIX_PAIRS}
    order = ["P1", "P3", "P2"] if holder == "first" else ["P1", "P2", "P3"]
    rules = {"preset": "closed_1_6", "royalties.table": "none"}
    body = scored(rules, players, order=order, stacks={"P1": 50, "P2": 3, "P3": 50})
    assert body["stacks"] == {"P1": 47, "P2": 0, "P3": 56}


def test_a_stack_that_is_not_counted_is_not_in_the_answer() -> None:
    """Rules §8: `stacks` only if given; a player missing there has no limit."""
    assert settled(pairs={"A-B": 3}, stacks={"A": 100})["stacks"] == {"A": 103}
    assert settled(pairs={"A-B": 3}, stacks={"A": 100, "B": 2})["stacks"] == {"A": 102, "B": 0}


def test_a_pair_can_be_named_in_either_direction() -> None:
    body = settled(pairs={"B-A": 3})
    assert (body["pairs"], body["totals"]) == ({"A-B": -3}, {"A": -3, "B": 3})


@pytest.mark.parametrize(
    ("points", "stake", "won"), [(3, 0.1, "0.3"), (3, 0.5, "1.5"), (2, 0.5, "1"), (-3, 0.7, "-2.1"), (3, 1, "3")]
)
def test_amounts_have_no_noise_of_binary_fractions(points: int, stake: float, won: str) -> None:
    """0.1 x 3 is 0.30000000000000004 to a machine; a whole amount is told as one."""
    assert json.dumps(settled(pairs={"A-B": points}, stakes={"A-B": stake})["totals"]["A"]) == won


@pytest.mark.parametrize(
    ("declared", "royalties"),
    [
        (["front", "middle", "back"], [3, 2, 4]),
        (["back"], [0, 0, 4]),
        (["middle"], [0, 2, 0]),
        (["front"], [3, 0, 0]),
        ([], [0, 0, 0]),
        (None, [0, 0, 0]),
    ],
)
def test_an_undeclared_royalty_of_a_line_is_lost(declared: list[str] | None, royalties: list[int]) -> None:
    """Rules §4 (`royalties.declare = must`); source 003 L36."""
    rich = RICH if declared is None else {**RICH, "declared": declared}
    body = scored({"preset": "closed_1_6", "royalties.declare": "must"}, {"P1": rich, "P2": OTHER})
    assert list(body["royalties"]["P1"].values()) == royalties


def test_a_fantasyland_is_the_first_unless_it_says_otherwise() -> None:
    """Rules §5 (`classic_once`): one repeat in a row, so the first may be repeated and the second not."""
    fantasylands = [{"cards": 13}, {"cards": 13, "in_row": 1}, {"cards": 13, "in_row": 2}]
    again = [
        scored("ofc_russian", {"P1": {**RICH, "fantasyland": fantasyland}, "P2": OTHER})
        for fantasyland in fantasylands
    ]
    assert [body["fantasyland"]["P1"] for body in again] == [13, 13, 0]


def test_a_stake_between_owners_holds_for_all_their_boards() -> None:
    """Rules §8 (criss-cross): totals by owner after stakes; X1-X2 do not play each other."""
    document = {
        "rules": "criss_cross",
        "order": ["X1", "Y1", "X2", "Y2"],
        "owners": {"X1": "X", "Y1": "Y", "X2": "X", "Y2": "Y"},
        "pairs": {"X1-Y1": 1, "X1-Y2": 1, "Y1-X2": -1, "X2-Y2": 1},
    }
    for key in ("X-Y", "Y-X"):
        body, good = process_line(json.dumps({**document, "stakes": {key: 5}}))
        assert good
        assert body["totals"] == {"X": 20, "Y": -20}
