"""Issue 30.2: `scripts.check words` finds names and phrases that the project gave up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts import words

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("class Directory: ...\n\n\ndef is_loaded() -> bool: ...\n\n\nMAX_TABLES = 3\n", []),
        ("class TableShelf: ...\n", ["src/triptych/a.py:1: TableShelf is named by shelf: directory"]),
        ("def in_tongue(): ...\n", ["src/triptych/a.py:1: in_tongue is named by tongue: language"]),
        (
            "MOST_TABLES: int = 3\n",
            ["src/triptych/a.py:1: the name of the limit MOST_TABLES begins with MAX_ or MIN_"],
        ),
        (
            "for found in ():\n    pass\n",
            ["src/triptych/a.py:1: a variable is not named found: result, match, rows, position"],
        ),
        (
            "def f(told): ...\n",
            ["src/triptych/a.py:1: a variable is not named told: events, replies, payload, on_progress"],
        ),
        (
            "for one in ():\n    pass\n",
            ["src/triptych/a.py:1: a variable is not named one: what it is: seat, placement, row"],
        ),
        ("# House rules, and the hou" + "se\n", ["src/triptych/a.py:1: say the server, the host"]),
        ("class Row:\n    kept: bool\n\n\ndef f(row: Row) -> bool:\n    row.kept = True\n    return row.kept\n", []),
        ("def open_face(): ...\n\n\n# LA" + "W 4\n", ["src/triptych/a.py:4: say Rules §4"]),
    ],
)
def test_words_that_were_given_up_are_found(tmp_path: Path, text: str, problems: list[str]) -> None:
    file = tmp_path / "src" / "triptych" / "a.py"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    assert list(words.problems(tmp_path)) == problems


@pytest.mark.parametrize("folder", ["bench", "scripts/tests", "tests/table"])
def test_elsewhere_limits_are_not_checked(tmp_path: Path, folder: str) -> None:
    file = tmp_path / folder / "a.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        "MOST_DESKS = 3\n\n\ndef open_shelf():\n    kept = one = 3  # of the hou" + "se\n\n\n"
        "def test_house_rules_are_made_anew(): ...\n\n\nFULL_HOUSE = 1\n\n\nclass House: ...\n",
        "utf-8",
    )
    assert list(words.problems(tmp_path)) == [
        f"{folder}/a.py:{problem}"
        for problem in (
            "4: open_shelf is named by shelf: directory",
            "8: test_house_rules_are_made_anew is named by anew: again, new",
            "14: House is named by house: server, cluster, custom rules",
            "1: MOST_DESKS is named by desks: routes",
            "5: a variable is not named kept: stored, remaining, layout",
            "5: a variable is not named one: what it is: seat, placement, row",
            "5: say the server, the host",
        )
    ]


@pytest.mark.parametrize(
    ("name", "problems"),
    [
        ("tests/server/test_shelf.py", ["tests/server/test_shelf.py: a module is not named shelf: directory"]),
        ("tests/cli/test_house_rules.py", []),
        ("bench/floor.py", []),
    ],
)
def test_files_elsewhere_are_checked_by_name(tmp_path: Path, name: str, problems: list[str]) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True)
    file.write_text("class Floor: ...\n" if name == "bench/floor.py" else "", "utf-8")
    assert list(words.problems(tmp_path)) == problems


def test_a_module_is_found_by_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "src" / "triptych" / "desks"
    folder.mkdir(parents=True)
    (folder / "lobby.py").write_text("", "utf-8")
    assert list(words.problems(tmp_path)) == ["src/triptych/desks/lobby.py: a module is not named desks: routes"]


def test_names_and_comments_of_the_kernel_are_checked(tmp_path: Path) -> None:
    folder = tmp_path / "native" / "include"
    folder.mkdir(parents=True)
    (folder / "hopes.hpp").write_text(
        'const char* text = "told";  // told\nint found_ = most_cards;\nclass BestPlayout;\n// anew\nint most;\n',
        "utf-8",
    )
    assert list(words.problems(tmp_path)) == [
        f"native/include/hopes.hpp:{problem}"
        for problem in (
            " a module is not named hopes: objective variant, candidate",
            "2: found_ is named by found: result, field, visit",
            "2: the name of the limit most_cards begins with max_ or min_",
            "3: BestPlayout is named by playout: rollout",
            "4: say again, forever, received, discarded",
        )
    ]


def test_variables_of_the_client_are_checked(tmp_path: Path) -> None:
    folder = tmp_path / "client" / "src"
    (folder / "generated").mkdir(parents=True)
    (folder / "generated" / "types.ts").write_text("const told = 1;\n", "utf-8")
    (folder / "table.ts").write_text(
        "const found = seats.map((one, at) => one.seat);\nconst { asked } = state; show(asked);\n",
        "utf-8",
    )
    (folder / "Table.svelte").write_text("{#each rows as one (one.hand)}{one.text}{/each}\n", "utf-8")
    assert list(words.problems(tmp_path)) == [
        "client/src/Table.svelte:1: a variable is not named one: what it is: seat, placement, row",
        "client/src/table.ts:1: a variable is not named found: result, match, rows, position",
        "client/src/table.ts:1: a variable is not named one: what it is: seat, placement, row",
    ]
