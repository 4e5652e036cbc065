"""The check of the messages finds what the code and the catalogues do not agree on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts.messages import compare_code, compare_language, find_uses

if TYPE_CHECKING:
    from pathlib import Path

ENGLISH = {"table.closed": "Closed", "table.left": "{name} left", "row.front": "front", "row.back": "back"}
CODE = """
Message("table.closed")
Message("table.left", name=seat.name)
Message(f"row.{row}")
"""


def find_problems(root: Path, code: str, english: dict[str, str] = ENGLISH) -> list[str]:
    folder = root / "src" / "triptych"
    folder.mkdir(parents=True)
    (folder / "table.py").write_text(code)
    return list(compare_code(list(find_uses(root)), english))


def test_code_that_makes_every_message_with_its_slots_has_no_problem(tmp_path: Path) -> None:
    assert find_problems(tmp_path, CODE, ENGLISH | {"row.front@in": "in front"}) == []


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (CODE + 'Message("table.open")', "src/triptych/table.py:5: en.toml has no message 'table.open'"),
        (CODE + 'Message(f"seat.{x}")', "src/triptych/table.py:5: en.toml has no message 'seat.'"),
        (
            CODE + "Message(key)",
            "src/triptych/table.py:5: the key of a message begins with its place, such as `table.`",
        ),
        (CODE.replace("name=", "who="), "src/triptych/table.py:3: table.left has the slots ['name'], not ['who']"),
        (CODE.replace('Message("table.closed")', ""), "en.toml: nothing makes the message 'table.closed'"),
    ],
)
def test_code_and_catalogue_disagreements_are_found(tmp_path: Path, code: str, problem: str) -> None:
    assert find_problems(tmp_path, code) == [problem]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({}, ""),
        ({"row.back@in": "внизу"}, ""),
        ({"table.closed": " "}, "ru.toml: table.closed is empty"),
        ({"table.left": "{who} уходит"}, "ru.toml: table.left has the slots ['who'], not ['name']"),
        ({"table.left": "{name} {name:а~б}"}, "ru.toml: table.left has 2 plural forms, not 3"),
        ({"row.middle": "середина"}, "ru.toml: need not have the message 'row.middle'"),
    ],
)
def test_missing_and_different_texts_of_a_language_are_found(changes: dict[str, str], problem: str) -> None:
    assert list(compare_language("ru", ENGLISH | changes, ENGLISH)) == [problem] * bool(problem)


def test_a_message_that_a_language_lacks_is_found() -> None:
    assert list(compare_language("ru", {}, {"table.closed": "Closed"})) == [
        "ru.toml: lacks the message 'table.closed'"
    ]
