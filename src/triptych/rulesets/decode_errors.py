"""Convert msgspec's error for a document to a readable one: the value at the path, and the expected values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, cast

from msgspec import inspect

from triptych.i18n.messages import Message
from triptych.rulesets.catalog import nearest
from triptych.rulesets.errors import RulesError
from triptych.rulesets.schema import Words, describe_type, type_at, unwrap

_PATH: Final = re.compile(r" - at `(\$.*)`$")
_PART: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_FIELD: Final = re.compile(r"(unknown|missing required) field `(.*?)`")


def decode_error(document: dict[str, Any], msgspec_message: str, words: Words) -> RulesError:
    """Return the error for a document that msgspec rejected with the text `msgspec_message`."""
    match = _PATH.search(msgspec_message)
    path = match.group(1) if match else "$"
    parts = [key or int(index) for key, index in _PART.findall(path)]
    field = _FIELD.search(msgspec_message)
    if field and field.group(1) == "unknown":
        return _unknown_key(parts, field.group(2), path)
    if field:
        return RulesError("rules.missing", Message("rules_error.missing", key=field.group(2)), path)
    return _wrong_value(
        _value_at(document, parts), type_at(parts), describe_type(_annotated_type(parts), words), path, words
    )


def _unknown_key(parts: Sequence[str | int], key: str, path: str) -> RulesError:
    table = type_at(parts)
    names = [field.name for field in table.fields] if isinstance(table, inspect.StructType) else []
    match = nearest(key, names)
    message = Message("rules_error.unknown_key", names=", ".join(names))
    if match:
        message = Message("rules_error.unknown_key_near", near=match)
    return RulesError("rules.unknown_key", message, f"{path}.{key}")


def _annotated_type(parts: Sequence[str | int]) -> inspect.Type:
    """Return the type at a path with its annotations, which may describe it."""
    parent = type_at(parts[:-1])
    if isinstance(parent, inspect.StructType):
        return {field.name: field.type for field in parent.fields}[str(parts[-1])] if parts else parent
    return parent.item_type if isinstance(parent, inspect.VarTupleType) else parent


def _value_at(document: dict[str, Any], parts: Sequence[str | int]) -> object:
    value: Any = document
    for key in parts:
        value = value[key]
    return cast("object", value)


def _wrong_value(value: object, kind: inspect.Type, expected: str, path: str, words: Words) -> RulesError:
    numeric = _has(kind, inspect.IntType) or _has(kind, inspect.FloatType)
    if isinstance(value, int | float) and not isinstance(value, bool) and numeric:
        if isinstance(value, float) and not _has(kind, inspect.FloatType):
            return RulesError("rules.type", Message("rules_error.type", expected=expected, value=str(value)), path)
        return RulesError("rules.range", Message("rules_error.range", value=str(value), expected=expected), path)
    if isinstance(value, list) and isinstance(kind, inspect.VarTupleType):
        return RulesError("rules.range", Message("rules_error.count", expected=expected, count=len(value)), path)
    if isinstance(value, str) and isinstance(kind, inspect.StrType):
        code = "rules.range" if kind.max_length and len(value) > kind.max_length else "rules.value"
        return RulesError(code, Message("rules_error.unknown_value", value=repr(value), expected=expected), path)
    if _has(kind, inspect.LiteralType) and not isinstance(value, list | dict):
        message = Message("rules_error.unknown_value", value=repr(value), expected=expected)
        return RulesError("rules.value", message, path)
    message = Message("rules_error.type", expected=expected, value=_describe_value(value, words))
    return RulesError("rules.type", message, path)


def _has(kind: inspect.Type, type_class: type[inspect.Type]) -> bool:
    types = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return any(isinstance(unwrap(member), type_class) for member in types)


def _describe_value(value: object, words: Words) -> str:
    match value:
        case True:
            return words.get("input.true", "true")
        case False:
            return words.get("input.false", "false")
        case int() | float():
            return Message("input.value.number", value=str(value))
        case str():
            return Message("input.value.text", value=repr(value))
        case list():
            return Message("input.value.list")
        case dict():
            return words.get("input.table") or Message("input.table")
        case None:
            return words.get("input.nothing") or Message("input.nothing")
        case _:
            return type(value).__name__
