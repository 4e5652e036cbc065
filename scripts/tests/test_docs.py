"""The check `docs` (scripts/docs.py) finds what it promises to find; CONTRIBUTING's TOML is a game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import docs
from triptych import api
from triptych.rulesets.load import read_toml

ROOT = Path(__file__).parents[2]
CITED = "".join(f"# Rules §{section}\n" for section in range(1, 9))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("docs/rules", "docs/reference/python", "scripts", "src"):
        (tmp_path / folder).mkdir(parents=True)
    rulebook = (ROOT / "docs" / "rules" / "law.md").read_text()
    (tmp_path / "docs" / "rules" / "law.md").write_text(re.sub(r"\]\([^)]*\)", "]", rulebook))
    (tmp_path / "docs" / "guide.md").write_text(
        "[the law](rules/law.md#5-fantasyland-fantasyland) [elsewhere](https://example.org)"
    )
    (tmp_path / "scripts" / "icons.py").touch()
    (tmp_path / "README.md").write_text("[guide](docs/guide.md): `python -m scripts.icons`")
    (tmp_path / "src" / "row.py").write_text(CITED)
    return tmp_path


def test_nothing_is_wrong_with_pages_that_say_what_is_there(root: Path) -> None:
    assert [*docs.links(root), *docs.commands(root), *docs.law(root)] == []


def test_a_link_to_no_file_is_found(root: Path) -> None:
    (root / "docs" / "guide.md").write_text("[the law](rules/laws.md)")
    assert list(docs.links(root)) == ["docs/guide.md: rules/laws.md is not a file"]


def test_a_link_to_no_heading_is_found(root: Path) -> None:
    (root / "docs" / "guide.md").write_text("# A guide\n[scoring](rules/law.md#points) [here](#a-guide) [no](#none)")
    assert list(docs.links(root)) == [
        "docs/guide.md: rules/law.md has no heading #points",
        "docs/guide.md:  has no heading #none",
    ]


def test_a_command_of_no_script_is_found(root: Path) -> None:
    (root / "README.md").write_text("python -m scripts.icon")
    assert list(docs.commands(root)) == ["README.md: there is no scripts.icon"]


def test_a_file_that_is_not_there_is_found(root: Path) -> None:
    (root / "docs" / "guide.md").write_text(
        "`src/row.py`, `src/rows.py`, `src/*.py`, `docs/rules`\n```\n`src/x.py`\n```\n"
    )
    assert list(docs.files(root)) == ["docs/guide.md: src/rows.py is not a file"]


def test_a_label_that_no_page_shows_is_found(root: Path) -> None:
    (root / "client" / "messages").mkdir(parents=True)
    (root / "client" / "messages" / "en.json").write_text(
        '{"a": "Review it", "b": "Place {x} now", "c": [{"d": "Mine ({n})"}]}'
    )
    (root / "docs" / "how-to").mkdir()
    (root / "docs" / "how-to" / "look.md").write_text(
        "***Review it***, *Place Ann now*, *Mine*, **Bold.** and *Look at it*\n\n```\n*Not this*\n```\n"
    )
    assert list(docs.labels(root)) == ["docs/how-to/look.md: no page in the browser says 'Look at it'"]


def test_a_section_that_the_law_does_not_have_is_found(root: Path) -> None:
    (root / "src" / "row.py").write_text(f"{CITED}# Rules §" + "9\n")
    assert list(docs.law(root)) == ["src/row.py: the law has no section 9"]
    (root / "src" / "row.py").write_text(f"{CITED}# THE RULE" + "BOOK 3\n")
    assert list(docs.law(root)) == ["src/row.py: cites a text outside the project"]
    (root / "src" / "row.py").write_text(CITED.replace("Rules §8", ""))
    assert list(docs.law(root)) == ["docs/rules/law.md: nothing cites section 8"]
    (root / "src" / "row.py").write_text(CITED)
    (root / "docs" / "rules" / "law.md").write_text("## 1. Words\n\n## 2. Scoring\n")
    assert list(docs.law(root)) == ["docs/rules/law.md: its sections are [('1', 'Words'), ('2', 'Scoring')]"]


def test_a_name_from_inside_a_package_is_found(root: Path) -> None:
    page = root / "docs" / "how-to" / "play.md"
    page.parent.mkdir()
    page.write_text("from triptych.deal import Place, `triptych.bots.get_level`\n")
    assert list(docs.deep_names(root)) == []
    page.write_text("from triptych.deal.actions import Place, `triptych.bots.levels.get_level`\n")
    assert list(docs.deep_names(root)) == [
        f"docs/how-to/play.md: {deep} is inside a package: take it from the package itself"
        for deep in ("triptych.deal.actions", "triptych.bots.levels")
    ]


def test_a_name_without_an_example_is_found() -> None:
    def bare() -> None:
        """Say nothing."""

    def with_example() -> None:
        """Say nothing.

        >>> with_example()
        """

    names = {f"triptych.api.{name}": with_example for name in api.__all__}
    assert list(docs.examples({**names, "a.bare": bare}, [])) == ["docs/reference: a.bare has no example"]
    assert list(docs.examples({**names, "a.bare": bare}, [">>> bare()\n"])) == []
    missing = api.__all__[0]
    del names[f"triptych.api.{missing}"]
    assert list(docs.examples(names, [])) == [f"docs/reference: triptych.{missing} is missing"]


def test_the_reference_is_read_as_sphinx_reads_it() -> None:
    page = ".. autofunction:: triptych.api.score\n.. automodule:: triptych.cards\n   :members: Card, deck\n"
    assert list(docs.documented([page])) == ["triptych.api.score", "triptych.cards.Card", "triptych.cards.deck"]


def test_the_example_of_a_variant_is_a_game() -> None:
    (example,) = re.findall(r"^```toml\n(.*?)^```", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE | re.DOTALL)
    assert read_toml(example).scoring.rows == "two_four"
