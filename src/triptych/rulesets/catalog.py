"""What the package ships: presets and named tables, read from their TOML files once.

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
from triptych.rulesets.errors import RulesError

DEFAULT_PRESET = "pineapple"


@cache
def preset_names() -> tuple[str, ...]:
    """Return the names of all presets that ship, the default first, the others by name."""
    folder = resources.files("triptych.rulesets") / "presets"
    names = sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    return tuple(sorted(names, key=lambda name: name != DEFAULT_PRESET))


@cache
def preset_text(name: str) -> str:
    """Return the file of a preset that ships."""
    return (resources.files("triptych.rulesets") / "presets" / f"{name}.toml").read_text("utf-8")


def preset_document(name: str, path: str) -> dict[str, Any]:
    """Return a preset's own file as a document, its `extends` unresolved.

    Raises RulesError `rules.preset` at `path` when no preset has that name.
    """
    if name not in preset_names():
        raise RulesError(
            "rules.preset", f"unknown preset {describe_value(name)}{suggestion(name, preset_names())}", path
        )
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
        raise RulesError("rules.value", f"unknown value {name!r}; one of {', '.join(table_names(family))}", path)
    return result


def suggestion(word: str, choices: Iterable[str]) -> str:
    """Return `; did you mean x?` for a near miss, else `; one of …`."""
    known = tuple(choices)
    near = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {near[0]}?" if near else f"; one of {', '.join(known)}"
