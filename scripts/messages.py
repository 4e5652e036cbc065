"""Whether the catalogues and the code agree: `problems` lists what does not (`python -m scripts.check messages`).

Each message that the code makes is in `en.toml` with the same arguments, and each message there is made somewhere.
Every language has the same messages with the same slots, its own plural forms and its own forms of a message. A key
that the code completes (`Message(f"row.{row}")`) stands for all that begin so.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from triptych.i18n.languages import LANGUAGES, Language
from triptych.i18n.messages import Slot, catalogue, parse_template

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

PLURAL_FORMS: Final[dict[Language, int]] = {"en": 2, "es": 2, "fi": 2, "ru": 3, "vi": 1, "zh": 1}
# Made by messages.py and stored.py themselves.
_LISTS: Final = frozenset({"list.and", "list.comma", "list.dots", "list.item", "list.or"})


class Use(NamedTuple):
    """A place where the code makes a message: its key, or with `open` how the key begins; the arguments' names."""

    where: str
    key: str
    open: bool
    arguments: frozenset[str] | None


def problems(root: Path) -> Iterator[str]:
    """Yield what does not agree, one line each."""
    uses = list(find_uses(root))
    yield from compare_code(uses, catalogue("en"))
    for language in LANGUAGES:
        yield from compare_language(language, catalogue(language), catalogue("en"))


def find_uses(root: Path) -> Iterator[Use]:
    """Yield every message that the code makes."""
    for file in sorted((root / "src" / "triptych").rglob("*.py")):
        text = file.read_text("utf-8")
        if "Message(" not in text or file.parent.name == "i18n":  # what makes any message
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Message":
                yield from _uses(node, f"{file.relative_to(root).as_posix()}:{node.lineno}")


def _uses(call: ast.Call, where: str) -> Iterator[Use]:
    named = [word.arg for word in call.keywords]
    arguments = None if None in named else frozenset(str(name) for name in named)
    for key in _keys(call.args[0]) if call.args else ():
        start, is_open = key
        yield Use(where, start, is_open, arguments)


def _keys(node: ast.expr) -> list[tuple[str, bool]]:
    if isinstance(node, ast.Constant):
        return [(str(node.value), False)]
    if isinstance(node, ast.JoinedStr) and isinstance(first := node.values[0], ast.Constant):
        return [(str(first.value), True)]
    if isinstance(node, ast.IfExp):
        return [*_keys(node.body), *_keys(node.orelse)]
    return [("", True)]


def compare_code(uses: list[Use], english: Mapping[str, str]) -> Iterator[str]:
    """Yield the messages that the code makes and the catalogue lacks, or the other way round."""
    used = set(_LISTS)
    for use in uses:
        keys = [key for key in english if key.startswith(use.key)] if use.open else [use.key] * (use.key in english)
        used.update(keys)
        if not use.key:
            yield f"{use.where}: the key of a message begins with its place, such as `table.`"
        elif not keys:
            yield f"{use.where}: en.toml has no message {use.key!r}"
        for key in keys if use.arguments is not None and not use.open else ():
            if use.arguments != (slots := _slots(english[key])):
                yield f"{use.where}: {key} has the slots {sorted(slots)}, not {sorted(use.arguments or ())}"
    for key in english:
        if key.partition("@")[0] not in used:
            yield f"en.toml: nothing makes the message {key!r}"


def compare_language(language: Language, messages: Mapping[str, str], english: Mapping[str, str]) -> Iterator[str]:
    """Yield what a language lacks, has too much, or says with other slots or plural forms."""
    for key in (key for key in english if "@" not in key and key not in messages):
        yield f"{language}.toml: lacks the message {key!r}"
    for key in (key for key in messages if key.partition("@")[0] not in english):
        yield f"{language}.toml: need not have the message {key!r}"
    for key, text in messages.items():
        if not text.strip():
            yield f"{language}.toml: {key} is empty"
        if key in english and _slots(text) != _slots(english[key]):
            yield f"{language}.toml: {key} has the slots {sorted(_slots(text))}, not {sorted(_slots(english[key]))}"
        for slot in parse_template(text):
            if isinstance(slot, Slot) and slot.plurals is not None and len(slot.plurals) != PLURAL_FORMS[language]:
                yield f"{language}.toml: {key} has {len(slot.plurals)} plural forms, not {PLURAL_FORMS[language]}"


def _slots(text: str) -> frozenset[str]:
    return frozenset(slot.name for slot in parse_template(text) if isinstance(slot, Slot))
