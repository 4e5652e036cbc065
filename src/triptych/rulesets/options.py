"""Every option of the rules with its choices, bounds, default and words.

The editor, the reference and the command line show nothing that does not stand here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import NODEFAULT, Struct, inspect

from triptych.i18n.messages import Message, has_message, message_names
from triptych.rulesets.catalog import table_names
from triptych.rulesets.model import FantasylandCondition
from triptych.rulesets.schema import choices, describe_type, ruleset_type, unwrap

Kind: TypeAlias = Literal["choice", "switch", "number", "text", "ranks", "rows", "list", "conditions"]
Plain: TypeAlias = str | int | float | bool | tuple[Any, ...] | None

_TABLES: Final = {"royalties.table": "royalties", "naturals.table": "naturals", "fantasyland.kind": "fantasyland"}
# What so many numbers side by side stand for.
_NUMBERS: Final[dict[int | None, Kind]] = {13: "ranks", 3: "rows"}
# Its words are shared with the kinds of a table's entries.
_MIN_HAND_KEY: Final = "fantasyland.entry.least"
_SHARED: Final = {
    "naturals.also": "naturals.table.entries.kind",
    **{f"fantasyland.{part}.least": _MIN_HAND_KEY for part in ("entry.all", "repeat", "repeat.all")},
}


class Choice(Struct, frozen=True):
    """One value that an option may have, and what it means."""

    value: str | int
    description: str


class Option(Struct, frozen=True):
    """One key of the rules.

    `kind` says which control sets it: one of `choices` (or, beside them, any value that `expects` names), a switch,
    a number from `low` to `high` (a `whole` one or not; with `above` not `low` itself), text (with some of its values
    as `choices`), 13 numbers by rank, 3 by row, a list, or conditions of fantasyland. `default` holds without any
    preset; None where there is none.
    """

    key: str
    kind: Kind
    type_text: str
    description: str
    default: Plain
    choices: tuple[Choice, ...] = ()
    low: float | None = None
    high: float | None = None
    whole: bool = True
    above: bool = False

    @property
    def group(self) -> str:
        """Return the heading of a rules file under which the key stands; empty for name and title."""
        return self.key.partition(".")[0] if "." in self.key else ""


def _walk(struct: inspect.StructType, prefix: str) -> Iterator[Option]:
    for field in struct.fields:
        key = prefix + field.name
        kind = unwrap(field.type)
        if key in _TABLES or not isinstance(kind, inspect.StructType):
            yield _option(key, field)
        if isinstance(kind, inspect.StructType):
            yield from _walk(kind, f"{key}.")
        elif isinstance(kind, inspect.VarTupleType) and isinstance(kind.item_type, inspect.StructType):
            yield from _walk(kind.item_type, f"{key}.")


def _option(key: str, field: inspect.Field) -> Option:
    kind = unwrap(field.type)
    number = next((part for part in _parts(kind) if isinstance(part, inspect.IntType | inspect.FloatType)), None)
    result = _choices(key, field.type)
    return Option(
        key=key,
        kind=_kind(kind, bool(result)),
        type_text=_expects(key, field.type),
        description=Message(f"option.{key}.about"),
        default="none" if key in _TABLES else _default(field),
        choices=result,
        low=None if number is None else number.ge if number.ge is not None else number.gt,
        high=None if number is None else number.le,
        whole=not isinstance(number, inspect.FloatType),
        above=number is not None and number.ge is None and number.gt is not None,
    )


def _choices(key: str, kind: inspect.Type) -> tuple[Choice, ...]:
    """Return the choices of an option; what a table or a pattern allows stands only in the messages."""
    shared = _SHARED.get(key, key)
    values: tuple[str | int, ...]
    if key in _TABLES:
        values = table_names(_TABLES[key])
    elif isinstance(unwrap(kind), inspect.VarTupleType):
        values = choices(unwrap(kind).item_type)  # type: ignore[attr-defined]
    elif isinstance(kind, inspect.Metadata):
        values = tuple(value for value in message_names(f"option.{shared}.") if value != "about")
    else:
        values = choices(kind)
    return tuple(Choice(value, _choice_text(shared, value)) for value in values)


def _choice_text(key: str, value: str | int) -> str:
    return Message(f"option.{key}.{value}") if has_message(f"option.{key}.{value}") else ""


def _kind(kind: inspect.Type, has_choices: bool) -> Kind:  # noqa: FBT001 - private, and named at its only call
    if isinstance(kind, inspect.VarTupleType):
        item = kind.item_type
        asks = isinstance(item, inspect.StructType) and issubclass(item.cls, FantasylandCondition)
        return "conditions" if asks else _NUMBERS.get(kind.min_length, "list")
    if isinstance(kind, inspect.StrType) and kind.max_length:
        return "text"
    if isinstance(kind, inspect.BoolType):
        return "switch"
    if has_choices:
        return "choice"
    return "number" if isinstance(kind, inspect.IntType | inspect.FloatType) else "text"


def _expects(key: str, kind: inspect.Type) -> str:
    if key in _TABLES:
        own = "" if key == "fantasyland.kind" else " or a table of your own"
        return f"one of {', '.join(table_names(_TABLES[key]))}{own}"
    return describe_type(kind)


def _default(field: inspect.Field) -> Plain:
    if field.default is NODEFAULT:
        return None
    plain: Plain = msgspec.to_builtins(field.default)
    return plain


def _parts(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return tuple(unwrap(part) for part in kind.types) if isinstance(kind, inspect.UnionType) else (kind,)


OPTIONS: Final[tuple[Option, ...]] = tuple(_walk(ruleset_type(), ""))
