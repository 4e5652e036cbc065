"""The schema of a Ruleset: the types, choices and bounds of its keys, and their descriptions in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from typing import Any, Final, Literal, TypeAlias, cast, get_args, get_origin, get_type_hints

from msgspec import Struct, inspect

from triptych.i18n.messages import Message
from triptych.rulesets.model import Ruleset


@cache
def ruleset_type() -> inspect.StructType:
    """Return the type of a Ruleset."""
    return cast("inspect.StructType", inspect.type_info(Ruleset))


def type_at(path: Sequence[str | int], begin: inspect.Type | None = None, document: object = None) -> inspect.Type:
    """Return the type at a path of keys and indices in a Ruleset, or in the type `begin`.

    In a union of tagged tables the tag in `document` selects the table. Raises KeyError when the path does not exist.
    """
    kind = unwrap(begin or ruleset_type())
    for key in path:
        kind = unwrap(_child_type(kind, key, document))
        document = _child(document, key)
    return kind


def _child_type(kind: inspect.Type, key: str | int, document: object) -> inspect.Type:
    match kind:
        case inspect.StructType():
            return {field.encode_name: field.type for field in kind.fields}[str(key)]
        case inspect.CollectionType():
            return kind.item_type
        case inspect.DictType():
            return kind.value_type
        case inspect.UnionType():
            members = [unwrap(member) for member in kind.types]
            tables = [member for member in members if isinstance(member, inspect.StructType)]
            if any(table.tag_field == key for table in tables):
                return inspect.LiteralType(tuple(table.tag for table in tables))
            for table in tables:
                if table.tag_field is None or _child(document, table.tag_field) == table.tag:
                    return _child_type(table, key, document)
            for member in members:
                if isinstance(member, inspect.CollectionType | inspect.DictType):
                    return _child_type(member, key, document)
    raise KeyError(key)


def _child(document: object, key: str | int) -> object:
    if isinstance(document, dict):
        return document.get(key)
    if isinstance(document, list) and isinstance(key, int) and key < len(document):
        return cast("object", document[key])
    return None


def unwrap(kind: inspect.Type) -> inspect.Type:
    """Return a type without the annotations around it."""
    return unwrap(kind.type) if isinstance(kind, inspect.Metadata) else kind


Words: TypeAlias = Mapping[str, str]
"""Names of kinds of values that replace those of the messages with these keys."""

FILE_WORDS: Final[Words] = {}
PYTHON_WORDS: Final[Words] = {
    "input.table": "a mapping",
    "input.true_or_false": "True or False",
    "input.nothing": "None",
    "input.true": "True",
    "input.false": "False",
}


def describe_type(kind: inspect.Type, words: Words = FILE_WORDS) -> str:
    """Return a description of a type's values: `true or false`, `a whole number from 0 to 1000`."""
    match kind:
        case inspect.Metadata():
            return str((kind.extra_json_schema or {}).get("description") or describe_type(kind.type, words))
        case inspect.LiteralType():
            return Message("input.one_of", values=_values(kind))
        case inspect.BoolType():
            return words.get("input.true_or_false") or Message("input.true_or_false")
        case inspect.IntType():
            return _bounded(Message("input.integer"), kind)
        case inspect.FloatType():
            return _bounded(Message("input.number"), kind)
        case inspect.StrType():
            return _text(kind)
        case inspect.NoneType():
            return words.get("input.nothing") or Message("input.nothing")
        case inspect.CollectionType():
            return _list(kind, words)
        case inspect.UnionType():
            return _alternatives(kind, words)
        case _:
            return words.get("input.table") or Message("input.table")


def choices(kind: inspect.Type) -> tuple[str | int, ...]:
    """Return the texts or numbers that a literal type allows; empty for other types."""
    kind = unwrap(kind)
    if isinstance(kind, inspect.LiteralType):
        return _choice_orders().get(frozenset(kind.values), tuple(kind.values))
    if isinstance(kind, inspect.UnionType):
        return tuple(choice for member in kind.types for choice in choices(member))
    return ()


@cache
def _choice_orders() -> dict[frozenset[Any], tuple[Any, ...]]:
    """Return each set of choices in the order of the model; msgspec sorts them."""
    result: dict[frozenset[Any], tuple[Any, ...]] = {}
    pending: list[Any] = [Ruleset]
    while pending:
        kind = pending.pop()
        if get_origin(kind) is Literal:
            result[frozenset(get_args(kind))] = get_args(kind)
        elif isinstance(kind, type) and issubclass(kind, Struct):
            pending += get_type_hints(kind, include_extras=True).values()
        else:
            pending += get_args(kind)
    return result


def _literals_first(kind: inspect.UnionType) -> list[inspect.Type]:
    return sorted(kind.types, key=lambda member: not isinstance(unwrap(member), inspect.LiteralType))


def _values(kind: inspect.LiteralType) -> str:
    return ", ".join(str(value) for value in choices(kind))


def _list(kind: inspect.CollectionType, words: Words) -> str:
    item = describe_type(kind.item_type, words)
    if kind.min_length:
        return Message("input.list_of", count=kind.min_length, item=item)
    if kind.max_length:
        return Message("input.list_at_most", count=kind.max_length, item=item)
    return Message("input.list", item=item)


def _alternatives(kind: inspect.UnionType, words: Words) -> str:
    descriptions = [
        _values(member) if isinstance(member, inspect.LiteralType) else describe_type(member, words)
        for member in _literals_first(kind)
    ]
    return reduce(lambda first, second: Message("input.or", first=first, second=second), dict.fromkeys(descriptions))


def _text(kind: inspect.StrType) -> str:
    if kind.max_length is None:
        return Message("input.text")
    if kind.min_length:
        return Message("input.text_range", least=kind.min_length, most=kind.max_length)
    return Message("input.text_at_most", most=kind.max_length)


def _bounded(number: str, kind: inspect.IntType | inspect.FloatType) -> str:
    high = None if kind.le is None else f"{kind.le:.0f}"
    if kind.ge is not None:
        low = str(kind.ge)
        if high is None:
            return Message("input.from", number=number, least=low)
        return Message("input.range", number=number, least=low, most=high)
    if kind.gt is not None:
        low = f"{kind.gt:g}"
        if high is None:
            return Message("input.above", number=number, least=low)
        return Message("input.range_above", number=number, least=low, most=high)
    return number if high is None else Message("input.up_to", number=number, most=high)
