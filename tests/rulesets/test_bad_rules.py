"""Malformed rules, each with the code and path of its error (issue 3, Shown by 6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.case_notes import case
from triptych.i18n.messages import Message
from triptych.rulesets.errors import CODES, RulesError
from triptych.rulesets.load import parse_set, read_toml, resolve

THIRTEEN = [0] * 13
KINGS_HALF = {"row": "front", "least": "KK"}
KINGS = {**KINGS_HALF, "cards": 14}

NESTED: dict[str, Any] = {}
for _ in range(5_000):
    NESTED = {"x": NESTED}

# spec, code, path, words of the message
SPECS: list[tuple[Any, str, str, str]] = [
    ("pinapple", "rules.preset", "$.preset", "did you mean pineapple?"),
    ("", "rules.preset", "$.preset", "one of pineapple"),
    ({"preset": "xyz"}, "rules.preset", "$.preset", "unknown preset 'xyz'; one of pineapple"),
    ({"preset": 3}, "rules.extends", "$.preset", "expected a preset's name, got 3"),
    ({"extends": "turboo"}, "rules.preset", "$.extends", "did you mean turbo?"),
    ({"extends": None}, "rules.extends", "$.extends", "expected a preset's name, got None"),
    ({"preset": "turbo", "extends": "turbo"}, "rules.extends", "$.extends", "not both"),
    (3, "rules.type", "$", "expected a preset's name or a table, got int"),
    (["turbo"], "rules.type", "$", "got list"),
    ({"stake.point": 10**400}, "rules.range", "$.stake.point", "out of range"),
    ({"title": "x" * 61}, "rules.range", "$.title", "text of at most 60 letters"),
    ({"title": "x" * 40_000}, "rules.type", "$", "too long"),
    ({"title": "\ud800"}, "rules.type", "$", "not a table of plain values"),
    ({"scoring": NESTED}, "rules.type", "$", "too deep"),
    ({"scoring" + ".x" * 10_000: 1}, "rules.unknown_key", "$.scoring.x.x.x.x.x", "no option stands so deep"),
    ({"a.b.c": {"d.e": {"f": {"g": 1}}}}, "rules.unknown_key", "$.a.b.c.d.e.f", "no option stands so deep"),
    ({"stake.point": object()}, "rules.type", "$", "not a table of plain values"),
    (
        {"scoring.rows": "x"},
        "rules.value",
        "$.scoring.rows",
        "unknown value 'x'; one of per_row, per_row_scoop3, match_1_6, match_2_6, two_four, one_four, first_to_11",
    ),
    ({"scoring": {"rows": 3}}, "rules.value", "$.scoring.rows", "unknown value 3; one of per_row"),
    ({"scoring.rows": ["per_row"]}, "rules.type", "$.scoring.rows", "got a list"),
    ({"scoring.rowz": "x"}, "rules.unknown_key", "$.scoring.rowz", "unknown key; did you mean rows?"),
    ({"scorin.rows": "x"}, "rules.unknown_key", "$.scorin", "did you mean scoring?"),
    ({"qqqq": 1}, "rules.unknown_key", "$.qqqq", "one of name, title, deal"),
    ({"": 1}, "rules.unknown_key", "$.", "unknown key"),
    ({"scoring..rows": "x"}, "rules.unknown_key", "$.scoring.", "unknown key"),
    ({"scoring": "per_row"}, "rules.type", "$.scoring", "expected a table, got the text 'per_row'"),
    ({"scoring": 1, "scoring.rows": "per_row"}, "rules.conflict", "$.scoring", "both as one value and"),
    ({"scoring.rows": "per_row", "scoring.rows.x": 1}, "rules.conflict", "$.scoring.rows", "both"),
    ({"scoring.rows": "per_row", "scoring": 1}, "rules.conflict", "$.scoring", "both"),
    ({"name": 3}, "rules.type", "$.name", "expected text of at most 60 letters, got the number 3"),
    ({"deal.jokers": 3}, "rules.value", "$.deal.jokers", "unknown value 3; one of 0, 1, 2"),
    ({"deal.jokers": "2"}, "rules.value", "$.deal.jokers", "unknown value '2'"),
    ({"deal.game": None}, "rules.value", "$.deal.game", "one of closed, classic"),
    ({"rows.five_of_a_kind": "yes"}, "rules.type", "$.rows.five_of_a_kind", "expected true or false, got the text"),
    ({"rows.five_of_a_kind": 1}, "rules.type", "$.rows.five_of_a_kind", "got the number 1"),
    ({"foul.points": "royal"}, "rules.value", "$.foul.points", "scoop or a whole number from 0 to 1000"),
    ({"foul.points": 1001}, "rules.range", "$.foul.points", "1001 is out of range; scoop or"),
    ({"foul.points": -1}, "rules.range", "$.foul.points", "-1 is out of range"),
    ({"foul.points": 1.5}, "rules.type", "$.foul.points", "got 1.5"),
    ({"foul.points": True}, "rules.value", "$.foul.points", "unknown value True"),
    ({"royalties.table": "amercan"}, "rules.value", "$.royalties.table", "one of none, american, russian"),
    ({"royalties.table": 4}, "rules.type", "$.royalties.table", "expected a table"),
    ({"royalties.table.extends": "x"}, "rules.value", "$.royalties.table.extends", "unknown value 'x'"),
    ({"royalties.table.back.quad": 4}, "rules.unknown_key", "$.royalties.table.back.quad", "did you mean quads?"),
    ({"royalties.table.back.quads": -4}, "rules.range", "$.royalties.table.back.quads", "-4 is out of range"),
    ({"royalties.table.front.pair": [1, 2]}, "rules.range", "$.royalties.table.front.pair", "13 values"),
    ({"royalties.table.front.pair": 9}, "rules.type", "$.royalties.table.front.pair", "a list of 13 values"),
    ({"naturals.table": "thirten_water"}, "rules.value", "$.naturals.table", "thirteen_water"),
    ({"naturals.also": ["flush"]}, "rules.value", "$.naturals.also[0]", "one of one_suit_dragon"),
    ({"naturals.also": "dragon"}, "rules.type", "$.naturals.also", "a list of values"),
    ({"naturals.table.entries": [3]}, "rules.type", "$.naturals.table.entries[0]", "expected a table"),
    ({"naturals.table.entries": [{"units": 3}]}, "rules.missing", "$.naturals.table.entries[0]", "give `kind` here"),
    (
        {"naturals.table.entries": [{"kind": "dragon", "units": 1}, {"kind": "dragon", "units": "x"}]},
        "rules.type",
        "$.naturals.table.entries[1].units",
        "got the text 'x'",
    ),
    ({"surrender.points": "3"}, "rules.type", "$.surrender.points", "expected a whole number from 0 to 1000"),
    ({"surrender": {"points": {}}}, "rules.type", "$.surrender.points", "got a table"),
    ({"fantasyland.kind": "progresive"}, "rules.value", "$.fantasyland.kind", "one of none, classic"),
    ({"fantasyland.kind": 1}, "rules.type", "$.fantasyland.kind", "expected text"),
    (
        {"fantasyland.entry": [KINGS, {**KINGS, "cards": 12}]},
        "rules.range",
        "$.fantasyland.entry[1].cards",
        "13 to 17",
    ),
    ({"fantasyland.entry": [{**KINGS, "cards": 18}]}, "rules.range", "$.fantasyland.entry[0].cards", "out of range"),
    ({"fantasyland.entry": [KINGS] * 17}, "rules.range", "$.fantasyland.entry", "at most 16 values"),
    ({"fantasyland.entry": KINGS}, "rules.type", "$.fantasyland.entry", "got a table"),
    ({"fantasyland.entry": ["KK"]}, "rules.type", "$.fantasyland.entry[0]", "got the text 'KK'"),
    ({"fantasyland.entry": [{**KINGS, "cards": "same"}]}, "rules.type", "$.fantasyland.entry[0].cards", "13 to 17"),
    ({"fantasyland.repeat": [{**KINGS, "cards": 20}]}, "rules.range", "$.fantasyland.repeat[0].cards", "same or a"),
    (
        {"fantasyland.repeat": [{**KINGS, "cards": "more"}]},
        "rules.value",
        "$.fantasyland.repeat[0].cards",
        "same or a",
    ),
    (
        {"fantasyland.entry": [KINGS, {**KINGS, "row": "top"}]},
        "rules.value",
        "$.fantasyland.entry[1].row",
        "front, mi",
    ),
    (
        {"fantasyland.entry": [KINGS, {**KINGS, "least": "QJ"}]},
        "rules.value",
        "$.fantasyland.entry[1].least",
        "is not a hand",
    ),
    ({"fantasyland.entry": [{**KINGS, "least": "KKQ"}]}, "rules.value", "$.fantasyland.entry[0].least", "a hand; "),
    ({"fantasyland.entry": [{**KINGS, "least": "KKKKK"}]}, "rules.value", "$.fantasyland.entry[0].least", "a hand; "),
    ({"fantasyland.entry": [{**KINGS, "least": "10 10"}]}, "rules.value", "$.fantasyland.entry[0].least", "a hand; "),
    ({"fantasyland.entry": [{**KINGS, "least": 7}]}, "rules.type", "$.fantasyland.entry[0].least", "a hand: QQ"),
    (
        {"fantasyland.entry": [{**KINGS, "least": "Q" * 99}]},
        "rules.range",
        "$.fantasyland.entry[0].least",
        "a hand: QQ",
    ),
    ({"fantasyland.entry": [{"least": "KK", "cards": 14}]}, "rules.missing", "$.fantasyland.entry[0]", "give `row`"),
    (
        {"fantasyland.entry": [{"row": "back", "cards": 14}]},
        "rules.missing",
        "$.fantasyland.entry[0]",
        "give `least`",
    ),
    ({"fantasyland.entry": [{"cards": 14}]}, "rules.missing", "$.fantasyland.entry[0]", "or `royalties`, or `all`"),
    ({"fantasyland.entry": [{"row": "front", "least": "KK"}]}, "rules.missing", "$.fantasyland.entry[0]", "`cards`"),
    (
        {"fantasyland.repeat": [{"all": [KINGS_HALF, {"row": "middle", "least": "75"}], "cards": 15}]},
        "rules.value",
        "$.fantasyland.repeat[0].all[1].least",
        "is not a hand",
    ),
    (
        {"fantasyland.repeat": [{"all": [KINGS_HALF, {}], "cards": 15}]},
        "rules.missing",
        "$.fantasyland.repeat[0].all[1]",
        "give `row` and `least`",
    ),
    ({"fantasyland.pair": [13] * 13}, "rules.unknown_key", "$.fantasyland.pair", "unknown key"),
    ({"fantasyland.entry": [{**KINGS, "card": 14}]}, "rules.unknown_key", "$.fantasyland.entry[0].card", "cards"),
    ({"match.kind": "points:0"}, "rules.value", "$.match.kind", "deal_group, orbit, endless, deals:N or points:N"),
    ({"match.kind": "orbit\n"}, "rules.value", "$.match.kind", "deal_group"),
    ({"match.kind": 11}, "rules.type", "$.match.kind", "got the number 11"),
    ({"stake.point": 0}, "rules.range", "$.stake.point", "a number above 0 to 1000000"),
    ({"stake.unit": "thirteen chips"}, "rules.range", "$.stake.unit", "at most 12 letters"),
    ({"clock.seconds": 0}, "rules.range", "$.clock.seconds", "from 1 to 86400"),
    ({"seats.max": 5}, "rules.range", "$.seats.max", "a whole number from 2 to 4"),
    ({"seats.buy_in_max": None}, "rules.type", "$.seats.buy_in_max", "got nothing"),
    ({"tournament.levels": "minutes"}, "rules.value", "$.tournament.levels", "off, minutes:N or deals:N"),
    ({"tournament.chips_per_point": [1, 0]}, "rules.range", "$.tournament.chips_per_point[1]", "0 is out of range"),
]

TEXTS = [
    ("[scoring\nrows = 'per_row'", "rules.toml", "$", "line 1"),
    ("extends = 'turbo'\n\n[rows]\norder = ge", "rules.toml", "$", "line 4"),
    ("[rows]\norder = 'ge'\norder = 'gt'", "rules.toml", "$", "not TOML"),
    (f"title = {'[' * 5_000}", "rules.toml", "$", "too deep"),
    (f"scoring{'.x' * 5_000} = 1", "rules.toml", "$", "a key has at most 16 parts (at line 1, column 38)"),
    (f"scoring{'.x' * 9} = 1", "rules.unknown_key", "$.scoring.x.x.x.x.x", "so deep"),
    (f"title = '{'x' * 40_000}'", "rules.toml", "$", "too long"),
    ("extends = ['turbo']", "rules.extends", "$.extends", "expected a preset's name"),
    ("extends = 'house'", "rules.preset", "$.extends", "unknown preset 'house'"),
    ("[stake]\npoint = nan", "rules.range", "$.stake.point", "nan is out of range"),
    ("[stake]\npoint = inf", "rules.range", "$.stake.point", "inf is out of range"),
    ("[clock]\nseconds = 1979-05-27", "rules.type", "$.clock.seconds", "got date"),
    ("scoring.rows = 'x'", "rules.value", "$.scoring.rows", "one of per_row"),
    ("'scoring.rows' = 'x'", "rules.value", "$.scoring.rows", "one of per_row"),
    ("[[scoring]]\nrows = 'per_row'", "rules.type", "$.scoring", "expected a table, got a list"),
]


def _verify(error: RulesError, code: str, path: str, words: str) -> None:
    assert (error.code, error.path) == (code, path)
    assert isinstance(error.message, Message)
    assert words in error.message
    assert str(error) == (error.message if path == "$" else f"{path}: {error.message}")
    assert code in CODES


def test_bad_spec() -> None:
    for spec, code, path, words in SPECS:
        with case(spec, code, path, words):
            with pytest.raises(RulesError) as caught:
                resolve(spec)
            _verify(caught.value, code, path, words)


def test_bad_text() -> None:
    for text, code, path, words in TEXTS:
        with case(text, code, path, words):
            with pytest.raises(RulesError) as caught:
                read_toml(text)
            _verify(caught.value, code, path, words)


@pytest.mark.parametrize("setting", ["scoring.rows", "=two_four", " = 3", ""])
def test_bad_setting(setting: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_set(["rows.order=gt", setting])
    _verify(caught.value, "rules.set", "$", "is not key=value")


def test_every_code_is_shown() -> None:
    codes = {code for _, code, _, _ in (*SPECS, *TEXTS)} | {"rules.set"}
    assert codes == set(CODES)
