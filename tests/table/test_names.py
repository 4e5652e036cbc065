"""Names that can be read and told apart (issue 10, part 3, point 7)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.table.names import are_alike, readable_line, readable_name, unique_name

# Issue 10, part 3, point 7, and DerivedCoreProperties.txt (Default_Ignorable_Code_Point), besides U+2800.
UNSEEN = (
    *(0x3164, 0x2800, 0xFFA0, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x034F, 0x180B, 0x180E, 0x200B, 0x200D, 0x2060, 0x2065),
    *(
        0xFEFF,
        0xFE0F,
        0xFFF0,
        0xE0001,
        0xE0100,
        0x1BCA0,
        0x1D173,
        0xAD,
        0x061C,
        0x200E,
        0x202A,
        0x202E,
        0x2066,
        0x2069,
    ),
    *(0x0, 0x7F, 0x85, 0xD800, 0xE000, 0x0378, 0x2028, 0x2029),
)


@pytest.mark.parametrize("code", UNSEEN)
def test_invisible_and_direction_characters_are_removed_from_names_and_lines(code: int) -> None:
    letter = chr(code)
    for name in (letter, f"{letter}Ann", f"An{letter}n"):
        # A line's end is a space like any other, and goes where it stands at an end.
        assert readable_name(name) in (None, "Ann", "An n")
        assert letter not in (readable_name(name) or "")
    assert readable_line(letter) == ""
    if code not in (0x200D, 0xFE0F):  # they hold emoji together
        assert readable_line(f"a{letter}b") == "a b"


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Zoë",
        "Jose\u0301",
        "Nguyễn Văn A",
        "Анна",
        "Ελένη",
        "שָׁלוֹם",
        "محمد",
        "สมชาย",
        "अनुष्का",
        "山田太郎",
        "김민수",
        "❤️ Ann",
        "🂡",
        "x_x",
    ],
)
def test_a_name_of_any_language_is_readable(name: str) -> None:
    assert readable_name(name) is not None


@pytest.mark.parametrize("name", ["", "  ", "\u0301", "a" + "\u0301" * 9, "\u0301Ann"])
def test_a_name_of_marks_or_of_nothing_is_not(name: str) -> None:
    assert readable_name(name) is None


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ann", "ann"),
        ("Ann", "Аnn"),  # Cyrillic А
        ("Ann", "Ａｎｎ"),  # wide
        ("Ann", "𝐀𝓷𝕟"),  # styled, for mathematics
        ("Ann", "Ánn"),
        ("Ann", "A n n."),
        ("Ann", "ᴀɴɴ"),
        ("BORIS", "ВОRІЅ"),  # Cyrillic В, О, І, Ѕ
        ("Nikos", "Νikοѕ"),  # Greek Ν, ο; Cyrillic ѕ
        ("Bill", "Bi11"),
        ("Bill", "B!||"),
        ("Ian", "lan"),
        ("Bob", "B0b"),
        ("Arne", "Ame"),
        ("Anna", "Аnnа"),
        ("Вова", "вова"),
        ("Straße", "STRASSE"),
    ],
)
def test_names_that_look_alike(name: str, other: str) -> None:
    """Confusables as in Unicode Technical Standard 39."""
    assert are_alike(name, other)
    assert are_alike(other, name)
    assert not are_alike(name, unique_name(other, [name]))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ann", "Anna"),
        ("Ann", "Ann 2"),
        ("?!", "..."),
        ("---", "..."),
        ("Ann 🂡", "Ann 🂢"),
        ("山田", "山本"),
        ("🂡", "🂢"),
    ],
)
def test_names_that_do_not(name: str, other: str) -> None:
    assert not are_alike(name, other)
    assert unique_name(name, [other]) == name


def test_an_emoji_stays_whole_in_a_line_of_talk() -> None:
    family = "👩\u200d👧 ❤\ufe0f"
    assert readable_line(family) == family
    assert readable_line("\u200d \ufe0f \u200d") == ""


def test_a_sign_hides_nothing_behind_it() -> None:
    assert readable_name("❤\u202eAnn") is None
    assert readable_name("A\ufe0fnn") is None


def test_as_many_marks_as_any_language_needs() -> None:
    assert readable_name("x\u0301\u0302\u0303") is not None
    assert readable_name("x\u0301\u0302\u0303\u0304") is None


def test_the_same_name_gets_a_number_that_is_free() -> None:
    assert unique_name("Ann", ["Ann"]) == "Ann (2)"
    assert unique_name("Ann", ["Ann", "Ann (2)", "ann 3"]) == "Ann (4)"


@given(st.text(max_size=10), st.lists(st.text(max_size=10), max_size=4))
def test_a_unique_name_looks_like_no_other_name(name: str, others: list[str]) -> None:
    new_name = unique_name(name, others)
    assert new_name.startswith(name)
    assert not any(are_alike(new_name, other) for other in others)
