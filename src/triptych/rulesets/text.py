"""Write rules as TOML; `read_toml` parses it into the same rules."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from triptych.rulesets.diff import Difference, differences, overrides, shipped_table
from triptych.rulesets.load import resolve
from triptych.rulesets.merge import Document, nested
from triptych.rulesets.model import Ruleset

__all__ = ["Difference", "differences", "to_toml"]

_BY_RANK: Final = "  # 2 3 4 5 6 7 8 9 T J Q K A"


def to_toml(rules: Ruleset, preset: str | None = None) -> str:
    """Return rules as TOML: every option, or with `preset` only the differences from that preset.

    Raises RulesError when no preset has that name.
    """
    if preset is None:
        document = _full_document(rules)
    else:
        # The name is always written: a file without a name gets that of its preset.
        changes = overrides(rules, resolve(preset))
        document = {"extends": preset, **nested({"name": rules.name, **changes})}
    return "\n".join(_lines(document, "")) + "\n"


def _full_document(rules: Ruleset) -> Document:
    document: Document = msgspec.to_builtins(rules)
    for family in ("royalties", "naturals"):
        table = getattr(rules, family).table
        if table == shipped_table(family, table.name):
            document[family]["table"] = table.name
    return document


def _lines(table: Document, heading: str) -> Iterator[str]:
    for key, value in table.items():
        if not isinstance(value, dict):
            by_rank = key in ("pair", "trips") and isinstance(value, list | tuple)
            entries = isinstance(value, list | tuple) and bool(value) and isinstance(value[0], dict)
            yield f"{key} = {_entries(value) if entries else _value(value)}{_BY_RANK if by_rank else ''}"
    for key, value in table.items():
        if isinstance(value, dict):
            if not value or not all(isinstance(inner, dict) for inner in value.values()):
                yield from ("", f"[{heading}{key}]")
            yield from _lines(value, f"{heading}{key}.")


def _entries(value: Sequence[object]) -> str:
    return "[\n" + "".join(f"    {_value(item)},\n" for item in value) + "]"


def _value(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_value(inner)}' for key, inner in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(item) for item in value)}]"
    return repr(value)
