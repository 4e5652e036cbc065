"""The pages of docs/ are true: their examples run, their boards are what the words below say (issue 15, part 4).

What their commands print is held by `scripts.shown`, one of the checks.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import triptych
from scripts import shown
from triptych.board import parse_board
from triptych.cards import cards_text, deck

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
WITH_EXAMPLES = [page for page in PAGES if ">>>" in page.read_text("utf-8")]


def captions() -> list[tuple[str, str]]:
    """Return every full board of the pages with the words below it."""
    blocks = [
        block
        for page in PAGES
        for block in re.findall(r"^```{boards}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    ]
    pairs = [line.partition("|") for block in blocks for line in block.splitlines()]
    return [
        (board.strip(), words.strip()) for board, _, words in pairs if len(parse_board(board.strip()).cards) == 13
    ]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.stem)
def test_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the folder of the repository, as the pages say."""
    monkeypatch.chdir(DOCS.parent)
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 0
    assert found.failed == 0


def test_the_tour_and_the_cookbook_have_examples() -> None:
    assert {page.stem for page in WITH_EXAMPLES} >= {"library", "cookbook", "notation", "envs", "newcomers"}


@pytest.mark.parametrize(("board", "words"), captions())
def test_a_board_fouls_where_its_caption_says_so(board: str, words: str) -> None:
    """Scored under the default rules against whatever is left of the deck."""
    own = parse_board(board).cards
    left = [card for card in deck() if card not in own][:13]
    other = "/".join(map(cards_text, (left[:3], left[3:8], left[8:])))
    found = triptych.score({"it": board, "other": other})
    assert found.legal["it"] == (not words.startswith("foul"))
    assert found.fantasyland["it"] or "fantasyland" not in words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_to_files(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text("utf-8"))
    assert [link for link in links if not (DOCS / link).exists()] == []


def test_the_law_keeps_the_sections_by_which_it_is_cited() -> None:
    """`LAW 4` in the code is a section of docs/rules/law.md."""
    headings = re.findall(r"^## (\d)\. (\w+)", (DOCS / "rules" / "law.md").read_text("utf-8"), re.MULTILINE)
    assert headings == [
        ("1", "Words"),
        ("2", "Games"),
        ("3", "Ranking"),
        ("4", "Scoring"),
        ("5", "Fantasyland"),
        ("6", "The"),
        ("7", "Presets"),
        ("8", "The"),
    ]


def test_what_a_command_prints_now_replaces_what_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "printed", lambda command: f"the answer to {command.split()[1]}")
    page = "# Page\n\n```console\n$ triptych rules\nold\n\n$ triptych outs\n```\n\n```sh\ntriptych rules\n```\n"
    assert shown.rewritten(page) == (
        "# Page\n\n```console\n$ triptych rules\nthe answer to rules\n\n$ triptych outs\nthe answer to outs\n```\n\n"
        "```sh\ntriptych rules\n```\n"
    )


def test_what_is_cited_of_the_law_is_there() -> None:
    """Comments and docstrings cite its sections, and no rules that are not a part of the project."""
    files = [file for folder in ("src", "native", "tests") for file in (DOCS.parent / folder).rglob("*")]
    texts = [file.read_text("utf-8") for file in files if file.suffix in {".py", ".pyi", ".hpp", ".toml", ".jsonl"}]
    cited = {section for text in texts for section in re.findall(r"\bLAW (\d+)", text)}
    assert cited == set("12345678")
    assert [text for text in texts if "RULE" + "BOOK" in text] == []
