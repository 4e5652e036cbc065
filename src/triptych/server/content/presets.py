"""Rules for the lobby: the presets, checked house rules, and a table's rules in words."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from triptych.i18n.messages import Message
from triptych.rulesets.describe.chart import chart
from triptych.rulesets.describe.phrases import title_text
from triptych.rulesets.describe.sections import OPTIONS, describe, sections
from triptych.rulesets.describe.summary import summary_parts
from triptych.rulesets.diff import value_at
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import Ruleset
from triptych.rulesets.text import differences, to_toml
from triptych.rulesets.validate import check
from triptych.server.wire.bodies import CheckedRules, OptionItem, PresetDetail, PresetItem, RulesProblem, TableRules
from triptych.server.wire.decoding import MAX_LABEL, verify_name
from triptych.server.wire.errors import ApiError
from triptych.table.view import rules_view


@cache
def preset_items() -> tuple[PresetItem, ...]:
    """Return the presets in the order in which they are offered."""
    return tuple(_preset_item(name) for name in preset_names())


def _preset_item(name: str) -> PresetItem:
    rules = resolve(name)
    summary_view = rules_view(rules)
    return PresetItem(
        preset=name,
        title=title_text(summary_view.title),
        game=summary_view.game,
        summary=summary_view.summary,
        seats_min=summary_view.seats_min,
        seats_max=summary_view.seats_max,
        buy_in_min=summary_view.buy_in_min,
        buy_in_max=summary_view.buy_in_max,
        playable=not any(diagnostic.severity == "error" for diagnostic in check(rules)),
    )


@cache
def preset_detail(name: str) -> PresetDetail:
    """Return a preset with all its options. Raises ApiError for an unknown name."""
    if name not in preset_names():
        raise ApiError("request.unknown", Message("error.rules.unknown_preset", preset=repr(name)), status=404)
    rules = resolve(name)
    options = tuple(
        OptionItem(
            option.key,
            option.kind,
            tuple(str(choice.value) for choice in option.choices),
            value_at(rules, option.key),
            option.description,
        )
        for option in OPTIONS
        if _has(rules, option.key)
    )
    return PresetDetail(name, title_text(rules.title), rules, describe(rules), options, summary_parts(rules))


def _has(rules: Ruleset, key: str) -> bool:
    try:
        value_at(rules, key)
    except AttributeError:
        return False
    return True


def check_rules(spec: str | dict[str, Any]) -> CheckedRules:
    """Return house rules in full, with their problems. Raises RulesError when they cannot be read."""
    rules = resolve(spec)
    return CheckedRules(rules, describe(rules), _differences(rules), rules_problems(rules))


def rules_problems(rules: Ruleset) -> tuple[RulesProblem, ...]:
    """Return the errors and warnings about rules."""
    return tuple(
        RulesProblem(diagnostic.severity, diagnostic.code, diagnostic.message, diagnostic.path)
        for diagnostic in check(rules)
    )


def validated_rules(spec: str | dict[str, Any]) -> Ruleset:
    """Return rules that a table can be opened with. Raises RulesError or ApiError."""
    rules = resolve(spec)
    error = next((diagnostic for diagnostic in check(rules) if diagnostic.severity == "error"), None)
    if error is not None:
        raise ApiError("rules.contradiction", error.message, error.path.replace("$", "$.rules", 1))
    for key, label in (("name", rules.name), ("title", rules.title)):
        if label:
            verify_name(label, f"$.rules.{key}", MAX_LABEL)
    return rules


def rules_page(rules: Ruleset, next_rules: Ruleset | None = None) -> TableRules:
    """Return a table's rules as its players read them, and those of its next match if they are different."""
    return TableRules(
        preset=rules.name,
        title=title_text(rules.title),
        summary=summary_parts(rules),
        sections=sections(rules),
        chart=chart(rules),
        differences=_differences(rules),
        toml=to_toml(rules),
        coming="" if next_rules is None else to_toml(next_rules),
    )


def _differences(rules: Ruleset) -> tuple[str, ...]:
    if rules.name not in preset_names():
        return ()
    return tuple(
        Message(
            "rules.difference",
            key=difference.key,
            value=_value_text(difference.value),
            before=_value_text(difference.before),
        )
        for difference in differences(rules, resolve(rules.name))
    )


def _value_text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
