"""Read a position and its rules from a file that the analysis board has saved."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from msgspec import Struct

from triptych.json_input import read_object, verify_keys, verify_table
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.solve.errors import SolveError
from triptych.text_files import read_text

SUFFIX: Final = ".json"
_KEYS: Final = frozenset(
    {"preset", "set", "position", "hand", "placements", "within_error", "exact", "seed", "link"}
)  # client/src/features/analyse/model/file.ts


class PositionFile(Struct, frozen=True):
    """The position in such a file; the page's results in the file are ignored."""

    rules: Ruleset
    position: str


def read_position_file(name: str) -> PositionFile:
    """Read a position's file. Raises TriptychError with the path of the error in the file."""
    document = read_object(read_text(Path(name), "$.position"))
    verify_keys(document, _KEYS, "$")
    texts = []
    for key in ("preset", "position"):
        if key not in document:
            raise SolveError("line.missing", f"a position's file says its {key}", f"$.{key}")
        text = document[key]
        if not isinstance(text, str):
            raise SolveError("line.type", "expected a text", f"$.{key}")
        texts.append(text)
    changed = verify_table(document.get("set", {}), "$.set", "a table of rules that are changed")
    return PositionFile(resolve({**changed, "preset": texts[0]}), texts[1])
