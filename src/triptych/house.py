"""Rules wherever a preset may be named: a preset, a house's own file, a table of options, or rules as they are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from triptych.files import read_text
from triptych.rules.catalog import DEFAULT_PRESET
from triptych.rules.differ import overrides
from triptych.rules.load import read_toml, resolve
from triptych.rules.model import Ruleset

RulesLike: TypeAlias = Ruleset | str | Path | Mapping[str, object]


def rules(base: RulesLike = DEFAULT_PRESET, /, **options: object) -> Ruleset:
    """Return the rules of a preset, of a house's own file (`anna.toml`), or of a table of options.

    `options` change them: `rules("pineapple", **{"scoring.rows": "match_1_6"})`. Raises RulesError; TriptychError
    `file.read` for a file that cannot be read.

    >>> rules("closed_1_6", **{"scoring.rows": "two_four"}).scoring.rows
    'two_four'
    """
    if isinstance(base, Ruleset):
        return resolve({**overrides(base, resolve(DEFAULT_PRESET)), **options}) if options else base
    if isinstance(base, Path) or (isinstance(base, str) and base.endswith(".toml")):
        return read_toml(read_text(Path(base), "$.rules"), options)
    if isinstance(base, str):
        return resolve({"preset": base, **options} if options else base)
    return resolve({**base, **options})
