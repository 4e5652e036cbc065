"""How two sets of rules differ, as the smallest overrides that lead from one to the other."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from triptych.rulesets.catalog import table_names
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Fantasyland, Group, Naturals, Ruleset

_LABELS = ("name", "title")


class Difference(Struct, frozen=True):
    """One key that differs: its dotted key, the value now and the value before, as plain values."""

    key: str
    value: object
    before: object


def differences(rules: Ruleset, base: Ruleset) -> tuple[Difference, ...]:
    """Return the rules of `rules` that differ from `base`, in the order of the options; name and title are no rules.

    A changed named table is one difference, followed by the keys in which it differs from the table of that name.
    """
    result = (Difference(key, now, value_at(base, key)) for key, now in overrides(rules, base).items())
    return tuple(each for each in result if each.key not in _LABELS and each.value != each.before)


def overrides(rules: Ruleset, base: Ruleset) -> dict[str, object]:
    """Return the dotted keys and plain values that make `rules` of `base` when laid over it."""
    return {key: value for name in rules.__struct_fields__ for key, value in _part(rules, base, name)}


def value_at(rules: Ruleset, key: str) -> object:
    """Return the plain value at a dotted key; a named table answers with its name. Raises AttributeError."""
    value: object = rules
    for part in key.split("."):
        value = getattr(value, part)
    if key in ("royalties.table", "naturals.table"):
        return value.name  # type: ignore[attr-defined]
    return msgspec.to_builtins(value)


def shipped_table(family: str, name: str) -> Group | None:
    """Return a shipped royalty or natural table in full, None when no table has that name."""
    if name not in table_names(family):
        return None
    group: Group = getattr(resolve({f"{family}.table": name}), family)
    table: Group = group.table  # type: ignore[attr-defined]
    return table


def _part(rules: Ruleset, base: Ruleset, name: str) -> Iterator[tuple[str, object]]:
    now, before = getattr(rules, name), getattr(base, name)
    if now == before:
        return
    if name in ("royalties", "naturals") and now.table.name != before.table.name:
        table = shipped_table(name, now.table.name)
        if table is not None:
            yield f"{name}.table", now.table.name
            before = msgspec.structs.replace(Naturals() if name == "naturals" else before, table=table)
    elif name == "fantasyland" and now.kind != before.kind:
        yield "fantasyland.kind", now.kind
        before = _reset_fantasyland(now.kind, before)
    yield from _leaves(now, before, name)


def _reset_fantasyland(kind: str, before: Fantasyland) -> Fantasyland:
    """Return what naming another kind makes of a fantasyland: all keys but order and button start afresh."""
    fresh = resolve({"fantasyland.kind": kind}).fantasyland
    return msgspec.structs.replace(fresh, order=before.order, button=before.button)


def _leaves(now: object, before: object, key: str) -> Iterator[tuple[str, object]]:
    if isinstance(now, Group):
        for name in now.__struct_fields__:
            yield from _leaves(getattr(now, name), getattr(before, name), f"{key}.{name}")
    elif now != before:
        yield key, msgspec.to_builtins(now)
