"""The generated pages of docs/reference (issue 34): commands, addresses and pictures."""

from __future__ import annotations

from scripts import reference_pages
from triptych.cli.main import COMMANDS


def test_every_command_has_its_section() -> None:
    page = reference_pages.pages()["cli.md"]
    missing = [name for name, _, _ in (*COMMANDS, ("serve", "", "")) if f"\n## triptych {name}\n" not in page]
    assert missing == []
    assert "[OPTIONS]" in page
    assert " -m " not in page.partition("## triptych serve")[2]


def test_an_address_lists_its_input_and_its_access() -> None:
    page = reference_pages.pages()["http.md"]
    rows = {line.split(" | ")[0]: line.partition(" *")[2] for line in page.splitlines() if line.startswith("| `")}
    assert rows["| `POST /api/tables`"] == "Body:* `NewTable`. *Token:* `host`. |"
    assert rows["| `PUT /api/me`"] == "Body:* `Rename`. |"
    assert rows["| `GET /api/levels`"] == "Token:* `read`. |"


def test_pictures_of_one_page_stand_side_by_side() -> None:
    page = reference_pages.gallery(["lobby.jpg", "daily-820x1180.jpg", "daily-390x844.jpg"])
    assert "## Daily\n\n| ![daily, 390 pixels wide](../pictures/daily-390x844.jpg) | ![daily, 820" in page
    assert page.endswith("## Moments\n\n![lobby](../pictures/lobby.jpg)\n")
