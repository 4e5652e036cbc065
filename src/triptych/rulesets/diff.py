"""The differences between two sets of rules, as the smallest overrides that turn one into the other."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from triptych.rulesets.catalog import table_names
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Fantasyland, Group, Naturals, Ruleset

_LABELS = ("name", "title")


class Difference(Struct, frozen=True):
    """One difference: its dotted key, the value and the value of the base, as plain values."""

    key: str
    value: object
    before: object


def differences(rules: Ruleset, base: Ruleset) -> tuple[Difference, ...]:
    """Return the differences from `base`, in the order of the options; name and title are left out.

    A changed named table is one difference, followed by the keys in which it differs from the table of that name.
    """
    result = (Difference(key, value, value_at(base, key)) for key, value in overrides(rules, base).items())
    return tuple(
        difference for difference in result if difference.key not in _LABELS and difference.value != difference.before
    )


def overrides(rules: Ruleset, base: Ruleset) -> dict[str, object]:
    """Return the dotted keys and plain values that turn `base` into `rules` when merged over it."""
    return {key: value for name in rules.__struct_fields__ for key, value in _field_overrides(rules, base, name)}


def value_at(rules: Ruleset, key: str) -> object:
    """Return the plain value at a dotted key; for a named table its name. Raises AttributeError."""
    value: object = rules
    for name in key.split("."):
        value = getattr(value, name)
    if key in ("royalties.table", "naturals.table"):
        return value.name  # type: ignore[attr-defined]
    return msgspec.to_builtins(value)


def shipped_table(family: str, name: str) -> Group | None:
    """Return a royalty or natural table of the package in full, or None."""
    if name not in table_names(family):
        return None
    group: Group = getattr(resolve({f"{family}.table": name}), family)
    table: Group = group.table  # type: ignore[attr-defined]
    return table


def _field_overrides(rules: Ruleset, base: Ruleset, name: str) -> Iterator[tuple[str, object]]:
    group, before = getattr(rules, name), getattr(base, name)
    if group == before:
        return
    if name in ("royalties", "naturals") and group.table.name != before.table.name:
        table = shipped_table(name, group.table.name)
        if table is not None:
            yield f"{name}.table", group.table.name
            before = msgspec.structs.replace(Naturals() if name == "naturals" else before, table=table)
    elif name == "fantasyland" and group.kind != before.kind:
        yield "fantasyland.kind", group.kind
        before = _reset_fantasyland(group.kind, before)
    yield from _leaves(group, before, name)


def _reset_fantasyland(kind: str, before: Fantasyland) -> Fantasyland:
    """Return a fantasyland of another kind: all keys but order and button are reset."""
    reset = resolve({"fantasyland.kind": kind}).fantasyland
    return msgspec.structs.replace(reset, order=before.order, button=before.button)


def _leaves(value: object, before: object, key: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, Group):
        for name in value.__struct_fields__:
            yield from _leaves(getattr(value, name), getattr(before, name), f"{key}.{name}")
    elif value != before:
        yield key, msgspec.to_builtins(value)
