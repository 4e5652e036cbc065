"""Every statement of the source texts is cited by a test (issue 10), and the check of that can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import seeds_reference, sources
from scripts.sources import Place, Text


def test_the_five_texts_are_there() -> None:
    texts = sources.texts()
    assert [(text.name, text.lines) for text in texts] == [
        ("000", 383),
        ("001", 43),
        ("002", 96),
        ("003", 110),
        ("004", 160),
    ]
    page = seeds_reference.page()
    assert all(
        f"| {statement.line_reference} | {statement.summary}" in page
        for text in texts
        for statement in text.statements
    )


@pytest.mark.parametrize(
    ("prose", "places"),
    [
        ("Source 002 L31.4: as received", {Place("002", 31, 31, 4, 4)}),
        (
            "sources 000 L7, L9.2 and L12-14; 003 L60.1-3",
            {
                Place("000", 7, 7),
                Place("000", 9, 9, 2, 2),
                Place("000", 12, 14),
                Place("003", 60, 60, 1, 3),
            },
        ),
        ("source 000 L7,\n    # L8: over two lines", {Place("000", 7, 7), Place("000", 8, 8)}),
        ("Rules §4; 1000 L3, seed 2", set()),
    ],
)
def test_citations_in_prose(prose: str, places: set[Place]) -> None:
    assert sources.find_citations(prose) == places


@pytest.mark.parametrize(
    ("cite", "statement", "cited"),
    [
        ("L17", "17", True),
        ("L12-20", "17", True),
        ("L17", "17.1", False),  # a line with several statements: which one?
        ("L12-20", "17.1", False),
        ("L17.1-2", "17.1", True),
        ("L17.2", "17.1", False),
        ("L17", "17-18", False),  # half of a table
        ("L17.1", "17", False),
    ],
)
def test_a_citation_shows_the_statements_it_names(cite: str, statement: str, cited: bool) -> None:  # noqa: FBT001 - of a table
    (place,) = sources.find_citations(f"source 000 {cite}")
    (text,) = _texts({statement: "says so"})
    assert sources.covers(place, text.statements[0].place) == cited


TEST_FILE = '''
"""A module may name source 000 L1; that does not count."""

# Source 000 L2: above a table.
CASES = [("source 000 L3", 1)]
OTHERS = [*CASES, ("source 000 L4.2", 2)]


def helper():
    """Source 000 L5."""


@pytest.mark.parametrize("case", OTHERS)  # source 000 L6
def test_one(case):
    """Source 000 L7."""
    helper()  # source 000 L8


def test_two():
    assert CASES


def test_three():
    for case in CASES:
        assert case
'''


def test_citations_are_read_from_a_test_and_the_tables_of_its_parameters(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "test_it.py").write_text(TEST_FILE)
    (tmp_path / "cases.jsonl").write_text('{"in": {"id": "A1"}, "source": "source 001 L4"}\n{"in": {"id": "A2"}}\n')
    lines = (Place("000", 2, 2), Place("000", 3, 3), Place("000", 6, 6), Place("000", 7, 7), Place("000", 8, 8))
    assert sources.citations(tmp_path) == {
        "room/test_it.py::test_one": {*lines, Place("000", 4, 4, 2, 2)},
        "room/test_it.py::test_three": {Place("000", 2, 2), Place("000", 3, 3)},
        "cases.jsonl A1": {Place("001", 4, 4)},
    }


def test_each_kind_of_problem_is_found(tmp_path: Path) -> None:
    """Each kind of problem that the check finds, one at a time."""
    tests = {"test_it": sources.find_citations("source 000 L1, L2.1-4")}
    statements: dict[str, object] = {"1": "a", "2.1": "b", "2.2": {"says": "c", "plays": {"rows.order": "gt"}}}

    def find_problems(says: dict[str, object], lines: int = 4) -> list[str]:
        return list(sources.problems(_texts(says, lines=lines), tests))

    assert find_problems(statements) == []
    assert find_problems({**statements, "4": "d"}) == [
        "000 L4: is in none or in several of says, none and blank",
        "000 L4: no test cites it: d",
    ]
    assert find_problems(statements, 5) == ["000 L5: is in none or in several of says, none and blank"]
    assert find_problems({**statements, "2.4": "d"}) == ["000 L2: its statements are numbered [1, 2, 4]"]
    for plays, problem in (
        ({"rows.odder": "gt"}, "000 L1: $.rows.odder: unknown key"),
        ({"rows.order": "lt"}, "000 L1: $.rows.order: unknown value"),
        ({"preset": "no_such_game"}, "000 L1: $.preset: "),
    ):
        (printed_problem,) = find_problems({**statements, "1": {"says": "a", "plays": plays}})
        assert printed_problem.startswith(problem)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.md").write_text("source 000 L1, L2.1 and L3, L2.3; 001 L1")
    assert list(sources.false_citations(_texts(statements), tmp_path)) == [
        "docs/page.md: 000 L2.3 states no rule",
        "docs/page.md: 000 L3 states no rule",
        "docs/page.md: 001 L1 states no rule",
    ]


def test_sentences_of_a_text_are_not_copied(tmp_path: Path) -> None:
    path = tmp_path / "000.txt"
    path.write_text("Each player is dealt five cards to begin with.\n\nNo.\n")
    assert [*sources.differences(_texts({"1": "five for each"}, lines=3, blank="2")[0], path)] == []
    copied = _texts({"1": "each player is dealt five cards"}, lines=3, blank="2")[0]
    assert [*sources.differences(copied, path)] == ["000 L1: in the words of the text"]
    shorter = _texts({"1": "five for each"}, lines=2, other_lines="", blank="2")[0]
    assert [*sources.differences(shorter, path)] == ["000: 000.txt has other lines"]


def _texts(says: dict[str, object], *, lines: int = 4, other_lines: str = "3", blank: str = "4") -> tuple[Text, ...]:
    """Return a text, 000, of some lines."""
    none = dict.fromkeys(other_lines.split(), "heading")
    document = {"file": "000.txt", "sha256": "", "lines": lines, "blank": blank, "says": says, "none": none}
    return (sources.read("000", document),)
