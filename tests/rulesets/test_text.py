"""TOML goes out and comes back; what differs is exactly what was changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.case_notes import case
from tests.examples import examples
from tests.rulesets.strategies import rulesets, values
from triptych.rulesets.diff import overrides, value_at
from triptych.rulesets.load import preset_names, read_toml, resolve
from triptych.rulesets.options import OPTIONS
from triptych.rulesets.schema import type_at
from triptych.rulesets.text import differences, to_toml

if TYPE_CHECKING:
    from triptych.rulesets.model import Ruleset

PRESETS = st.sampled_from(preset_names())
TRIPS = {"row": "front", "least": "trips", "cards": 14}
QUADS = {"row": "back", "least": "quads", "cards": 14}
ENTRIES = ("naturals.table.entries.", "fantasyland.entry.", "fantasyland.repeat.")
KEYS = [option.key for option in OPTIONS if not option.key.startswith(ENTRIES)]
# Naming a table sets all of its keys: every other key sets just itself.
PLAIN_KEYS = [key for key in KEYS if key not in ("royalties.table", "naturals.table", "fantasyland.kind")]


@given(rulesets())
@settings(max_examples=examples(200))
def test_toml_in_full_reads_back_to_the_same_rules(rules: Ruleset) -> None:
    assert read_toml(to_toml(rules)) == rules


@given(rulesets(), PRESETS)
@settings(max_examples=examples(200))
def test_toml_on_a_preset_reads_back_to_the_same_rules(rules: Ruleset, preset: str) -> None:
    assert read_toml(to_toml(rules, preset)) == rules


@given(rulesets(), PRESETS)
@settings(max_examples=examples(100))
def test_overrides_lead_from_a_preset_to_the_rules(rules: Ruleset, preset: str) -> None:
    assert resolve({"preset": preset, **overrides(rules, resolve(preset))}) == rules


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_can_be_written_on_every_other(name: str) -> None:
    for base in preset_names():
        with case(base):
            rules = resolve(name)
            assert read_toml(to_toml(rules, base)) == rules
            assert (differences(rules, resolve(base)) == ()) == (name == base)


@given(PRESETS, st.sampled_from(PLAIN_KEYS), st.data())
@settings(max_examples=examples(300))
def test_overriding_one_key_changes_just_that_key(preset: str, key: str, data: st.DataObject) -> None:
    value: Any = data.draw(values(type_at(key.split(".")), key))
    base = resolve(preset)
    rules = resolve({"preset": preset, key: value})
    changed = {other for other in PLAIN_KEYS if value_at(rules, other) != value_at(base, other)}
    assert changed <= {key}
    assert value_at(rules, key) == msgspec.to_builtins(value)


def test_a_named_table_is_one_difference() -> None:
    changes = differences(resolve("pineapple_russian"), resolve("pineapple"))
    assert [(each.key, each.before, each.value) for each in changes] == [
        ("deal.first_cards", "at_turn", "all"),
        ("scoring.rows", "per_row_scoop3", "match_1_6"),
        ("royalties.table", "american", "russian"),
        ("fantasyland.kind", "unlimited", "classic_once"),
        ("fantasyland.repeat", (TRIPS, QUADS), (TRIPS, {"row": "middle", "least": "quads", "cards": 14}, QUADS)),
        ("fantasyland.order", "after_others", "at_start_hidden"),
        ("fantasyland.button", "move", "stay"),
        ("timeout.scope", "street", "deal"),
    ]


def test_toml_on_a_preset_is_short() -> None:
    rules = resolve({"preset": "pineapple", "scoring.rows": "two_four"})
    assert (
        to_toml(rules, "pineapple") == 'extends = "pineapple"\nname = "pineapple"\n\n[scoring]\nrows = "two_four"\n'
    )
