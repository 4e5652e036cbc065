"""Merge layers of rules: nested tables over each other, with named tables looked up.

A layer that names a table (`royalties.table`, `naturals.table`, `fantasyland.kind`) resets that table, then its own
keys are merged over it; every other key replaces only itself. Dotted keys and nested tables are equivalent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from triptych.i18n.messages import Message
from triptych.rulesets.catalog import named_table
from triptych.rulesets.errors import RulesError

Document: TypeAlias = dict[str, Any]

# A family's key that names its table, and the keys that naming a table does not reset.
_FAMILIES: Final = {
    "royalties": ("table", ("rule", "deuce_of_spades", "one_per_board", "broken_up", "declare")),
    "naturals": ("table", ("claim",)),
    "fantasyland": ("kind", ("order", "button")),
}
_MAX_DEPTH: Final = 6
# A named table may be written as text, or as a table that extends the named one.
_TABLE_PATHS: Final = frozenset({"$.royalties.table", "$.naturals.table"})


def nested(document: Mapping[str, Any], prefix: tuple[str, ...] = ()) -> Document:
    """Return a document with nested tables for its dotted keys; `prefix` is the path of the document.

    Raises RulesError `rules.conflict`, or `rules.unknown_key` for a path that is deeper than all options.
    """
    result: Document = {}
    for key, value in document.items():
        *parents, last = key.split(".")
        path = (*prefix, *parents, last)
        if len(path) > _MAX_DEPTH:
            raise RulesError(
                "rules.unknown_key", Message("rules_error.option_too_deep"), ".".join(("$", *path[:_MAX_DEPTH]))
            )
        table = result
        for depth, parent in enumerate(parents, 1):
            table = _table_at(table, parent, ".".join(("$", *prefix, *parents[:depth])))
        plain = nested(value, path) if isinstance(value, dict) else value
        _put(table, last, plain, ".".join(("$", *path)))
    return result


def _table_at(table: Document, key: str, path: str) -> Document:
    child = table.setdefault(key, {})
    if isinstance(child, str) and path in _TABLE_PATHS:
        child = table[key] = {"extends": child}
    if not isinstance(child, dict):
        raise RulesError("rules.conflict", Message("rules_error.conflict"), path)
    return child


def _put(table: Document, key: str, value: object, path: str) -> None:
    old = table.get(key)
    if isinstance(old, dict) and isinstance(value, str) and path in _TABLE_PATHS:
        value = {"extends": value}
    if isinstance(old, dict) and isinstance(value, dict):
        table[key] = _merge(old, value)
    elif isinstance(old, dict):
        raise RulesError("rules.conflict", Message("rules_error.conflict"), path)
    else:
        table[key] = value


def merge(base: Document, layer: Document) -> Document:
    """Return a layer merged over the base, with named tables looked up.

    Raises RulesError `rules.value` when no table has the name.
    """
    base, layer = dict(base), dict(layer)
    for family, (key, names) in _FAMILIES.items():
        group = layer.get(family)
        if isinstance(group, dict) and _names_a_table(group.get(key)):
            layer[family] = _with_table(family, key, group)
            base[family] = {name: value for name, value in base.get(family, {}).items() if name in names}
    return _merge(base, layer)


def reset_keys(key: str, keys: Iterable[str]) -> tuple[str, ...]:
    """Return the options' keys that a layer with this key resets; none unless the key names a table."""
    for family, (table, names) in _FAMILIES.items():
        if key == f"{family}.{table}":
            unchanged = {key, *(f"{family}.{name}" for name in names)}
            return tuple(other for other in keys if other.startswith(f"{family}.") and other not in unchanged)
    return ()


def _with_table(family: str, key: str, group: Document) -> Document:
    path = f"$.{family}.{key}"
    if family == "fantasyland":
        return _merge(_named(family, group[key], path), group)
    return {**group, key: _full_table(family, group[key], path)}


def _names_a_table(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and isinstance(value.get("extends"), str))


def _full_table(family: str, value: str | Document, path: str) -> Document:
    if isinstance(value, str):
        return {"name": value, **_named(family, value, path)}
    own = dict(value)
    name = own.pop("extends")
    return _merge({"name": name, **_named(family, name, f"{path}.extends")}, own)


def _named(family: str, name: str, path: str) -> Document:
    table = dict(named_table(family, name, path))
    parent = table.pop("extends", None)
    return table if parent is None else _merge(_named(family, parent, path), table)


def _merge(base: Document, layer: Document) -> Document:
    """Return `layer` merged over `base`: tables recursively; lists and plain values are replaced."""
    merged = dict(base)
    for key, value in layer.items():
        old = merged.get(key)
        merged[key] = _merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
