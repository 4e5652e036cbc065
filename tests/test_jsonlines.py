"""JSON from outside: whatever is wrong is named by one code and one path (Rules §8)."""

from __future__ import annotations

import json
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.json_input import (
    CODES,
    Json,
    JsonInputError,
    convert_to,
    decode_as,
    read_object,
    read_rules,
    reply_to_line,
)


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
    with pytest.raises(JsonInputError) as decode_error:
        decode_as(text, msgspec.json.Decoder(Question))
    with pytest.raises(JsonInputError) as convert_error:
        convert_to(read_object(text), Question)
    assert (
        (decode_error.value.code, decode_error.value.path)
        == (convert_error.value.code, convert_error.value.path)
        == (code, path)
    )
    assert code in CODES


class Sit(msgspec.Struct, tag_field="do", tag="sit"):
    points: Annotated[int, msgspec.Meta(ge=1, le=500)]


class Offer(msgspec.Struct, tag_field="do", tag="offer"):
    points: Annotated[int, msgspec.Meta(ge=0)]


class Form(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)] = "x"
    note: Annotated[str, msgspec.Meta(max_length=60)] = ""
    level: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 1
    share: Annotated[float, msgspec.Meta(ge=0)] = 0.5
    levels: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1)], ...], msgspec.Meta(max_length=3)] = ()
    kind: Literal["deals", "minutes"] = "deals"
    until: int | None = None
    sized: dict[str, Annotated[int, msgspec.Meta(le=9)]] = {}
    act: Sit | Offer = msgspec.field(default_factory=lambda: Sit(1))
    acts: tuple[Sit | Offer, ...] = ()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", '""', "text of 1 to 40 letters"),
        ("note", "3", "text of at most 60 letters"),
        ("level", "0", "a whole number from 1 to 10000"),
        ("level", "10001", "a whole number from 1 to 10000"),
        ("level", "2.5", "a whole number from 1 to 10000"),
        ("share", "-1", "a number from 0"),
        ("levels[1]", "[1, 0]", "a whole number from 1"),
        ("levels", "[1, 2, 3, 4]", "a list of at most 3 values, each a whole number from 1"),
        ("kind", '"days"', "one of deals, minutes"),
        ("until", '"noon"', "a whole number or nothing"),
        ("sized[...]", '{"a": 10}', "a whole number up to 9"),
        ("act.points", '{"do": "sit", "points": 501}', "a whole number from 1 to 500"),
        ("act.points", '{"do": "offer", "points": -1}', "a whole number from 0"),
        ("acts[1].points", '[{"do": "sit", "points": 1}, {"do": "offer", "points": -1}]', "a whole number from 0"),
        ("act.do", '{"do": "stand"}', "one of sit, offer"),
        ("act", "7", "a table"),
    ],
)
def test_the_values_of_a_field_are_described_in_words_with_all_limits(field: str, value: str, words: str) -> None:
    """Issue 28.2: people read "Expected `int` >= 1"."""
    text = f'{{"{field.partition("[")[0].partition(".")[0]}": {value}}}'
    with pytest.raises(JsonInputError) as decode_error:
        decode_as(text, msgspec.json.Decoder(Form))
    with pytest.raises(JsonInputError) as convert_error:
        convert_to(read_object(text), Form)
    assert (decode_error.value.path, decode_error.value.message) == (f"$.{field}", f"expected {words}")
    assert str(decode_error.value) == str(convert_error.value)


def test_a_field_that_is_missing_or_unknown_is_named() -> None:
    with pytest.raises(JsonInputError, match="give 'name' here"):
        decode_as("{}", msgspec.json.Decoder(Named))
    with pytest.raises(JsonInputError, match="no key 'colour' belongs here"):
        decode_as('{"colour": 1}', msgspec.json.Decoder(Form))
    # What is broken further on is no reason to fail.
    with pytest.raises(JsonInputError, match="expected another value"):
        decode_as('{"level": 0, "act": {', msgspec.json.Decoder(Form))


class Named(msgspec.Struct):
    name: str


@pytest.mark.parametrize("text", ["", "{", "nonsense", "\x00", b'"\xff"', "[" * 100_000])
def test_text_that_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(JsonInputError) as caught:
        read_object(text)
    assert (caught.value.code, caught.value.path) == ("line.json", "$")


@pytest.mark.parametrize("text", ["1e999", '{"a": 1e999}', '{"parts": [{"size": 1e999}]}'])
def test_a_number_that_no_machine_holds(text: str) -> None:
    with pytest.raises(JsonInputError) as caught:
        read_object(text)
    assert caught.value.code == "value.range"


@given(st.one_of(st.text(), st.binary(), st.dictionaries(st.text(), st.integers()).map(json.dumps)))
def test_every_line_is_answered(line: str | bytes) -> None:
    """Whatever comes in: an answer with the line's own id, or an error with a code."""
    reply, good = reply_to_line(line, lambda document: {"keys": len(document)})
    if good:
        assert reply["keys"] == len(json.loads(line))
    else:
        assert msgspec.convert(reply["error"], dict[str, str])["code"] in CODES


def test_an_answer_keeps_the_id_also_when_it_refuses() -> None:
    def refuse(_: Json) -> Json:
        raise JsonInputError("line.missing", "a key", "$.key")

    error = {"code": "line.missing", "message": "a key", "path": "$.key"}
    assert reply_to_line('{"id": [1]}', refuse) == ({"id": [1], "error": error}, False)


def test_rules_in_a_line_are_wrong_where_they_stand_in_it() -> None:
    with pytest.raises(JsonInputError) as caught:
        read_rules({"preset": "pineapple", "scoring.rows": "most"}, "$.deals[2].rules")
    assert (caught.value.code, caught.value.path) == ("rules.value", "$.deals[2].rules.scoring.rows")
