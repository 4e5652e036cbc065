"""Errors in rules."""

from __future__ import annotations

from typing import Final

from triptych.errors import TriptychError

CODES: Final = {
    "rules.toml": "The file is not TOML; the message names the line.",
    "rules.preset": "No preset has this name.",
    "rules.extends": "`extends` is not a preset's name, stands beside `preset`, or leads back to itself.",
    "rules.set": "A setting is not written `key=value`.",
    "rules.conflict": "A key is given both as a value and as a table.",
    "rules.unknown_key": "No option has this key.",
    "rules.missing": "A key that must be there is not.",
    "rules.type": "The value is of the wrong sort: text for a number, a number for a table.",
    "rules.value": "The value is none of the choices.",
    "rules.range": "The number, or the length of a list, is out of its bounds.",
}


class RulesError(TriptychError):
    """Rules that cannot be read or resolved; `code` is one of CODES."""
