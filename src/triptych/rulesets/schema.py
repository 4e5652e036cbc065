"""The Ruleset's own description of its keys: what type, choices and bounds stand where, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from msgspec import Struct, inspect

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


def describe_type(kind: inspect.Type) -> str:
    """Return what a value of this type looks like: `true or false`, `a whole number from 0 to 1000`."""
    match kind:
        case inspect.Metadata():
            return str((kind.extra_json_schema or {}).get("description") or describe_type(kind.type))
        case inspect.LiteralType():
            return f"one of {', '.join(str(value) for value in choices(kind))}"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return f"a whole number{_bounds(kind)}"
        case inspect.FloatType():
            return f"a number{_bounds(kind)}"
        case inspect.StrType():
            return f"text{_length(kind)}"
        case inspect.NoneType():
            return "nothing"
        case inspect.CollectionType():
            count = (
                f"{kind.min_length} " if kind.min_length else f"at most {kind.max_length} " if kind.max_length else ""
            )
            return f"a list of {count}values, each {describe_type(kind.item_type)}"
        case inspect.UnionType():
            return " or ".join(
                dict.fromkeys(describe_type(part).removeprefix("one of ") for part in _literals_first(kind))
            )
        case _:
            return "a table"


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


def _length(kind: inspect.StrType) -> str:
    if kind.max_length is None:
        return ""
    return (
        f" of {kind.min_length} to {kind.max_length} letters"
        if kind.min_length
        else f" of at most {kind.max_length} letters"
    )


def _bounds(kind: inspect.IntType | inspect.FloatType) -> str:
    low = f" from {kind.ge}" if kind.ge is not None else f" above {kind.gt:g}" if kind.gt is not None else ""
    high = f" to {kind.le:.0f}" if kind.le is not None else ""
    return low + (high if low else high.replace(" to", " up to"))
