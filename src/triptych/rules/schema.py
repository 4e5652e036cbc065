"""The Ruleset's own description of its keys: what type, choices and bounds stand where, and in words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast, get_args, get_origin, get_type_hints

from msgspec import Struct, inspect

from triptych.rules.model import Ruleset

if TYPE_CHECKING:
    from collections.abc import Sequence


@cache
def root() -> inspect.StructType:
    """Return the type of a whole Ruleset."""
    return cast("inspect.StructType", inspect.type_info(Ruleset))


def type_at(parts: Sequence[str | int]) -> inspect.Type:
    """Return the type at a path of keys and indices. Raises KeyError when no such key exists."""
    here: inspect.Type = root()
    for part in parts:
        if isinstance(here, inspect.StructType):
            here = bare({field.name: field.type for field in here.fields}[str(part)])
        elif isinstance(here, inspect.VarTupleType):
            here = bare(here.item_type)
        else:
            raise KeyError(part)
    return here


def bare(kind: inspect.Type) -> inspect.Type:
    """Return a type without the annotations around it."""
    return bare(kind.type) if isinstance(kind, inspect.Metadata) else kind


def words(kind: inspect.Type) -> str:
    """Return what a value of this type looks like: `true or false`, `a whole number from 0 to 1000`."""
    match kind:
        case inspect.Metadata():
            return str((kind.extra_json_schema or {}).get("description") or words(kind.type))
        case inspect.LiteralType():
            return f"one of {', '.join(str(value) for value in choices(kind))}"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return f"a whole number{_bounds(kind)}"
        case inspect.FloatType():
            return f"a number{_bounds(kind)}"
        case inspect.StrType():
            return f"text of at most {kind.max_length} letters" if kind.max_length else "text"
        case inspect.VarTupleType():
            count = (
                f"{kind.min_length} " if kind.min_length else f"at most {kind.max_length} " if kind.max_length else ""
            )
            return f"a list of {count}values, each {words(kind.item_type)}"
        case inspect.UnionType():
            return " or ".join(words(part).removeprefix("one of ") for part in _literals_first(kind))
        case _:
            return "a table"


def choices(kind: inspect.Type) -> tuple[str | int, ...]:
    """Return the words or numbers that a value of this type may be one of; empty for free values."""
    kind = bare(kind)
    if isinstance(kind, inspect.LiteralType):
        return _written_orders()[frozenset(kind.values)]
    if isinstance(kind, inspect.UnionType):
        return tuple(choice for part in kind.types for choice in choices(part))
    return ()


@cache
def _written_orders() -> dict[frozenset[Any], tuple[Any, ...]]:
    """Return each set of choices in the order of the model; msgspec gives them sorted."""
    found: dict[frozenset[Any], tuple[Any, ...]] = {}
    pending: list[Any] = [Ruleset]
    while pending:
        kind = pending.pop()
        if get_origin(kind) is Literal:
            found[frozenset(get_args(kind))] = get_args(kind)
        elif isinstance(kind, type) and issubclass(kind, Struct):
            pending += get_type_hints(kind, include_extras=True).values()
        else:
            pending += get_args(kind)
    return found


def _literals_first(kind: inspect.UnionType) -> list[inspect.Type]:
    return sorted(kind.types, key=lambda part: not isinstance(bare(part), inspect.LiteralType))


def _bounds(kind: inspect.IntType | inspect.FloatType) -> str:
    low = f" from {kind.ge}" if kind.ge is not None else f" above {kind.gt:g}" if kind.gt is not None else ""
    high = f" to {kind.le:.0f}" if kind.le is not None else ""
    return low + (high if low else high.replace(" to", " up to"))
