"""The bodies of the house rules editor, both ways. The client's types are generated from this file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from triptych.server.wire.bodies import RulesProblem, RulesSpec

TomlText = Annotated[str, Meta(max_length=32_768)]


class ChoiceInfo(Struct, frozen=True):
    """One value that an option may have, and what it means. A value such as `deals:N` stands for any number N."""

    value: str | int
    about: str


class OptionInfo(Struct, frozen=True):
    """One option of the rules with everything that an editor shows of it.

    `kind` names the control; a `choice` with bounds also takes a number between them: a `whole` one or not,
    and, with `above`, not `low` itself. `resets` are the options that
    start afresh when this one is chosen. The options of a list's entries stand after it, their keys begin with its.
    `words` are those of its key, part by part.
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
    """Rules in the making: a preset's name, or overrides on a preset."""

    spec: RulesSpec


class ReadRules(Struct, frozen=True, forbid_unknown_fields=True):
    """A house's rules file to be read."""

    toml: TomlText


class Sentence(Struct, frozen=True):
    """One sentence of the rules; `changed` when the preset does not say it."""

    text: str
    changed: bool


class RulesSection(Struct, frozen=True):
    """A heading and its sentences."""

    heading: str
    sentences: tuple[Sentence, ...]


class RulesChange(Struct, frozen=True):
    """One option that differs from the preset: its value now, and the preset's."""

    key: str
    now: Any
    before: Any


class EditedRules(Struct, frozen=True):
    """Rules as the editor shows them.

    `overrides` are the fewest that make these rules of the preset; `values` has every option's value by key. `toml`
    holds what differs from the preset.
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
