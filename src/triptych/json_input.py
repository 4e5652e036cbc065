"""JSON from outside, a line or a body: read it, check its parts, and answer it or say what is wrong with it.

An answer is `{"id": …, …}` or `{"id": …, "error": {"code": …, "message": …, "path": …}}`.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Final, TypeVar

import msgspec
from msgspec import inspect

from triptych.errors import TriptychError
from triptych.i18n.messages import Message
from triptych.rulesets.errors import RulesError
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.rulesets.schema import describe_type, type_at

T = TypeVar("T")
Json = dict[str, object]

CODES: Final = {
    "line.json": "The line is not JSON.",
    "line.type": "A value is of the wrong sort, such as text for a number.",
    "line.unknown_key": "No such key belongs here.",
    "line.missing": "A key that must be there is not.",
    "value.range": "A number is out of its bounds.",
}
_OUT_OF_RANGE: Final = "out of range"  # so msgspec says of 1e999
_FIELD: Final = re.compile(r"(unknown|missing required) field `(.*?)`")
_PART: Final = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class JsonInputError(TriptychError):
    """JSON that is not what is asked for; `code` is one of CODES or of the rules' own codes."""


def reply_to_line(line: bytes | str, answer: Callable[[Json], Json]) -> tuple[Json, bool]:
    """Return the answer to one line and whether it could be given; a bad line is answered with its error."""
    name: object = None
    try:
        document = read_object(line)
        name = document.get("id")
        return {"id": name, **answer(document)}, True
    except TriptychError as error:
        return error_reply(name, error), False


def error_reply(name: object, error: TriptychError) -> Json:
    """Return the answer to a question, by its `id`, that cannot be answered."""
    return {"id": name, "error": {"code": error.code, "message": str(error.message), "path": error.path}}


def _without_bom(text: bytes | str) -> bytes | str:
    """Return a text without the byte-order mark that some editors write before it."""
    return text.removeprefix("\ufeff") if isinstance(text, str) else text.removeprefix(BOM_UTF8)


def read_object(line: bytes | str) -> Json:
    """Return a line's JSON object. Raises JsonInputError."""
    try:
        document = msgspec.json.decode(_without_bom(line))
    except _UNREADABLE as error:
        raise _json_error(error) from error
    return verify_table(document, "$", "a JSON object")


def decode_as(text: bytes | str, decoder: msgspec.json.Decoder[T]) -> T:
    """Return JSON as the decoder's type. Raises JsonInputError whose path names the part that is wrong."""
    try:
        return decoder.decode(_without_bom(text))
    except msgspec.ValidationError as error:
        raise _validation_error(error, decoder.type, _without_bom(text)) from error
    except _UNREADABLE as error:
        raise _json_error(error) from error


def convert_to(document: Json, kind: type[T]) -> T:
    """Return a decoded object as a type. Raises JsonInputError whose path names the part that is wrong."""
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        raise _validation_error(error, kind, document) from error


def _json_error(error: Exception) -> JsonInputError:
    if _OUT_OF_RANGE in str(error):
        return JsonInputError("value.range", "a number is too large")
    return JsonInputError("line.json", f"not JSON: {error}")


def _validation_error(error: msgspec.ValidationError, kind: object, source: bytes | str | Json) -> JsonInputError:
    """Return the error of JSON of another kind than expected; `source`: as it was read or decoded."""
    message, _, path = str(error).partition(" - at `")
    path = path.rstrip("`") or "$"
    if _OUT_OF_RANGE in message:
        return JsonInputError("value.range", "a number is too large", path)
    field = _FIELD.search(message)
    if field is None:
        return JsonInputError("line.type", Message("input.expected", what=_expected_text(kind, path, source)), path)
    problem, name = field.groups()
    if problem == "unknown":
        return JsonInputError("line.unknown_key", f"no key {name!r} belongs here", f"{path}.{name}")
    return JsonInputError("line.missing", f"give {name!r} here", f"{path}.{name}")


def _expected_text(kind: object, path: str, source: bytes | str | Json) -> str:
    """Return in words what a path of a type holds: `a whole number from 1 to 10000`."""
    parts = [key or (int(index) if index.isdigit() else index) for key, index in _PART.findall(path)]
    try:
        document = source if isinstance(source, dict) else msgspec.json.decode(source)
        return describe_type(type_at(parts, _type_info(kind), document))
    except (KeyError, *_UNREADABLE):
        return Message("input.another")


@lru_cache(maxsize=256)
def _type_info(kind: object) -> inspect.Type:
    return inspect.type_info(kind)


def read_rules(spec: object, path: str = "$.rules") -> Ruleset:
    """Return the rules that stand in a line. Raises JsonInputError, with the rules' own code where they are wrong."""
    if not isinstance(spec, str | dict):
        raise JsonInputError("line.type", "expected a preset's name or a table of rules", path)
    try:
        return resolve(spec)
    except RulesError as error:
        raise JsonInputError(error.code, error.message, path + error.path.removeprefix("$")) from error


def verify_keys(table: Json, allowed: Collection[str], path: str) -> None:
    """Raise JsonInputError `line.unknown_key` when a table has a key that does not belong there."""
    for key in table:
        if key not in allowed:
            message = f"no key {key!r} belongs here; known are {', '.join(sorted(allowed))}"
            raise JsonInputError("line.unknown_key", message, f"{path}.{key}")


def verify_table(value: object, path: str, what: str = "a table") -> Json:
    """Return a value that is a table. Raises JsonInputError `line.type`."""
    if not isinstance(value, dict):
        raise JsonInputError("line.type", f"expected {what}", path)
    return value


def verify_list(value: object, path: str, what: str) -> list[object]:
    """Return a value that is a list. Raises JsonInputError `line.type`."""
    if not isinstance(value, list):
        raise JsonInputError("line.type", f"expected {what}", path)
    return value


def verify_number(value: object, path: str) -> int | float:
    """Return a value that is a number. Raises JsonInputError `line.type`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise JsonInputError("line.type", Message("input.expected", what=Message("input.number")), path)
    return value


def verify_integer(value: object, path: str) -> int:
    """Return a value that is a whole number. Raises JsonInputError `line.type`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise JsonInputError("line.type", Message("input.expected", what=Message("input.integer")), path)
    return value
