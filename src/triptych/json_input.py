"""Read and check JSON from outside, a line or a body, and make its reply.

A reply is `{"id": …, …}` or `{"id": …, "error": {"code": …, "message": …, "path": …}}`.
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
    "line.unknown_key": "An unknown key.",
    "line.missing": "A required key is missing.",
    "value.range": "A number is out of its bounds.",
}
_OUT_OF_RANGE: Final = "out of range"  # msgspec's message for 1e999
_FIELD: Final = re.compile(r"(unknown|missing required) field `(.*?)`")
_PART: Final = re.compile(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]")
_UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class JsonInputError(TriptychError):
    """Invalid JSON input; `code` is one of CODES or of the rules' own codes."""


def reply_to_line(line: bytes | str, respond: Callable[[Json], Json]) -> tuple[Json, bool]:
    """Return the reply to one line and whether it succeeded; the reply to a bad line has its error."""
    request_id: object = None
    try:
        document = read_object(line)
        request_id = document.get("id")
        return {"id": request_id, **respond(document)}, True
    except TriptychError as error:
        return error_reply(request_id, error), False


def error_reply(request_id: object, error: TriptychError) -> Json:
    """Return the reply with an error to the request of this id."""
    return {"id": request_id, "error": {"code": error.code, "message": str(error.message), "path": error.path}}


def _without_bom(text: bytes | str) -> bytes | str:
    """Return a text without its byte-order mark, which some editors write."""
    return text.removeprefix("\ufeff") if isinstance(text, str) else text.removeprefix(BOM_UTF8)


def read_object(line: bytes | str) -> Json:
    """Return a line's JSON object. Raises JsonInputError."""
    try:
        document = msgspec.json.decode(_without_bom(line))
    except _UNREADABLE as error:
        raise _json_error(error) from error
    return verify_table(document, "$", "a JSON object")


def decode_as(text: bytes | str, decoder: msgspec.json.Decoder[T]) -> T:
    """Return JSON as the decoder's type. Raises JsonInputError with the path of the wrong part."""
    try:
        return decoder.decode(_without_bom(text))
    except msgspec.ValidationError as error:
        raise _validation_error(error, decoder.type, _without_bom(text)) from error
    except _UNREADABLE as error:
        raise _json_error(error) from error


def convert_to(document: Json, kind: type[T]) -> T:
    """Return a decoded object as a type. Raises JsonInputError with the path of the wrong part."""
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        raise _validation_error(error, kind, document) from error


def _json_error(error: Exception) -> JsonInputError:
    if _OUT_OF_RANGE in str(error):
        return JsonInputError("value.range", "a number is too large")
    return JsonInputError("line.json", f"not JSON: {error}")


def _validation_error(error: msgspec.ValidationError, kind: object, source: bytes | str | Json) -> JsonInputError:
    """Return the error for JSON of the wrong type; `source`: the JSON as text or decoded."""
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
    """Return a description of the type at a path: `a whole number from 1 to 10000`."""
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
    """Return the rules of a line. Raises JsonInputError, with the rules' own code where they are invalid."""
    if not isinstance(spec, str | dict):
        raise JsonInputError("line.type", "expected a preset's name or a table of rules", path)
    try:
        return resolve(spec)
    except RulesError as error:
        raise JsonInputError(error.code, error.message, path + error.path.removeprefix("$")) from error


def verify_keys(table: Json, allowed: Collection[str], path: str) -> None:
    """Raise JsonInputError `line.unknown_key` when a table has an unknown key."""
    for key in table:
        if key not in allowed:
            message = f"no key {key!r} belongs here; known are {', '.join(sorted(allowed))}"
            raise JsonInputError("line.unknown_key", message, f"{path}.{key}")


def verify_table(value: object, path: str, expected: str = "a table") -> Json:
    """Return a value, which must be a table. Raises JsonInputError `line.type`."""
    if not isinstance(value, dict):
        raise JsonInputError("line.type", f"expected {expected}", path)
    return value


def verify_list(value: object, path: str, expected: str) -> list[object]:
    """Return a value, which must be a list. Raises JsonInputError `line.type`."""
    if not isinstance(value, list):
        raise JsonInputError("line.type", f"expected {expected}", path)
    return value


def verify_number(value: object, path: str) -> int | float:
    """Return a value, which must be a number. Raises JsonInputError `line.type`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise JsonInputError("line.type", Message("input.expected", what=Message("input.number")), path)
    return value


def verify_integer(value: object, path: str) -> int:
    """Return a value, which must be a whole number. Raises JsonInputError `line.type`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise JsonInputError("line.type", Message("input.expected", what=Message("input.integer")), path)
    return value
