"""Layers of rules: plain nested tables laid over each other, named tables looked up on the way.

A layer that names a table (`royalties.table`, `naturals.table`, `fantasyland.kind`) starts that table afresh, the
layer's own keys on top; every other key replaces just itself. Dotted keys and nested tables are the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from triptych.i18n.messages import Message
from triptych.rulesets.catalog import named_table
from triptych.rulesets.errors import RulesError

Document: TypeAlias = dict[str, Any]

# A family's key that names its table, and the keys beside it that a fresh table leaves as they were.
_FAMILIES: Final = {
    "royalties": ("table", ("rule", "deuce_of_spades", "one_per_board", "broken_up", "declare")),
    "naturals": ("table", ("claim",)),
    "fantasyland": ("kind", ("order", "button")),
}
_MAX_DEPTH: Final = 6
# A named table may be written as text, or as a table that extends the named one.
_TABLE_PATHS: Final = frozenset({"$.royalties.table", "$.naturals.table"})


def nested(document: Mapping[str, Any], above: tuple[str, ...] = ()) -> Document:
    """Return a document whose dotted keys have become nested tables; `above` are the keys that lead to it.

    Raises RulesError `rules.conflict`, or `rules.unknown_key` where no option can stand so deep.
    """
    result: Document = {}
    for key, value in document.items():
        *parents, last = key.split(".")
        path = (*above, *parents, last)
        if len(path) > _MAX_DEPTH:
            raise RulesError(
                "rules.unknown_key", Message("rules_error.option_too_deep"), ".".join(("$", *path[:_MAX_DEPTH]))
            )
        inside = result
        for depth, parent in enumerate(parents, 1):
            inside = _table_at(inside, parent, ".".join(("$", *above, *parents[:depth])))
        plain = nested(value, path) if isinstance(value, dict) else value
        _put(inside, last, plain, ".".join(("$", *path)))
    return result


def _table_at(inside: Document, key: str, path: str) -> Document:
    child = inside.setdefault(key, {})
    if isinstance(child, str) and path in _TABLE_PATHS:
        child = inside[key] = {"extends": child}
    if not isinstance(child, dict):
        raise RulesError("rules.conflict", Message("rules_error.conflict"), path)
    return child


def _put(inside: Document, key: str, value: object, path: str) -> None:
    old = inside.get(key)
    if isinstance(old, dict) and isinstance(value, str) and path in _TABLE_PATHS:
        value = {"extends": value}
    if isinstance(old, dict) and isinstance(value, dict):
        inside[key] = _merge(old, value)
    elif isinstance(old, dict):
        raise RulesError("rules.conflict", Message("rules_error.conflict"), path)
    else:
        inside[key] = value


def merge(below: Document, layer: Document) -> Document:
    """Return the layers below with one layer on top; named tables are looked up here.

    Raises RulesError `rules.value` when no table has the name.
    """
    below, layer = dict(below), dict(layer)
    for family, (key, names) in _FAMILIES.items():
        group = layer.get(family)
        if isinstance(group, dict) and _names_a_table(group.get(key)):
            layer[family] = _with_table(family, key, group)
            below[family] = {name: value for name, value in below.get(family, {}).items() if name in names}
    return _merge(below, layer)


def reset_keys(key: str, keys: Iterable[str]) -> tuple[str, ...]:
    """Return which of the options' keys start afresh when a layer gives this key; none unless it names a table."""
    for family, (table, names) in _FAMILIES.items():
        if key == f"{family}.{table}":
            stay = {key, *(f"{family}.{name}" for name in names)}
            return tuple(other for other in keys if other.startswith(f"{family}.") and other not in stay)
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


def _merge(below: Document, above: Document) -> Document:
    """Return `above` over `below`, table into table; lists and plain values replace."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
