"""The Ruleset's own description of its keys: what type, choices and bounds stand where, and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from typing import Any, Final, Literal, TypeAlias, cast, get_args, get_origin, get_type_hints

from msgspec import Struct, inspect

from triptych.i18n.messages import Message
from triptych.rulesets.model import Ruleset


@cache
def ruleset_type() -> inspect.StructType:
    """Return the type of a whole Ruleset."""
    return cast("inspect.StructType", inspect.type_info(Ruleset))


def type_at(parts: Sequence[str | int], begin: inspect.Type | None = None, document: object = None) -> inspect.Type:
    """Return the type at a path of keys and indices in a Ruleset, or in another type.

    Where one of several tables may stand, `document` tells by its tag which one does. Raises KeyError when no such
    key exists.
    """
    here = unwrap(begin or ruleset_type())
    for part in parts:
        here = unwrap(_inside(here, part, document))
        document = _part_of(document, part)
    return here


def _inside(here: inspect.Type, part: str | int, document: object) -> inspect.Type:
    match here:
        case inspect.StructType():
            return {field.encode_name: field.type for field in here.fields}[str(part)]
        case inspect.CollectionType():
            return here.item_type
        case inspect.DictType():
            return here.value_type
        case inspect.UnionType():
            kinds = [unwrap(one) for one in here.types]
            tables = [one for one in kinds if isinstance(one, inspect.StructType)]
            if any(one.tag_field == part for one in tables):
                return inspect.LiteralType(tuple(one.tag for one in tables))
            for one in tables:
                if one.tag_field is None or _part_of(document, one.tag_field) == one.tag:
                    return _inside(one, part, document)
            for kind in kinds:
                if isinstance(kind, inspect.CollectionType | inspect.DictType):
                    return _inside(kind, part, document)
    raise KeyError(part)


def _part_of(document: object, part: str | int) -> object:
    """Return what stands at a key or an index; None where nothing does."""
    if isinstance(document, dict):
        return document.get(part)
    if isinstance(document, list) and isinstance(part, int) and part < len(document):
        return cast("object", document[part])
    return None


def unwrap(kind: inspect.Type) -> inspect.Type:
    """Return a type without the annotations around it."""
    return unwrap(kind.type) if isinstance(kind, inspect.Metadata) else kind


Words: TypeAlias = Mapping[str, str]
"""What some kinds of values are called, by the key of the message that says so elsewhere."""

FILE_WORDS: Final[Words] = {}
PYTHON_WORDS: Final[Words] = {
    "input.table": "a mapping",
    "input.true_or_false": "True or False",
    "input.nothing": "None",
    "input.true": "True",
    "input.false": "False",
}


def describe_type(kind: inspect.Type, words: Words = FILE_WORDS) -> str:
    """Return what a value of this type looks like: `true or false`, `a whole number from 0 to 1000`."""
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
    """Return the words or numbers that a value of this type may be one of; empty for free values."""
    kind = unwrap(kind)
    if isinstance(kind, inspect.LiteralType):
        return _written_orders().get(frozenset(kind.values), tuple(kind.values))
    if isinstance(kind, inspect.UnionType):
        return tuple(choice for part in kind.types for choice in choices(part))
    return ()


@cache
def _written_orders() -> dict[frozenset[Any], tuple[Any, ...]]:
    """Return each set of choices in the order of the model; msgspec gives them sorted."""
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
    return sorted(kind.types, key=lambda part: not isinstance(unwrap(part), inspect.LiteralType))


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
    parts = [
        _values(part) if isinstance(part, inspect.LiteralType) else describe_type(part, words)
        for part in _literals_first(kind)
    ]
    return reduce(lambda first, second: Message("input.or", first=first, second=second), dict.fromkeys(parts))


def _text(kind: inspect.StrType) -> str:
    if kind.max_length is None:
        return Message("input.text")
    if kind.min_length:
        return Message("input.text_range", least=kind.min_length, most=kind.max_length)
    return Message("input.text_at_most", most=kind.max_length)


def _bounded(number: str, kind: inspect.IntType | inspect.FloatType) -> str:
    most = None if kind.le is None else f"{kind.le:.0f}"
    if kind.ge is not None:
        least = str(kind.ge)
        if most is None:
            return Message("input.from", number=number, least=least)
        return Message("input.range", number=number, least=least, most=most)
    if kind.gt is not None:
        least = f"{kind.gt:g}"
        if most is None:
            return Message("input.above", number=number, least=least)
        return Message("input.range_above", number=number, least=least, most=most)
    return number if most is None else Message("input.up_to", number=number, most=most)
