"""Every option of the rules with its choices, bounds, default and description.

The editor, the reference and the command line are made from this list.
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
# Lists of numbers by their length.
_NUMBER_LISTS: Final[dict[int | None, Kind]] = {13: "ranks", 3: "rows"}
# Options that share the descriptions of another option's choices.
_MIN_HAND_KEY: Final = "fantasyland.entry.least"
_SHARED: Final = {
    "naturals.also": "naturals.table.entries.kind",
    **{f"fantasyland.{part}.least": _MIN_HAND_KEY for part in ("entry.all", "repeat", "repeat.all")},
}


class Choice(Struct, frozen=True):
    """One value of an option, and its description."""

    value: str | int
    description: str


class Option(Struct, frozen=True):
    """One key of the rules.

    `kind` is the control that sets it: one of `choices` (or another value that `type_text` describes), a switch, a
    number from `low` to `high` (whole or not; with `above`, `low` is excluded), text (with some of its values as
    `choices`), 13 numbers by rank, 3 by row, a list, or conditions of fantasyland. `default` is the value without a
    preset, or None.
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
    number = next(
        (member for member in _member_types(kind) if isinstance(member, inspect.IntType | inspect.FloatType)), None
    )
    option_choices = _choices(key, field.type)
    return Option(
        key=key,
        kind=_kind(kind, bool(option_choices)),
        type_text=_type_text(key, field.type),
        description=Message(f"option.{key}.about"),
        default="none" if key in _TABLES else _default(field),
        choices=option_choices,
        low=None if number is None else number.ge if number.ge is not None else number.gt,
        high=None if number is None else number.le,
        whole=not isinstance(number, inspect.FloatType),
        above=number is not None and number.ge is None and number.gt is not None,
    )


def _choices(key: str, kind: inspect.Type) -> tuple[Choice, ...]:
    """Return the choices of an option; those of a pattern are listed only in the messages."""
    message_key = _SHARED.get(key, key)
    values: tuple[str | int, ...]
    if key in _TABLES:
        values = table_names(_TABLES[key])
    elif isinstance(unwrap(kind), inspect.VarTupleType):
        values = choices(unwrap(kind).item_type)  # type: ignore[attr-defined]
    elif isinstance(kind, inspect.Metadata):
        values = tuple(value for value in message_names(f"option.{message_key}.") if value != "about")
    else:
        values = choices(kind)
    return tuple(Choice(value, _choice_text(message_key, value)) for value in values)


def _choice_text(key: str, value: str | int) -> str:
    return Message(f"option.{key}.{value}") if has_message(f"option.{key}.{value}") else ""


def _kind(kind: inspect.Type, has_choices: bool) -> Kind:  # noqa: FBT001 - private, and named at its only call
    if isinstance(kind, inspect.VarTupleType):
        item = kind.item_type
        is_condition = isinstance(item, inspect.StructType) and issubclass(item.cls, FantasylandCondition)
        return "conditions" if is_condition else _NUMBER_LISTS.get(kind.min_length, "list")
    if isinstance(kind, inspect.StrType) and kind.max_length:
        return "text"
    if isinstance(kind, inspect.BoolType):
        return "switch"
    if has_choices:
        return "choice"
    return "number" if isinstance(kind, inspect.IntType | inspect.FloatType) else "text"


def _type_text(key: str, kind: inspect.Type) -> str:
    if key in _TABLES:
        custom = "" if key == "fantasyland.kind" else " or a table of your own"
        return f"one of {', '.join(table_names(_TABLES[key]))}{custom}"
    return describe_type(kind)


def _default(field: inspect.Field) -> Plain:
    if field.default is NODEFAULT:
        return None
    plain: Plain = msgspec.to_builtins(field.default)
    return plain


def _member_types(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return tuple(unwrap(member) for member in kind.types) if isinstance(kind, inspect.UnionType) else (kind,)


OPTIONS: Final[tuple[Option, ...]] = tuple(_walk(ruleset_type(), ""))
