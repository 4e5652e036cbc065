"""Whatever is refused at a table, in the lobby or in a tournament is said in the language of who reads it.

The messages are collected where they are written: each sentence handed to an error, with something plausible where
an argument stands. Issue 11, part 4: each language complete.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest
from msgspec import inspect

import triptych
from triptych.i18n.languages import LANGUAGES
from triptych.i18n.messages import Message, translate
from triptych.rulesets.model import Ruleset
from triptych.rulesets.schema import describe_type, unwrap
from triptych.server.wire.messages import ClientMessage

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(triptych.__path__[-1])
PACKAGES = ("deal", "server", "table", "tournament")
ERRORS = {"TournamentError", "DealError", "TableError", "ApiError", "WireError", "close_with_error"}
# Said to programs only: no page of ours asks so.
PROGRAMS = {
    "a request comes from a player",
    "a deal has 2 to 4 hands, not 3",
    "the deck must hold different cards, all of the 3 in play",
    "these hands need 3 cards and the deck has 3",
    "a fantasyland has 13 to 17 cards, not 3",
    "a match is being played; the order comes when it is over",
    "the move is for another hand than the one named",
    "this is not a page of your results",
    "expected a number",
    "this is not your board",
    "this server was installed without the client",
    "this table has no picture of its own",
    "this is not JSON",
    "this request comes from another site's page",
    "GET /api/me first: it gives you the guest cookie",
    "messages are text",
    "the body came in too many small pieces",
    "a message has at most 3 bytes",
    "a request has at most 3 bytes",
    "3 is not possible at 3",
    "the request could not be read",
    "the request did not come to its end",
    "a connection follows at most 3 tables",
    "this connection does not follow that table",
    "3 tokens are kept for a guest; take one back first",
    "you have no token of this id",
    "this token is unknown or was revoked",
    "this token has not the scope 3; make one that has",
    "no token may do this, only its owner's own browser",
    "you sit here yourself; a program plays where it has sat down",
}


def plain_sentences(call: ast.Call, assigned: dict[str, list[ast.expr]]) -> set[str]:
    """Return what a refusal says in plain English, with a sample in the place of each argument."""
    index = 2 if isinstance(call.func, ast.Attribute) else 1  # close_with_error(close, code, message)
    message = next((word.value for word in call.keywords if word.arg == "message"), None) or call.args[index]
    return {_sample(text) for text in _plain(message, assigned)}


def _plain(expression: ast.expr, assigned: dict[str, list[ast.expr]]) -> Iterator[ast.Constant | ast.JoinedStr]:
    if isinstance(expression, ast.JoinedStr) or (
        isinstance(expression, ast.Constant) and isinstance(expression.value, str)
    ):
        yield expression
    elif isinstance(expression, ast.IfExp):
        yield from _plain(expression.body, assigned)
        yield from _plain(expression.orelse, assigned)
    elif isinstance(expression, ast.Name):
        for value in assigned.get(expression.id, ()):
            yield from _plain(value, assigned)


def _sample(text: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(text, ast.Constant):
        return str(text.value)
    return "".join(str(part.value) if isinstance(part, ast.Constant) else "3" for part in text.values)


def plain_refusals() -> dict[str, set[str]]:
    """Return every refusal that is not a message of the catalogue, by where it is written."""
    by_place: dict[str, set[str]] = {}
    for file in (file for package in PACKAGES for file in sorted((SOURCE / package).rglob("*.py"))):
        tree = ast.parse(file.read_text())
        assigned: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                assigned.setdefault(node.targets[0].id, []).append(node.value)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ERRORS and (sentences := plain_sentences(node, assigned)):
                by_place[f"{file.relative_to(SOURCE)}:{node.lineno}"] = sentences
    return by_place


def test_every_refusal_shown_to_people_is_a_message_of_the_catalogue() -> None:
    by_place = plain_refusals()
    assert {sentence for sentences in by_place.values() for sentence in sentences} == PROGRAMS, by_place


@pytest.mark.parametrize("kind", [Ruleset, *get_args(ClientMessage)])
def test_the_description_of_a_field_is_a_message_with_its_limits(kind: type) -> None:
    """Issue 28.2: triptych/json_input.py says it with the limits."""
    for text in described(inspect.type_info(kind)):
        numbers = sorted(re.findall(r"\d+", text))
        for language in LANGUAGES:
            assert sorted(re.findall(r"\d+", translate(text, language))) == numbers


def described(kind: inspect.Type) -> Iterator[str]:
    """Yield what is said of the fields of a type."""
    for field in kind.fields if isinstance(kind, inspect.StructType) else ():
        text = describe_type(field.type)
        assert isinstance(text, Message) or "description" in str(field.type), text
        yield text
        yield from described(unwrap(field.type))
