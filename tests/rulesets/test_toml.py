"""What strangers send as TOML is bounded before it is parsed (issue 10, part 3, point 1); the rest is tomllib's."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from triptych.rulesets.toml import MAX_DEPTH, MAX_KEY_LENGTH, MAX_PARTS, TomlError, parse_toml

# Strings, comments and brackets that could hide a dot from one reader and show it to the other.
PIECES = st.sampled_from(
    [
        *('a = "x.y"', "b = 'x.y'", 'c = """x\n.y"""', "d = '''x\n.y'''", '"q.r" = 1', "'s.t' = 1", "u.v.w = 1.5"),
        *('e = """"x""""', "f = ''''x''''", 'g = "\\"."', 'h = """\\""""', "# i.j.k \" ' [", "[t.a]", "[[t.b]]"),
        *(
            "l = [1, [2.5, 'x']]",
            "m = { n = { o.p = 1 } }",
            'r = """x',
            "s = '''x",
            't = "x',
            "u = 'x",
            "=",
            "]",
            '"',
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=8).map("\n".join)
DOTTED = ".".join("k" * (MAX_PARTS + 1))


def read(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


@given(TEXTS | st.text(max_size=40))
def test_a_text_within_the_bounds_is_read_as_by_the_standard_library(text: str) -> None:
    try:
        value: dict[str, Any] | None = parse_toml(text)
    except TomlError:
        value = None
    assert repr(value) == repr(read(text))  # by repr, because nan is not nan


@given(TEXTS, TEXTS)
@example('x = """\\""" y"""', "")
@example("", "")
def test_no_string_hides_a_key_of_too_many_parts(before: str, after: str) -> None:
    for text in (f"{before}\n{DOTTED} = 1\n{after}", f"{before}\n[{DOTTED}]\n{after}", f"z = {{ {DOTTED} = 1 }}\n"):
        if "k" in str(read(text)) and DOTTED not in str(read(text)):
            with pytest.raises(TomlError, match=f"a key has at most {MAX_PARTS} parts"):
                parse_toml(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"a = 1\nb = 2\n{DOTTED} = 1", r"a key has at most 16 parts \(at line 3, column 32\)"),
        ('"a" . ' * 17 + "b = 1", "a key has at most 16 parts"),
        ("a = " + "[" * (MAX_DEPTH + 1), r"lists or tables stand too deep, at most 32 \(at line 1, column 37\)"),
        ("a = " + "{b = " * (MAX_DEPTH + 1), "lists or tables stand too deep, at most 32"),
        ("a = " + "9" * 5_000, r"a bare word or number has at most 256 letters \(at line 1, column 5\)"),
        ("a = 0x" + "f" * 5_000, "a bare word or number has at most 256 letters"),
        ("a = 1\n\nb = ", "expected a value.*at line 3, the end"),
        ("a 1", r"expected a line such as key = value.*at line 1, column 3"),
        ("a = 1\na = 2", "given twice"),
        ("a = [1", "a bracket is not closed"),
        ('a = "x', "text is not closed"),
        ("\n" + "[" * (MAX_DEPTH + 1), r"\(at line 2, column 33\)"),
    ],
)
def test_a_refusal_names_what_and_where(text: str, message: str) -> None:
    with pytest.raises(TomlError, match=message):
        parse_toml(text)


def test_brackets_that_are_closed_do_not_count() -> None:
    text = "\n".join(f"k{number} = [[1], {{ a = 2 }}]" for number in range(MAX_DEPTH))
    assert parse_toml(text) == tomllib.loads(text)


def test_text_at_the_bounds_is_read() -> None:
    parts = ".".join("k" * MAX_PARTS)
    assert parse_toml(f"{parts} = 1") == tomllib.loads(f"{parts} = 1")
    deep = "a = " + "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse_toml(deep) == tomllib.loads(deep)
    assert parse_toml("a = " + "9" * MAX_KEY_LENGTH) == {"a": int("9" * MAX_KEY_LENGTH)}
