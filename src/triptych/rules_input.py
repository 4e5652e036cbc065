"""Rules from input: a preset's name, a file of rules, a mapping of options, or a Ruleset."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from triptych.arguments import describe_value, plain
from triptych.rulesets.catalog import DEFAULT_PRESET
from triptych.rulesets.diff import overrides
from triptych.rulesets.errors import RulesError
from triptych.rulesets.load import read_toml, resolve
from triptych.rulesets.model import Ruleset
from triptych.rulesets.schema import PYTHON_WORDS
from triptych.text_files import read_text

RulesLike: TypeAlias = Ruleset | str | os.PathLike[str] | Mapping[str, object]
_RULES_SUFFIX = ".toml"
_FORMS = "a preset's name, a file of rules, a mapping of options or a Ruleset"


def rules(base: RulesLike = DEFAULT_PRESET, /, **options: object) -> Ruleset:
    """Return the rules of a preset, of a file (`anna.toml`), or of a mapping of options.

    `options` change them: `rules("pineapple", **{"scoring.rows": "match_1_6"})`. Raises RulesError; TriptychError
    `file.read` for a file that cannot be read.

    >>> rules("closed_1_6", **{"scoring.rows": "two_four"}).scoring.rows
    'two_four'
    """
    changes = {key: plain(value) for key, value in options.items()}
    if isinstance(base, Ruleset):
        return resolve({**_changes_from_default(base), **changes}, PYTHON_WORDS) if changes else base
    if isinstance(base, os.PathLike) or (isinstance(base, str) and base.endswith(_RULES_SUFFIX)):
        return read_toml(read_text(Path(base), "$.rules"), changes)
    if isinstance(base, str):
        return resolve({"preset": base, **changes} if changes else base, PYTHON_WORDS)
    if isinstance(base, Mapping):
        return resolve({**{key: plain(value) for key, value in base.items()}, **changes}, PYTHON_WORDS)
    raise RulesError("rules.type", f"expected {_FORMS}, not {describe_value(base)}", "$.rules")


def rules_document(base: RulesLike) -> dict[str, object]:
    """Return rules as plain data for `resolve`, independent of files. Raises as `rules`."""
    if isinstance(base, str) and not base.endswith(_RULES_SUFFIX):
        return {"preset": base}
    if isinstance(base, Mapping):
        return {key: plain(value) for key, value in base.items()}
    return {"preset": DEFAULT_PRESET, **_changes_from_default(rules(base))}


def _changes_from_default(base: Ruleset) -> dict[str, object]:
    return overrides(base, resolve(DEFAULT_PRESET))
