"""The bodies of the house rules editor, both ways. The client's types are generated from this file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from triptych.server.wire.bodies import RulesProblem, RulesSpec

TomlText = Annotated[str, Meta(max_length=32_768)]


class ChoiceInfo(Struct, frozen=True):
    """A possible value of an option, and its meaning. In a value such as `deals:N`, N is any number."""

    value: str | int
    about: str


class OptionInfo(Struct, frozen=True):
    """An option of the rules with everything that an editor shows of it.

    `kind`: the control; a `choice` with bounds also takes a number between them: `whole` or not, and with `above`
    greater than `low`. `resets`: the options that are reset when this one is chosen. The options of a list's entries
    follow it, and their keys begin with its key. `words`: the names of the parts of its key.
    """

    key: str
    words: tuple[str, ...]
    kind: Literal["choice", "switch", "number", "text", "ranks", "rows", "list", "conditions"]
    expects: str
    about: str
    choices: tuple[ChoiceInfo, ...]
    low: float | None
    high: float | None
    whole: bool
    above: bool
    resets: tuple[str, ...]


class EditRules(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules that are being edited: a preset's name, or overrides on a preset."""

    spec: RulesSpec


class ReadRules(Struct, frozen=True, forbid_unknown_fields=True):
    """A rules file to read."""

    toml: TomlText


class Sentence(Struct, frozen=True):
    """A sentence of the rules; `changed`: the preset does not have it."""

    text: str
    changed: bool


class RulesSection(Struct, frozen=True):
    """A heading and its sentences."""

    heading: str
    sentences: tuple[Sentence, ...]


class RulesChange(Struct, frozen=True):
    """An option that differs from the preset: its value now, and the preset's."""

    key: str
    now: Any
    before: Any


class EditedRules(Struct, frozen=True):
    """The rules in the editor.

    `overrides`: the smallest set that makes these rules from the preset; `values`: every option's value by key;
    `toml`: the differences from the preset.
    """

    preset: str
    preset_title: str
    title: str
    overrides: dict[str, Any]
    values: dict[str, Any]
    sections: tuple[RulesSection, ...]
    changes: tuple[RulesChange, ...]
    problems: tuple[RulesProblem, ...]
    toml: str
