"""The check `prose` (scripts/prose.py) finds what it promises to find (issue 34)."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import prose

ROOT = Path(__file__).parents[2]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "docs" / "how-to").mkdir(parents=True)
    (tmp_path / "README.md").write_text("# A game\n\nPlay it.\n")
    return tmp_path / "docs" / "how-to" / "play.md"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("You play a card. The house rules say how.", []),
        ("```text\nit is played anew\n```\n\n`anew` is *anew* no word.", []),
        (">>> 1\n1", ["docs/how-to/play.md:1: an example stands in a block of code: ```python"]),
        ("Play it anew.", ["docs/how-to/play.md:1: 'anew': say again"]),
        ("Ask the house.", ["docs/how-to/play.md:1: 'the house': say the server"]),
        ("Who reads this is lost.", ["docs/how-to/play.md:1: 'Who reads this is lost.': say Players who …"]),
        ("Who reads this?", []),
        ("x" * 141, ["docs/how-to/play.md:1: a line of 141 characters, at most 140"]),
        ("A " * 36 + "end.\nShort.", [f"docs/how-to/play.md: a sentence of 37 words, at most 35: {'A ' * 30}…"]),
        ("- A list\n" * 30, []),
    ],
)
def test_wording_that_is_not_plain_is_found(page: Path, text: str, problems: list[str]) -> None:
    page.write_text(f"# Play\n\nFor players: play.\n{text}")
    assert prose.problems(page.parents[2]) == [line.replace(":1:", ":4:") for line in problems]


def test_a_page_that_names_no_reader_is_found(page: Path) -> None:
    page.write_text("# Play\n\nPlay a card.\n")
    assert prose.problems(page.parents[2]) == [
        "docs/how-to/play.md: the first sentence says for whom the page is: For …"
    ]


def test_too_many_words_are_found(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page.write_text("# Play\n\nFor players.\n" + "Short.\n" * 86)
    (page.parent / "made.md").write_text(f"{prose.GENERATED}x -->\n" + "word " * 500)
    assert prose.counts(page.parents[2]) == {"README.md": 5, "docs/how-to": 90}
    monkeypatch.setattr(prose, "MAX_WORDS", 94)
    monkeypatch.setattr(prose, "MAX_README", 4)
    assert prose.problems(page.parents[2]) == [
        "docs: 95 hand-written words, at most 94",
        "README.md: 5 words, at most 4",
    ]


def test_the_words_of_the_pages_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert prose.main() == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(f"in all, at most {prose.MAX_WORDS:,}")
