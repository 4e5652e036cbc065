"""Resolve a preset's name, overrides or a TOML file to a complete Ruleset.

Rules are layers (see `rulesets/merge.py`): the chain of `extends` from its root, then the overrides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

import msgspec

from triptych.i18n.messages import Message
from triptych.rulesets.catalog import DEFAULT_PRESET, preset_document, preset_names
from triptych.rulesets.conditions import verify_conditions
from triptych.rulesets.decode_errors import decode_error
from triptych.rulesets.errors import RulesError
from triptych.rulesets.merge import Document, merge, nested
from triptych.rulesets.model import Ruleset
from triptych.rulesets.schema import FILE_WORDS, Words
from triptych.rulesets.toml import TomlError, parse_toml

__all__ = ["parse_set", "preset_names", "read_toml", "resolve", "with_changes"]

# Complete rules take 5,000 characters; the limit bounds the cache, whose keys come from users.
_MAX_SIZE: Final = 32_768


def resolve(spec: str | Mapping[str, object], words: Words = FILE_WORDS) -> Ruleset:
    """Return the complete Ruleset of a preset's name, or of a mapping of overrides on a preset.

    `{"preset": "closed_1_6", "scoring.rows": "two_four", "clock": {"bank": 60}}`: dotted keys and nested tables are
    equivalent; without `preset` the overrides change the default preset. Equal specs return the same object.
    `words`: names of kinds of values in error messages. Raises RulesError.
    """
    if isinstance(spec, str):
        return _resolve_preset(spec)
    if not isinstance(spec, Mapping):
        raise RulesError("rules.type", _no_preset_or_table(spec, words))
    encoded = _encoded(spec, words)
    try:
        return _resolve_encoded(encoded)
    except RecursionError as error:
        raise RulesError("rules.type", Message("rules_error.too_deep")) from error
    except RulesError:
        if words is FILE_WORDS:
            raise
    return _resolve_document(msgspec.json.decode(encoded), words)


def read_toml(text: str, changes: Mapping[str, object] | None = None) -> Ruleset:
    """Return the Ruleset of a TOML file; without `extends` it changes the defaults of the options.

    `changes`: dotted keys and nested tables that are merged over it.

    Raises RulesError; `rules.toml` with the line when the text is not TOML.
    """
    if len(text) > _MAX_SIZE:
        raise RulesError("rules.toml", Message("rules_error.file_length", length=len(text), most=_MAX_SIZE))
    try:
        document = parse_toml(text)
    except TomlError as error:
        raise RulesError("rules.toml", Message("rules_error.toml", problem=error.problem)) from error
    return _build(merge({"name": "house", **_layers(document, ())}, nested(dict(changes or {}))))


def with_changes(rules: Ruleset, changes: Mapping[str, object]) -> Ruleset:
    """Return rules with some options changed; dotted keys and nested tables are equivalent. Raises RulesError."""
    document: Document = msgspec.to_builtins(rules)
    return _build(merge(document, nested(dict(changes))))


def parse_set(settings: Iterable[str]) -> dict[str, object]:
    """Return `["scoring.rows=two_four", "surrender.points=3"]` as a mapping for `resolve`.

    A value is parsed as TOML, or is plain text if it is not TOML. Raises RulesError `rules.set`.
    """
    result: dict[str, object] = {}
    for setting in settings:
        key, sign, value = setting.partition("=")
        if not sign or not key.strip():
            raise RulesError("rules.set", Message("rules_error.setting", text=repr(setting)))
        result[key.strip()] = _value(value.strip())
    return result


def _value(text: str) -> object:
    try:
        document = parse_toml(f"value = {text}")
    except TomlError:
        return text
    return document["value"] if len(document) == 1 else text


def _no_preset_or_table(spec: object, words: Words) -> str:
    expected = Message("rules_error.preset_or_table", table=_table(words))
    return Message("rules_error.type", expected=expected, value=type(spec).__name__)


def _table(words: Words) -> str:
    return words.get("input.table") or Message("input.table")


def _encoded(spec: Mapping[str, object], words: Words) -> bytes:
    """Return a spec as JSON, the key of its rules in the cache."""
    try:
        encoded = msgspec.json.encode(dict(spec))
    except RecursionError as error:
        raise RulesError("rules.type", Message("rules_error.too_deep")) from error
    except (TypeError, ValueError, OverflowError) as error:
        message = Message("rules_error.not_plain", table=_table(words), problem=str(error))
        raise RulesError("rules.type", message) from error
    if len(encoded) > _MAX_SIZE:
        raise RulesError("rules.type", Message("rules_error.rules_length", length=len(encoded), most=_MAX_SIZE))
    return encoded


@lru_cache(maxsize=256)
def _resolve_preset(name: str) -> Ruleset:
    return _build(_preset(name, "$.preset", ()))


@lru_cache(maxsize=1024)
def _resolve_encoded(encoded: bytes) -> Ruleset:
    return _resolve_document(msgspec.json.decode(encoded), FILE_WORDS)


def _resolve_document(spec: Document, words: Words) -> Ruleset:
    key = _base_key(spec)
    base = spec.pop(key, DEFAULT_PRESET)
    return _build(merge(_preset(base, f"$.{key}", ()), nested(spec)), words)


def _preset(name: object, path: str, children: tuple[str, ...]) -> Document:
    """Return a preset's merged layers as a document; `children` are the presets that extend it."""
    if not isinstance(name, str):
        raise RulesError(
            "rules.extends",
            Message("rules_error.type", expected=Message("rules_error.preset_name"), value=repr(name)),
            path,
        )
    if name in children:
        raise RulesError(
            "rules.extends", Message("rules_error.circle", names=" extends ".join((*children, name))), path
        )
    return _layers({"name": name, **preset_document(name, path)}, (*children, name))


def _layers(document: Document, children: tuple[str, ...]) -> Document:
    key = _base_key(document)
    base = _preset(document.pop(key), f"$.{key}", children) if key in document else {}
    return merge(base, nested(document))


def _base_key(document: Document) -> str:
    """Return the key that names the base preset: `extends` and `preset` are equivalent."""
    if "preset" in document and "extends" in document:
        raise RulesError("rules.extends", Message("rules_error.preset_and_extends"), "$.extends")
    return "preset" if "preset" in document else "extends"


def _build(document: Document, words: Words = FILE_WORDS) -> Ruleset:
    try:
        rules = msgspec.convert(document, Ruleset)
    except msgspec.ValidationError as error:
        raise decode_error(document, str(error), words) from error
    verify_conditions(rules)
    return rules
