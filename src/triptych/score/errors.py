"""What can be wrong with a line of the scoring contract, and the checks that every part of it shares."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from triptych.errors import TriptychError

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from triptych.score.settle import Amount

CODES: Final = {
    "line.json": "The line is not JSON.",
    "line.size": "The line is longer than a deal can be.",
    "line.type": "A value is of the wrong sort, such as text for a number.",
    "line.unknown_key": "No such key belongs here.",
    "line.missing": "A key that must be there is not.",
    "card.unknown": "A text is not a card.",
    "card.duplicate": "A card is in two places.",
    "card.joker": "The rules are played without this joker.",
    "row.size": "A row does not have its 3 or 5 cards, or a natural its 13.",
    "players.count": "A deal has two to four players.",
    "players.name": "A name is empty, or two pairs would be called the same.",
    "player.unknown": "A name in order, stakes, stacks, owners or pairs is no player's.",
    "player.duplicate": "A name or a pair is given twice.",
    "player.fields": "A hand is either three rows, a surrender, or a natural.",
    "player.surrender": "The rules do not allow to surrender.",
    "player.natural": "The 13 cards are not a natural under these rules.",
    "value.range": "A number is out of its bounds.",
}

LARGEST_AMOUNT: Final = 10**12

Json = dict[str, object]


class RequestError(TriptychError):
    """A line that cannot be scored; `code` is one of CODES or of the rules' own codes."""


def verify_keys(table: Json, allowed: AbstractSet[str], path: str) -> None:
    """Raise RequestError `line.unknown_key` when a table has a key that does not belong there."""
    if table.keys() <= allowed:
        return
    key = next(key for key in table if key not in allowed)
    known = ", ".join(sorted(allowed))
    raise RequestError("line.unknown_key", f"no key {key!r} belongs here; known are {known}", f"{path}.{key}")


def table_at(document: Json, key: str) -> Json:
    """Return the table under a key. Raises RequestError `line.type`."""
    found = document[key]
    if not isinstance(found, dict):
        raise RequestError("line.type", "expected a table", f"$.{key}")
    return found


def verify_amount(value: object, path: str, least: int) -> Amount:
    """Return a finite number of points. Raises RequestError `line.type`, `value.range`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RequestError("line.type", "expected a number", path)
    if not math.isfinite(value) or not least <= value <= LARGEST_AMOUNT:
        raise RequestError("value.range", f"expected a number from {least} to {LARGEST_AMOUNT}", path)
    return value


def verify_count(value: object, path: str, allowed: range) -> int:
    """Return a whole number within bounds. Raises RequestError `line.type`, `value.range`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise RequestError("line.type", "expected a whole number", path)
    if value not in allowed:
        raise RequestError("value.range", f"expected {allowed.start} to {allowed.stop - 1}, not {value}", path)
    return value
