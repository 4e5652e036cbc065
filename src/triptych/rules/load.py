"""From a preset's name, a few overrides or a house's own TOML to a whole Ruleset.

Rules are layers: the `extends` chain from its root, each layer's named tables under that layer's own keys, the
overrides on top. A layer that names a table (`royalties.table`, `naturals.table`, `fantasyland.kind`) starts that
table afresh; every other key replaces just itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from triptych.rules.catalog import DEFAULT_PRESET, named_table, preset_document, preset_names
from triptych.rules.diagnose import diagnose
from triptych.rules.errors import RulesError
from triptych.rules.model import Ruleset

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["parse_set", "preset_names", "read_toml", "resolve"]

Document: TypeAlias = dict[str, Any]

# Keys of [fantasyland] and [naturals] that a freshly named table leaves alone; royalties keep their table apart.
_NOT_OF_THE_TABLE: Final = {"fantasyland": ("order", "button"), "naturals": ()}


def resolve(spec: str | Mapping[str, object]) -> Ruleset:
    """Return the whole Ruleset of a preset's name, or of a mapping of overrides on a preset.

    `{"preset": "closed_1_6", "scoring.rows": "two_four", "clock": {"bank": 60}}`: dotted keys and nested tables are
    the same thing; without `preset` the overrides stand on the default preset. Equal specs return the same object.
    Raises RulesError.
    """
    if isinstance(spec, str):
        return _resolve_preset(spec)
    if not isinstance(spec, Mapping):
        raise RulesError("rules.type", f"expected a preset's name or a table, got {type(spec).__name__}")
    try:
        return _resolve_encoded(msgspec.json.encode(spec))
    except (TypeError, ValueError) as error:
        if isinstance(error, RulesError):
            raise
        raise RulesError("rules.type", f"not a table of plain values: {error}") from error


def read_toml(text: str) -> Ruleset:
    """Return the Ruleset of a house's own TOML file; without `extends` it stands on the defaults of every option.

    Raises RulesError; `rules.toml` with the line when the text is not TOML.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError("rules.toml", f"not TOML: {error}") from error
    return _build(_layers({"name": "house", **document}, ()))


def parse_set(settings: Iterable[str]) -> dict[str, object]:
    """Return `["scoring.rows=two_four", "surrender.points=3"]` as a mapping for `resolve`.

    A value is read as TOML, and as plain text when it is no TOML. Raises RulesError `rules.set`.
    """
    found: dict[str, object] = {}
    for setting in settings:
        key, sign, value = setting.partition("=")
        if not sign or not key.strip():
            raise RulesError("rules.set", f"{setting!r} is not key=value, such as scoring.rows=two_four")
        found[key.strip()] = _value(value.strip())
    return found


def _value(text: str) -> object:
    try:
        read = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return read["value"] if len(read) == 1 else text


@lru_cache(maxsize=256)
def _resolve_preset(name: str) -> Ruleset:
    return _build(_preset(name, "$.preset", ()))


@lru_cache(maxsize=1024)
def _resolve_encoded(encoded: bytes) -> Ruleset:
    spec: Document = msgspec.json.decode(encoded)
    key = _base_key(spec)
    base = spec.pop(key, DEFAULT_PRESET)
    return _build(_apply(_preset(base, f"$.{key}", ()), _nested(spec)))


def _preset(name: object, path: str, children: tuple[str, ...]) -> Document:
    """Return a preset's layers as one document; `children` are the presets that extend it."""
    if not isinstance(name, str):
        raise RulesError("rules.extends", f"expected a preset's name, got {name!r}", path)
    if name in children:
        raise RulesError("rules.extends", f"{' extends '.join((*children, name))}: a circle", path)
    return _layers({"name": name, **preset_document(name, path)}, (*children, name))


def _layers(document: Document, children: tuple[str, ...]) -> Document:
    key = _base_key(document)
    base = _preset(document.pop(key), f"$.{key}", children) if key in document else {}
    return _apply(base, _nested(document))


def _base_key(document: Document) -> str:
    """Return the key that names the preset below: `extends` and `preset` mean the same."""
    if "preset" in document and "extends" in document:
        raise RulesError("rules.extends", "give `preset` or `extends`, not both", "$.extends")
    return "preset" if "preset" in document else "extends"


def _nested(document: Mapping[str, Any]) -> Document:
    """Return a document whose dotted keys have become nested tables."""
    result: Document = {}
    for key, value in document.items():
        *parents, last = key.split(".")
        inside = result
        for depth, parent in enumerate(parents, 1):
            inside = _table_at(inside, parent, "$." + ".".join(parents[:depth]))
        plain = _nested(value) if isinstance(value, dict) else value
        _put(inside, last, plain, f"$.{key}")
    return result


def _table_at(inside: Document, key: str, path: str) -> Document:
    child = inside.setdefault(key, {})
    if isinstance(child, str) and path in _TABLE_PATHS:
        child = inside[key] = {"extends": child}
    if not isinstance(child, dict):
        raise RulesError("rules.conflict", "given both as a value and as a table", path)
    return child


def _put(inside: Document, key: str, value: object, path: str) -> None:
    old = inside.get(key)
    if isinstance(old, dict) and isinstance(value, str) and path in _TABLE_PATHS:
        value = {"extends": value}
    if isinstance(old, dict) and isinstance(value, dict):
        inside[key] = _merge(old, value)
    elif isinstance(old, dict):
        raise RulesError("rules.conflict", "given both as a value and as a table", path)
    else:
        inside[key] = value


_TABLE_PATHS: Final = frozenset({"$.royalties.table", "$.naturals.table"})


def _apply(below: Document, layer: Document) -> Document:
    """Return the layers below with one layer on top; named tables are looked up here."""
    below, layer = dict(below), dict(layer)
    for family in ("royalties", "naturals"):
        group = layer.get(family)
        if isinstance(group, dict) and _names_a_table(group.get("table")):
            layer[family] = {**group, "table": _full_table(family, group["table"], f"$.{family}.table")}
            kept = _NOT_OF_THE_TABLE.get(family)
            below[family] = {
                key: value
                for key, value in below.get(family, {}).items()
                if key != "table" and (kept is None or key in kept)
            }
    group = layer.get("fantasyland")
    if isinstance(group, dict) and isinstance(group.get("kind"), str):
        table = _named("fantasyland", group["kind"], "$.fantasyland.kind")
        kept = _NOT_OF_THE_TABLE["fantasyland"]
        below["fantasyland"] = {key: value for key, value in below.get("fantasyland", {}).items() if key in kept}
        layer["fantasyland"] = _merge(table, group)
    return _merge(below, layer)


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


def _build(document: Document) -> Ruleset:
    try:
        return msgspec.convert(document, Ruleset)
    except msgspec.ValidationError as error:
        raise diagnose(document, str(error)) from error
