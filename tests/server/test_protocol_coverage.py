"""The protocol's page leaves nothing out (EXAMPLES, habit 10: a gap in the documentation fails)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from triptych.server.app import ROUTES
from triptych.server.edge import connection as socket
from triptych.server.wire.messages import ClientMessage, ServerMessage

FOLDER = Path(__file__).parents[2] / "docs" / "reference"
PAGE = (FOLDER / "protocol.md").read_text()
HTTP = (FOLDER / "http.md").read_text()


def test_addresses_stand_in_the_generated_page_alone() -> None:
    """Issue 28.12: some stood among the error codes."""
    row = re.compile(r"^\| `(?:GET|POST|PUT|DELETE) /", re.MULTILINE)
    assert len(row.findall(HTTP)) > 50
    assert row.findall(PAGE) == []


@pytest.mark.parametrize("message", [*get_args(ClientMessage), *get_args(ServerMessage)])
def test_every_message(message: type) -> None:
    assert f"| `{message.__struct_config__.tag}` |" in PAGE  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name",
    [
        "GOING_AWAY",
        "WRONG_DATA",
        "TOO_LARGE",
        "TRY_AGAIN",
        "NO_IDENTITY",
        "WRONG_ORIGIN",
        "RATE_LIMITED",
        "TOO_MANY_CONNECTIONS",
        "SLOW_CONSUMER",
        "UNFINISHED",
    ],
)
def test_every_close_code(name: str) -> None:
    assert f"| {getattr(socket, name)} |" in PAGE


def test_every_address() -> None:
    for handler in ROUTES:
        for path in handler.paths:
            if path.startswith("/api"):
                assert f"{path.replace(':str', '').replace(':int', '')}`" in HTTP, path
