"""The protocol's page leaves nothing out (EXAMPLES, habit 10: a gap in the documentation fails)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from triptych.server.app import ROUTES
from triptych.server.edge import connection as socket
from triptych.server.wire.errors import CODES
from triptych.server.wire.messages import ClientMessage, ServerMessage

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()


@pytest.mark.parametrize(("code", "text"), CODES.items())
def test_every_error_code(code: str, text: str) -> None:
    assert f"| `{code}` | {text} |" in PAGE


def test_the_table_of_error_codes_holds_nothing_else() -> None:
    """Issue 28.12: addresses stood in it."""
    section = PAGE.partition("\n## Error codes of the server\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(.*?)`", section, re.MULTILINE)
    assert len(rows) >= len(CODES)
    assert [row for row in rows if not re.fullmatch(r"[a-z]+\.[a-z_]+", row)] == []


def test_addresses_stand_in_one_table() -> None:
    blocks = [
        block for block in PAGE.split("\n\n") if re.search(r"^\| `(?:GET|POST|PUT|DELETE) /", block, re.MULTILINE)
    ]
    assert len(blocks) == 1


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
        "FLOOD",
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
                assert f"{path.replace(':str', '').replace(':int', '')}`" in PAGE, path
