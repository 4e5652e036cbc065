"""The pages of docs/ are true: their examples run, their boards are what the words below say (issue 15, part 4).

`scripts.command_output` checks what their commands print, `scripts.docs` checks links and citations.
"""

from __future__ import annotations

import contextlib
import doctest
import inspect
import re
import shlex
from pathlib import Path

import pytest
from cyclopts import MissingArgumentError

import triptych
from scripts import command_output, docs
from scripts.prose import GENERATED
from scripts.tests.cached_searches import search_once
from tests.case_notes import case
from triptych.board import parse_board
from triptych.bots.levels import ALL_LEVELS
from triptych.cards import cards_text, deck
from triptych.cli.main import app
from triptych.rulesets.load import preset_names
from triptych.server import metrics

DOCS = Path(__file__).parents[2] / "docs"
# The Python reference is run by test_reference.py.
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if page.parent.name != "python"]
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
    search_once(monkeypatch)
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_tour_and_the_cookbook_have_examples() -> None:
    assert {page.stem for page in WITH_EXAMPLES} >= {"library", "cookbook", "notation", "first-environment"}


def test_a_board_fouls_where_its_caption_says_so() -> None:
    """Scored under the default rules against whatever is left of the deck."""
    boards = captions()
    assert boards
    for board, words in boards:
        with case(board, words):
            own = parse_board(board).cards
            left = [card for card in deck() if card not in own][:13]
            other = "/".join(map(cards_text, (left[:3], left[3:8], left[8:])))
            result = triptych.score({"it": board, "other": other})
            assert result.legal["it"] == (not words.startswith("foul"))
            assert result.fantasyland["it"] or "fantasyland" not in words


def commands() -> list[tuple[str, str]]:
    """Return page and words of each `triptych …` in blocks of shell, and of those with options in the text."""
    pairs = []
    for page in docs.pages(DOCS.parent):
        text = page.read_text("utf-8")
        if text.startswith(GENERATED):
            continue
        blocks = re.findall(r"^ *```(?:sh|console)\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
        lines = [
            line
            for block in blocks
            for line in block.replace("\\\n", " ").splitlines()
            if not line.startswith("sudo systemctl")
        ]
        arguments = [
            match[1] for line in lines if (match := re.search(r"(?:^|[ /])triptych ([^…/][^…]*)$", line.strip()))
        ]
        arguments += re.findall(r"`(?:uv run )?triptych ([^`…]* --[^`…]+)`", docs.without_blocks(text))
        pairs += [(page.name, words) for words in arguments]
    return pairs


def test_lists_that_people_write_leave_nothing_out() -> None:
    """Levels, metrics, weights and the number of presets."""
    reference = DOCS / "reference"
    levels = (reference / "levels.md").read_text("utf-8")
    assert [level.name for level in ALL_LEVELS if f"| `{level.name}` |" not in levels] == []
    weights = DOCS.parent / "weights" / "src" / "triptych_weights"
    assert [file.name for file in weights.glob("*.tw") if f"`{file.name}`" not in levels] == []
    named = set(re.findall(r'"(triptych_\w+)"', inspect.getsource(metrics)))
    shown_metrics = set(
        re.findall(r"`(triptych_[a-z_]+?)(?:_total)?[`{]", (reference / "metrics.md").read_text("utf-8"))
    )
    assert len(named) > 8
    assert named <= shown_metrics
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    assert re.findall(r"(\d+) presets", readme) == [str(len(preset_names()))]


def test_commands_have_the_options_that_pages_give_them() -> None:
    """They are read as the command line reads them, and not run: issue 34."""
    shown_commands = commands()
    assert len(shown_commands) > 50
    for page, line in shown_commands:
        # A word in capitals stands for an argument.
        words = [re.sub(r"^[A-Z]{3,}$", "1", word) for word in shlex.split(line, comments=True)]
        end = next((place for place, word in enumerate(words) if word in (">", "|", "&&")), len(words))
        with case(page, line), contextlib.suppress(MissingArgumentError):
            app.parse_args(words[:end], exit_on_error=False, print_error=False)


def test_the_current_output_of_a_command_replaces_the_old_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_output, "printed", lambda command: f"the answer to {command.split()[1]}")
    page = "# Page\n\n```console\n$ triptych rules\nold\n\n$ triptych outs\n```\n\n```sh\ntriptych rules\n```\n"
    assert command_output.rewritten(page) == (
        "# Page\n\n```console\n$ triptych rules\nthe answer to rules\n\n$ triptych outs\nthe answer to outs\n```\n\n"
        "```sh\ntriptych rules\n```\n"
    )
