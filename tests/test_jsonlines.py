"""JSON from outside: whatever is wrong is named by one code and one path (LAW 8)."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.jsonlines import CODES, Json, LineError, answered, converted, read_as, read_object, read_rules


class Part(msgspec.Struct, forbid_unknown_fields=True):
    size: int


class Question(msgspec.Struct, forbid_unknown_fields=True):
    parts: tuple[Part, ...]
    name: str = ""


WRONG = [
    ('{"parts": 3}', "line.type", "$.parts"),
    ('{"parts": [{"size": "3"}]}', "line.type", "$.parts[0].size"),
    ('{"parts": [{}]}', "line.missing", "$.parts[0].size"),
    ("{}", "line.missing", "$.parts"),
    ('{"parts": [], "more": 1}', "line.unknown_key", "$.more"),
    ('{"parts": [{"size": 1, "more": 1}]}', "line.unknown_key", "$.parts[0].more"),
]


@pytest.mark.parametrize(("text", "code", "path"), WRONG)
def test_a_form_that_is_not_met_names_the_field(text: str, code: str, path: str) -> None:
    with pytest.raises(LineError) as read:
        read_as(text, msgspec.json.Decoder(Question))
    with pytest.raises(LineError) as made:
        converted(read_object(text), Question)
    assert (read.value.code, read.value.path) == (made.value.code, made.value.path) == (code, path)
    assert code in CODES


@pytest.mark.parametrize("text", ["", "{", "nonsense", "\x00", b'"\xff"', "[" * 100_000])
def test_what_is_no_json(text: str | bytes) -> None:
    with pytest.raises(LineError) as caught:
        read_object(text)
    assert (caught.value.code, caught.value.path) == ("line.json", "$")


@pytest.mark.parametrize("text", ["1e999", '{"a": 1e999}', '{"parts": [{"size": 1e999}]}'])
def test_a_number_that_no_machine_holds(text: str) -> None:
    with pytest.raises(LineError) as caught:
        read_object(text)
    assert caught.value.code == "value.range"


@given(st.one_of(st.text(), st.binary(), st.dictionaries(st.text(), st.integers()).map(json.dumps)))
def test_every_line_is_answered(line: str | bytes) -> None:
    """Whatever comes in: an answer with the line's own id, or an error with a code."""
    found, good = answered(line, lambda document: {"keys": len(document)})
    if good:
        assert found["keys"] == len(json.loads(line))
    else:
        assert msgspec.convert(found["error"], dict[str, str])["code"] in CODES


def test_an_answer_keeps_the_id_also_when_it_refuses() -> None:
    def refuse(_: Json) -> Json:
        raise LineError("line.missing", "a key", "$.key")

    error = {"code": "line.missing", "message": "a key", "path": "$.key"}
    assert answered('{"id": [1]}', refuse) == ({"id": [1], "error": error}, False)


def test_rules_in_a_line_are_wrong_where_they_stand_in_it() -> None:
    with pytest.raises(LineError) as caught:
        read_rules({"preset": "pineapple", "scoring.rows": "most"}, "$.deals[2].rules")
    assert (caught.value.code, caught.value.path) == ("rules.value", "$.deals[2].rules.scoring.rows")
