"""A table of bad scoring lines: each with its code and path, the deal unscored. Rules §8."""

from __future__ import annotations

import copy
import json
from typing import Any

from tests.case_notes import case
from triptych.scoring.errors import CODES
from triptych.scoring.jsonl.answer import process_line

GOOD: dict[str, Any] = {
    "id": 7,
    "rules": {"preset": "closed_1_6"},
    "players": {
        "P1": {"front": "KsJs5d", "middle": "2c3c4cJcKc", "back": "2h6h9hThAh"},
        "P2": {"front": "AcQcTc", "middle": "9s9d8c3h2s", "back": "4s4d4h7h7s"},
    },
}
DRAGON = "AsKhQdJcTs9h8d7c6s5h4d3c2s"
PAIRS: dict[str, Any] = {"id": 7, "rules": "pineapple", "order": ["A", "B"], "pairs": {"A-B": 3}}


def changed(path: str, value: object, base: dict[str, Any] = GOOD) -> dict[str, Any]:
    """Return a copy of a good line with one value put in place; None removes it."""
    document = copy.deepcopy(base)
    *above, last = path.split("/")
    table = document
    for key in above:
        table = table[key]
    if value is None:
        del table[last]
    else:
        table[last] = value
    return document


BAD: list[tuple[str | bytes | dict[str, Any], str, str]] = [
    ("{", "line.json", "$"),
    ('{"id": 1,}', "line.json", "$"),
    ('{"id": "\x80"}'.encode("latin-1"), "line.json", "$"),
    ("[" * 100_000, "line.json", "$"),
    ("[]", "line.type", "$"),
    ("null", "line.type", "$"),
    ({}, "line.missing", "$.rules"),
    (changed("rules", None), "line.missing", "$.rules"),
    (changed("rules", 3), "line.type", "$.rules"),
    (changed("rules", "chess"), "rules.preset", "$.rules.preset"),
    (changed("rules", {"preset": "chess"}), "rules.preset", "$.rules.preset"),
    (changed("rules/scoring.rows", "most"), "rules.value", "$.rules.scoring.rows"),
    (changed("rules/scoring.colour", "red"), "rules.unknown_key", "$.rules.scoring.colour"),
    (changed("rules/surrender.points", -1), "rules.range", "$.rules.surrender.points"),
    (
        changed("rules", {"preset": "pineapple_joker", "rows.tie_break": "suits"}),
        "rules.tie_break",
        "$.rules.rows.tie_break",
    ),
    (changed("players", None), "line.missing", "$.players"),
    (changed("players", []), "line.type", "$.players"),
    (changed("players", {}), "players.count", "$.players"),
    (changed("players/P2", None), "players.count", "$.players"),
    (changed("players", {name: {"surrender": True} for name in "ABCDE"}), "players.count", "$.players"),
    (changed("players/", {"surrender": True}), "players.name", "$.players"),
    (changed("players/P2", "surrender"), "line.type", "$.players.P2"),
    (changed("players/P2", {}), "line.missing", "$.players.P2.front"),
    (changed("players/P2/back", None), "line.missing", "$.players.P2.back"),
    (changed("players/P2/hand", "AhAd"), "line.unknown_key", "$.players.P2.hand"),
    (changed("players/P1/front", 3), "line.type", "$.players.P1.front"),
    (changed("players/P1/front", ["Ks", "Js", "5d"]), "line.type", "$.players.P1.front"),
    (changed("players/P1/front", "KsJs"), "row.size", "$.players.P1.front"),
    (changed("players/P1/front", "KsJs5d5c"), "row.size", "$.players.P1.front"),
    (changed("players/P1/middle", ""), "row.size", "$.players.P1.middle"),
    (changed("players/P1/front", "KsJs5x"), "card.unknown", "$.players.P1.front[2]"),
    (changed("players/P1/front", "KsJx5d"), "card.unknown", "$.players.P1.front[1]"),
    (changed("players/P1/front", "KsJs5"), "card.unknown", "$.players.P1.front[2]"),
    (changed("players/P1/front", "1sJs5d"), "card.unknown", "$.players.P1.front[0]"),
    (changed("players/P1/front", "??Js5d"), "card.unknown", "$.players.P1.front[0]"),
    (changed("players/P1/front", "KsKs5d"), "card.duplicate", "$.players.P1.front[1]"),
    (changed("players/P1/back", "2h6h9hThKs"), "card.duplicate", "$.players.P1.back[4]"),
    (changed("players/P2/back", "4s4d4h7h5d"), "card.duplicate", "$.players.P2.back[4]"),
    (changed("players/P1/front", "KsX15d"), "card.joker", "$.players.P1.front[1]"),
    (changed("players/P2/surrender", "yes"), "line.type", "$.players.P2.surrender"),
    (changed("players/P2/surrender", True), "player.fields", "$.players.P2.front"),
    (changed("players/P2/natural", DRAGON), "player.fields", "$.players.P2.front"),
    (changed("players/P2", {"natural": DRAGON, "surrender": True}), "player.fields", "$.players.P2.natural"),
    (changed("players/P2", {"natural": "AhKh"}), "row.size", "$.players.P2.natural"),
    (changed("players/P2", {"natural": DRAGON}), "card.duplicate", "$.players.P2.natural[3]"),
    (
        changed("players/P2", {"natural": "AsAdKhKdQsQhQd9s9d8s7s6d3d"}),
        "player.natural",
        "$.players.P2.natural",
    ),
    (
        {**changed("players/P2", {"surrender": True}), "rules": "closed_basic"},
        "player.surrender",
        "$.players.P2.surrender",
    ),
    (changed("players/P1/fantasyland", 14), "line.type", "$.players.P1.fantasyland"),
    (changed("players/P1/fantasyland", {}), "line.missing", "$.players.P1.fantasyland.cards"),
    (changed("players/P1/fantasyland", {"cards": 12}), "value.range", "$.players.P1.fantasyland.cards"),
    (changed("players/P1/fantasyland", {"cards": True}), "line.type", "$.players.P1.fantasyland.cards"),
    (
        changed("players/P1/fantasyland", {"cards": 14, "in_row": 0}),
        "value.range",
        "$.players.P1.fantasyland.in_row",
    ),
    (
        changed("players/P1/fantasyland", {"cards": 14, "row": 1}),
        "line.unknown_key",
        "$.players.P1.fantasyland.row",
    ),
    (changed("players/P1/declared", ["back"]), "line.unknown_key", "$.players.P1.declared"),
    (
        {**changed("players/P1/declared", ["tail"]), "rules": {"royalties.declare": "must"}},
        "line.type",
        "$.players.P1.declared[0]",
    ),
    (changed("order", "P1"), "line.type", "$.order"),
    (changed("order", ["P1", 2]), "line.type", "$.order[1]"),
    (changed("order", ["P1", "P1"]), "player.duplicate", "$.order[1]"),
    (changed("order", ["P1", "P3"]), "player.unknown", "$.order[1]"),
    (changed("order", ["P1"]), "line.missing", "$.order"),
    (changed("stakes", 10), "line.type", "$.stakes"),
    (changed("stakes", {"P1-P3": 10}), "player.unknown", "$.stakes.P1-P3"),
    (changed("stakes", {"P1-P2": "ten"}), "line.type", "$.stakes.P1-P2"),
    (changed("stakes", {"P1-P2": -1}), "value.range", "$.stakes.P1-P2"),
    (changed("stakes", {"P1-P2": 1, "P2-P1": 2}), "player.duplicate", "$.stakes.P2-P1"),
    (changed("stacks", {"P3": 10}), "player.unknown", "$.stacks.P3"),
    (changed("stacks", {"P1": -10}), "value.range", "$.stacks.P1"),
    (changed("stacks", {"P1": True}), "line.type", "$.stacks.P1"),
    (changed("owners", {"P1": "X"}), "line.missing", "$.owners.P2"),
    (changed("owners", {"P1": "X", "P2": "X"}), "players.count", "$.owners"),
    (changed("owners", {"P1": "X", "P2": 2}), "line.type", "$.owners.P2"),
    (changed("owners", {"P1": "X", "P2": ""}), "line.type", "$.owners.P2"),
    (changed("owners", {"P1": "X", "P2": "Y", "P3": "X"}), "player.unknown", "$.owners.P3"),
    (changed("winner", "P1"), "line.unknown_key", "$.winner"),
    (changed("pairs", {"P1-P2": 3}), "line.unknown_key", "$.pairs"),
    (changed("pairs", {"A-C": 3}, PAIRS), "player.unknown", "$.pairs.A-C"),
    (changed("pairs", {"A-B": 3, "B-A": -3}, PAIRS), "player.duplicate", "$.pairs.B-A"),
    (changed("pairs", {"A-B": None}, PAIRS), "line.type", "$.pairs.A-B"),
    (changed("pairs", {"A-B": 1e300}, PAIRS), "value.range", "$.pairs.A-B"),
    (changed("pairs", {"A-B": 10**12 + 1}, PAIRS), "value.range", "$.pairs.A-B"),
    (changed("pairs", {"A-B": -(10**12) - 1}, PAIRS), "value.range", "$.pairs.A-B"),
    (changed("order", None, PAIRS), "players.count", "$.order"),
    ({"rules": "pineapple", "points": {"A": 3, "B": -2}}, "points.sum", "$.points"),
    (
        {"rules": "pineapple", "order": ["A", "B-A", "A-B"], "pairs": {}},
        "players.name",
        "$.players",
    ),
]


def test_bad_line() -> None:
    for line, code, path in BAD:
        with case(line, code, path):
            text = json.dumps(line) if isinstance(line, dict) else line
            answer, good = process_line(text)
            assert not good
            error = answer["error"]
            assert isinstance(error, dict)
            assert (error["code"], error["path"]) == (code, path)
            assert error["message"]
            assert answer["id"] == (line.get("id") if isinstance(line, dict) else None)


def test_the_good_lines_are_good() -> None:
    assert process_line(json.dumps(GOOD))[1]
    assert process_line(json.dumps(PAIRS))[1]
    for largest in (10**12, -(10**12)):
        assert process_line(json.dumps(changed("pairs", {"A-B": largest}, PAIRS)))[0]["totals"] == {
            "A": largest,
            "B": -largest,
        }
    for least in ({"stakes": {"A-B": 0}}, {"stacks": {"A": 0, "B": 5}}):
        assert process_line(json.dumps({**PAIRS, **least}))[1]


def test_every_code_is_shown() -> None:
    codes = {code for _, code, _ in BAD} | {"line.size"}  # the last in test_cases.py
    assert set(CODES) <= codes
