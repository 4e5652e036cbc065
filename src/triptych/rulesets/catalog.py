"""The presets and named tables of the package, read from their TOML files once.

The list of presets is the folder `presets/`; a table's name is its heading in `tables/*.toml`.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from triptych.arguments import describe_value
from triptych.i18n.messages import Message
from triptych.rulesets.errors import RulesError

DEFAULT_PRESET = "pineapple"


@cache
def preset_names() -> tuple[str, ...]:
    """Return the names of all presets of the package, the default first, the others by name."""
    folder = resources.files("triptych.rulesets") / "presets"
    names = sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    return tuple(sorted(names, key=lambda name: name != DEFAULT_PRESET))


@cache
def preset_text(name: str) -> str:
    """Return the TOML text of a preset of the package."""
    return (resources.files("triptych.rulesets") / "presets" / f"{name}.toml").read_text("utf-8")


def preset_document(name: str, path: str) -> dict[str, Any]:
    """Return a preset's file as a document, with `extends` unresolved.

    Raises RulesError `rules.preset` at `path` when no preset has that name.
    """
    if name not in preset_names():
        text, match = describe_value(name), nearest(name, preset_names())
        if match:
            raise RulesError("rules.preset", Message("rules_error.unknown_preset_near", name=text, near=match), path)
        names = ", ".join(preset_names())
        raise RulesError("rules.preset", Message("rules_error.unknown_preset", name=text, names=names), path)
    return tomllib.loads(preset_text(name))


@cache
def _tables(family: str) -> dict[str, dict[str, Any]]:
    text = (resources.files("triptych.rulesets") / "tables" / f"{family}.toml").read_text("utf-8")
    return tomllib.loads(text)


def table_names(family: str) -> tuple[str, ...]:
    """Return the names of the tables of one family: `royalties`, `naturals` or `fantasyland`."""
    return tuple(_tables(family))


def named_table(family: str, name: str, path: str) -> dict[str, Any]:
    """Return a named table's keys. Raises RulesError `rules.value` at `path` when no table has that name."""
    result = _tables(family).get(name)
    if result is None:
        expected = Message("input.one_of", values=", ".join(table_names(family)))
        raise RulesError(
            "rules.value", Message("rules_error.unknown_value", value=repr(name), expected=expected), path
        )
    return result


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return the choice that is most similar to a word, or an empty text."""
    matches = difflib.get_close_matches(word, tuple(choices), n=1)
    return matches[0] if matches else ""
