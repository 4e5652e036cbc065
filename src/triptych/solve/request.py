"""Answers one JSON line of `triptych solve fantasyland --json -`.

In: `{"id":…, "cards":"AsKs…", "rules":{"preset":…}, "repeat_value":x, "against":[{"front":…,"middle":…,"back":…}]}`.
Out: `{"id":…, "front":"…", "middle":"…", "back":"…", "discards":"…", "royalties":n, "repeat":bool, "value":x}`, with
`"legal": false` added when every setting fouls, or `{"id":…, "error":{"code":…, "message":…, "path":…}}`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import msgspec

from triptych.cards import CardError, cards_text, parse_cards
from triptych.rules.errors import RulesError
from triptych.rules.load import resolve
from triptych.solve.errors import SolveError
from triptych.solve.fantasyland import fantasyland

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triptych.cards import Card
    from triptych.rules.model import Ruleset
    from triptych.solve.setting import Rows, Setting

_KEYS: Final = frozenset({"id", "cards", "rules", "repeat_value", "against", "in_row"})
_ROWS: Final = ("front", "middle", "back")

Json = dict[str, object]


def answer(line: bytes | str) -> tuple[Json, bool]:
    """Return the answer to one line, and whether there was one; a bad line is answered with its error."""
    found: object = None
    try:
        document = _decode(line)
        found = document.get("id")
        return {"id": found, **setting_json(_solve(document))}, True
    except (SolveError, RulesError) as error:
        return {"id": found, "error": {"code": error.code, "message": error.message, "path": error.path}}, False


def setting_json(setting: Setting) -> Json:
    """Return a setting in its JSON form, cards as text."""
    value = setting.value
    body: Json = {name: cards_text(getattr(setting, name)) for name in (*_ROWS, "discards")}
    body |= {"royalties": setting.royalties, "repeat": setting.repeat}
    body["value"] = int(value) if value.is_integer() else value
    return body if setting.legal else body | {"legal": False}


def read_cards(text: object, path: str) -> tuple[Card, ...]:
    """Return the cards of a text. Raises SolveError `line.type`, `card.unknown`, `card.duplicate`."""
    if not isinstance(text, str):
        raise SolveError("line.type", "expected cards as text, such as AhKdQs", path)
    try:
        return parse_cards(text)
    except CardError as error:
        raise SolveError(error.code, error.message, f"{path}[{error.index}]") from error


def read_rows(texts: Mapping[str, object], path: str) -> Rows:
    """Return the three rows of a table of texts. Raises SolveError."""
    for name in _ROWS:
        if name not in texts:
            raise SolveError("line.missing", f"{name} is missing", f"{path}.{name}")
    front, middle, back = (read_cards(texts[name], f"{path}.{name}") for name in _ROWS)
    return front, middle, back


def _decode(line: bytes | str) -> Json:
    try:
        document = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SolveError("line.json", f"not JSON: {error}") from error
    if not isinstance(document, dict):
        raise SolveError("line.type", "expected an object")
    return cast("Json", document)


def _solve(document: Json) -> Setting:
    for key in document:
        if key not in _KEYS:
            known = ", ".join(sorted(_KEYS))
            raise SolveError("line.unknown_key", f"no key {key!r} belongs here; known are {known}", f"$.{key}")
    if "cards" not in document:
        raise SolveError("line.missing", "cards are missing", "$.cards")
    return fantasyland(
        read_cards(document["cards"], "$.cards"),
        _rules(document.get("rules", "pineapple")),
        repeat_value=_number(document.get("repeat_value", 0), "$.repeat_value"),
        against=_against(document.get("against", [])),
        in_row=_count(document.get("in_row", 1), "$.in_row"),
    )


def _rules(spec: object) -> Ruleset:
    if not isinstance(spec, str | dict):
        raise SolveError("line.type", "expected a preset's name or a table of rules", "$.rules")
    try:
        return resolve(spec)
    except RulesError as error:
        raise SolveError(error.code, error.message, f"$.rules{error.path[1:]}") from error


def _against(boards: object) -> tuple[Rows, ...]:
    if not isinstance(boards, list):
        raise SolveError("line.type", "expected a list of boards", "$.against")
    found = []
    for index, board in enumerate(boards):
        path = f"$.against[{index}]"
        if not isinstance(board, dict):
            raise SolveError("line.type", "expected a table with front, middle and back", path)
        for key in board:
            if key not in _ROWS:
                raise SolveError("line.unknown_key", f"no key {key!r} belongs here", f"{path}.{key}")
        found.append(read_rows(board, path))
    return tuple(found)


def _number(value: object, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SolveError("line.type", "expected a number", path)
    return float(value)


def _count(value: object, path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise SolveError("line.type", "expected a whole number", path)
    if not 1 <= value <= 1000:
        raise SolveError("value.range", "expected 1 to 1000", path)
    return value
