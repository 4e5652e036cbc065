"""What README, ARCHITECTURE and CONTRIBUTING say is so: their links lead somewhere, their TOML is a game."""

import re
from pathlib import Path

import pytest

from triptych.rules.load import read_toml

ROOT = Path(__file__).parents[2]
PAGES = sorted(ROOT.glob("*.md"))


def test_there_are_pages() -> None:
    assert {page.name for page in PAGES} >= {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_example_of_a_variant_is_a_game() -> None:
    (example,) = re.findall(r"^```toml\n(.*?)^```", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE | re.DOTALL)
    assert read_toml(example).scoring.rows == "two_four"


def test_commands_name_existing_scripts() -> None:
    text = "".join(page.read_text() for page in PAGES)
    named = set(re.findall(r"python -m (scripts\.\w+)", text))
    assert named
    assert [name for name in named if not (ROOT / f"{name.replace('.', '/')}.py").is_file()] == []
