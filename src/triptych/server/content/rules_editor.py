"""The house rules editor's data: the options, the state of edited rules, a rules file read."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from triptych.i18n.messages import Message
from triptych.rulesets.catalog import DEFAULT_PRESET
from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.describe.sections import OPTIONS, sections
from triptych.rulesets.diff import differences, overrides, value_at
from triptych.rulesets.load import preset_names, read_toml, resolve
from triptych.rulesets.merge import reset_keys
from triptych.rulesets.model import Ruleset
from triptych.rulesets.text import to_toml
from triptych.rulesets.toml import parse_toml
from triptych.server.content.presets import rules_problems
from triptych.server.schemas.rules import ChoiceInfo, EditedRules, OptionInfo, RulesChange, RulesSection, Sentence

# The options of a list's entries have no value of their own.
_LISTS: Final = tuple(f"{option.key}." for option in OPTIONS if option.kind in ("list", "conditions"))
_WITH_VALUE: Final = tuple(option.key for option in OPTIONS if not option.key.startswith(_LISTS))


@cache
def options() -> tuple[OptionInfo, ...]:
    """Return every option in the order of a rules file."""
    keys = [option.key for option in OPTIONS]
    return tuple(
        OptionInfo(
            option.key,
            tuple(Message(f"option_name.{part}") for part in option.key.split(".")),
            option.kind,
            option.type_text,
            option.description,
            tuple(ChoiceInfo(choice.value, choice.description) for choice in option.choices),
            option.low,
            option.high,
            option.whole,
            option.above,
            reset_keys(option.key, keys),
        )
        for option in OPTIONS
    )


def editor_state(spec: str | dict[str, Any]) -> EditedRules:
    """Return edited rules as the editor shows them. Raises RulesError when they cannot be read."""
    return _edited(resolve(spec), _base(spec) if isinstance(spec, dict) else spec)


def read_file(text: str) -> EditedRules:
    """Return the rules of a TOML file as the editor shows them. Raises RulesError."""
    rules = read_toml(text)
    return _edited(rules, _base(parse_toml(text)))


def _base(document: dict[str, Any]) -> str:
    """Return the preset on which readable rules are based.

    A complete file, as tables export it, is compared with the preset of its name, any other with the default.
    """
    named = document.get("name")
    fallback = named if named in preset_names() else DEFAULT_PRESET
    return str(document.get("preset", document.get("extends", fallback)))


def _edited(rules: Ruleset, preset: str) -> EditedRules:
    base = resolve(preset)
    base_sentences = {sentence for section in sections(base) for sentence in section.sentences}
    return EditedRules(
        preset=preset,
        preset_title=title_text(base.title),
        title=title_text(rules.title),
        overrides=overrides(rules, base),
        values={key: value_at(rules, key) for key in _WITH_VALUE},
        sections=tuple(
            RulesSection(
                section.heading, tuple(Sentence(text, text not in base_sentences) for text in section.sentences)
            )
            for section in sections(rules)
        ),
        changes=tuple(
            RulesChange(difference.key, difference.value, difference.before)
            for difference in differences(rules, base)
        ),
        problems=rules_problems(rules),
        toml=to_toml(rules, preset),
    )
