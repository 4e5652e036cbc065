"""Whatever is refused at a table, in the lobby or in a tournament is said in the language of who reads it.

The messages are collected where they are written: each sentence handed to an error, with something plausible where
an argument stands. Issue 11, part 4: each language complete.
"""

from __future__ import annotations

import ast
import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import triptych
from triptych.i18n.translator import LANGUAGES, translator

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(triptych.__path__[-1])
PACKAGES = ("deal", "server", "table", "tournament")
ERRORS = {"TournamentError", "DealError", "TableError", "Refusal", "WireError", "part"}
# What stands for an argument: a number, a row, a name, a card, a word of the deal's.
SAMPLES = ("3", "front", "Ann", "Ah", "placing")
# Said to programs only: no page of ours asks so.
PROGRAMS = {
    "a request comes from a player",
    "a deal has 2 to 4 hands, not 3",
    "the deck must hold different cards, all of the 3 in play",
    "these hands need 3 cards and the deck has 3",
    "a fantasyland has 13 to 17 cards, not 3",
    "a match is being played; the order comes when it is over",
    "the move is for another hand than the one named",
    "this is no page of yours",
    "expected a number",
    "this is no board of yours",
    "this server was installed without the client",
    "this table has no picture of its own",
    "this is not JSON",
    "this request comes from another site's page",
    "GET /api/me first: it gives you the guest cookie",
    "messages are text",
    "the body came in too many small pieces",
    "a message has at most 3 bytes",
    "a connection follows at most 3 tables",
    "this connection does not follow that table",
    "3 tokens are kept for a guest; take one back first",
    "you have no token of this id",
    "this is no token, or it was taken back",
    "this token has not the scope 3; make one that has",
    "no token may do this, only its owner's own browser",
    "you sit here yourself; a program plays where it has sat down",
}


def sentences(call: ast.Call, told: dict[str, list[ast.expr]]) -> list[tuple[str, ...]]:
    """Return what a refusal may say, each with every sample in the place of its arguments."""
    at = 2 if isinstance(call.func, ast.Attribute) else 1  # part(close, code, message)
    given = next((word.value for word in call.keywords if word.arg == "message"), None) or call.args[at]
    found = [*_meant(given, told)]
    # What another refusal has said is collected where that one is written; so is what a function is given.
    passed_on = (isinstance(given, ast.Attribute) and given.attr == "message") or isinstance(given, ast.Name)
    assert found or passed_on, ast.unparse(call)
    return found


def _meant(given: ast.expr, told: dict[str, list[ast.expr]]) -> Iterator[tuple[str, ...]]:
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        yield (given.value,)
    elif isinstance(given, ast.JoinedStr):
        parts = [_samples(one, told) for one in given.values]
        yield tuple("".join(one) for one in product(*parts))
    elif isinstance(given, ast.IfExp):
        yield from _meant(given.body, told)
        yield from _meant(given.orelse, told)
    elif isinstance(given, ast.Name):
        for value in told.get(given.id, ()):
            yield from _meant(value, told)


def _samples(part: ast.expr, told: dict[str, list[ast.expr]]) -> list[str]:
    """Return what may stand in the place of a part of a sentence."""
    if isinstance(part, ast.Constant):
        return [str(part.value)]
    value = part.value if isinstance(part, ast.FormattedValue) else part
    named = told.get(value.id, []) if isinstance(value, ast.Name) else []
    return [text for one in named for texts in _meant(one, told) for text in texts][:40] or list(SAMPLES)


def collected() -> dict[str, tuple[str, ...]]:
    """Return every refusal: where it is written, and the sentences that it may be."""
    found: dict[str, tuple[str, ...]] = {}
    for file in (file for package in PACKAGES for file in sorted((SOURCE / package).rglob("*.py"))):
        tree = ast.parse(file.read_text())
        told: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                told.setdefault(node.targets[0].id, []).append(node.value)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ERRORS:
                for number, text in enumerate(sentences(node, told)):
                    found[f"{file.relative_to(SOURCE)}:{node.lineno}.{number}"] = text
    return found


def test_whatever_is_refused_is_said_in_every_language() -> None:
    """One language stands for all: every book has the same phrases (test_book.py)."""
    own = translator("zh")
    found = collected()
    assert {where.split("/", 1)[0] for where in found} == {*PACKAGES}
    missing = {where: says[0] for where, says in found.items() if not any(map(own.find_translation, says))}
    assert set(missing.values()) <= PROGRAMS, missing


LIMITS = (
    "expected a whole number from 1 to 10000",
    "expected a whole number from 1",
    "expected a whole number up to 9",
    "expected a whole number",
    "expected a number from 0 to 1000",
    "expected text of 1 to 40 letters",
    "expected text of at most 60 letters",
    "expected a list of at most 512 values, each a whole number from 0 to 1000000",
)


def test_what_may_stand_in_a_field_is_said_in_every_language() -> None:
    """Issue 28.2: triptych/json_input.py says it with the limits."""
    for language in LANGUAGES:
        for sentence in LIMITS:
            found = sentence if language == "en" else translator(language).find_translation(sentence)
            assert found is not None, (language, sentence)
            assert sorted(re.findall(r"\d+", found)) == sorted(re.findall(r"\d+", sentence))
