"""Layers: presets, named tables, overrides, and a custom file."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.rulesets import load
from triptych.rulesets.errors import RulesError
from triptych.rulesets.load import parse_set, read_toml, resolve
from triptych.rulesets.model import Ruleset

QUADS = {"row": "back", "least": "quads", "cards": "same"}


def test_dotted_keys_and_nested_tables_are_the_same() -> None:
    dotted = resolve({"preset": "closed_1_6", "scoring.rows": "two_four", "clock.bank": 60})
    nested = resolve({"preset": "closed_1_6", "scoring": {"rows": "two_four"}, "clock": {"bank": 60}})
    half = resolve({"preset": "closed_1_6", "scoring": {"rows": "two_four"}, "clock.bank": 60})
    assert dotted == nested == half
    assert dotted.scoring.rows == "two_four"
    assert dotted.surrender.points == 3


def test_preset_and_extends_mean_the_same() -> None:
    assert resolve({"preset": "turbo"}) == resolve({"extends": "turbo"}) == resolve("turbo")
    assert read_toml('extends = "turbo"') == read_toml('preset = "turbo"') == resolve("turbo")


def test_overrides_without_a_preset_stand_on_the_default_one() -> None:
    assert resolve({}) == resolve("pineapple")


def test_a_file_without_extends_stands_on_the_defaults() -> None:
    assert read_toml("") == Ruleset(name="house")


def test_equal_specs_give_the_same_object() -> None:
    assert resolve({"preset": "turbo", "rows.order": "gt"}) is resolve({"preset": "turbo", "rows.order": "gt"})
    assert resolve("turbo") is resolve("turbo")


def test_true_and_one_are_different_specs() -> None:
    assert resolve({"surrender.points": 1}).surrender.points == 1
    with pytest.raises(RulesError):
        resolve({"surrender.points": True})


def test_naming_a_fantasyland_replaces_the_one_below_but_not_order_and_button() -> None:
    fantasyland = resolve({"preset": "ofc_27", "fantasyland.kind": "aces"}).fantasyland
    assert [(entry.row, entry.least, entry.cards) for entry in fantasyland.entry] == [("front", "AA", 13)]
    assert fantasyland.repeat == ()
    assert (fantasyland.order, fantasyland.button) == ("at_start_hidden", "stay")


def test_keys_beside_the_kind_of_the_same_layer_change_the_named_fantasyland() -> None:
    fantasyland = resolve({"fantasyland": {"kind": "progressive", "repeat": [QUADS]}}).fantasyland
    assert [(condition.row, condition.least, condition.cards) for condition in fantasyland.repeat] == [
        ("back", "quads", "same")
    ]
    assert [entry.least for entry in fantasyland.entry] == ["QQ", "KK", "AA", "trips"]


def test_a_fantasyland_key_without_a_kind_changes_just_itself() -> None:
    fantasyland = resolve({"preset": "pineapple_progressive", "fantasyland.repeat": [QUADS]}).fantasyland
    assert [condition.least for condition in fantasyland.repeat] == ["quads"]
    assert fantasyland.kind == "progressive"
    assert fantasyland.entry == resolve("pineapple_progressive").fantasyland.entry


def test_custom_is_what_its_own_lists_say() -> None:
    fantasyland = resolve(
        {"preset": "pineapple", "fantasyland.kind": "custom", "fantasyland.repeat": [QUADS]}
    ).fantasyland
    assert fantasyland.entry == ()
    assert [condition.least for condition in fantasyland.repeat] == ["quads"]


def test_naming_a_royalty_table_replaces_the_table_below_but_not_the_rule() -> None:
    below = {"preset": "closed_1_6", "royalties.table": "russian"}
    royalties = resolve(below).royalties
    assert royalties.table == resolve({"royalties.table": "russian"}).royalties.table
    assert royalties.rule == "row_winner"


@pytest.mark.parametrize(
    "spec",
    [
        {"royalties.table": "russian", "royalties.table.back.quads": 9},
        {"royalties.table.back.quads": 9, "royalties.table": "russian"},
        {"royalties": {"table": {"extends": "russian", "back": {"quads": 9}}}},
        {"royalties.table.extends": "russian", "royalties.table.back": {"quads": 9}},
    ],
)
def test_a_royalty_table_can_be_named_and_changed_at_once(spec: dict[str, Any]) -> None:
    table = resolve(spec).royalties.table
    assert (table.name, table.back.quads, table.back.royal_flush, table.middle.quads) == ("russian", 9, 15, 16)


def test_a_royalty_key_without_a_name_changes_just_itself() -> None:
    table = resolve({"royalties.table.back.quads": 9}).royalties.table
    assert (table.name, table.back.quads, table.back.royal_flush) == ("american", 9, 25)


def test_naming_naturals_forgets_the_custom_kinds_below() -> None:
    assert resolve({"preset": "taiwanese", "naturals.table": "none"}).naturals == resolve("closed_basic").naturals


def test_custom_rules_can_have_their_own_tables() -> None:
    rules = read_toml(
        """
        extends = "closed_1_6"
        name = "ours"
        [royalties.table]
        name = "ours"
        back = { quads = 7 }
        [naturals.table]
        name = "ours"
        entries = [{ kind = "dragon", units = 5 }]
        """
    )
    assert rules.name == "ours"
    assert rules.royalties.table.back.quads == 7
    assert rules.royalties.table.back.straight_flush == 5
    assert [(entry.kind, entry.units) for entry in rules.naturals.table.entries] == [("dragon", 5)]


def test_settings_of_the_command_line() -> None:
    assert parse_set(
        [
            "scoring.rows=two_four",
            "surrender.points = 3",
            "rows.five_of_a_kind=true",
            "match.kind=points:11",
            "naturals.also=['dragon']",
            'title="A = B"',
            "stake.unit=",
            "title.x=1\ny = 2",
        ]
    ) == {
        "scoring.rows": "two_four",
        "surrender.points": 3,
        "rows.five_of_a_kind": True,
        "match.kind": "points:11",
        "naturals.also": ["dragon"],
        "title": "A = B",
        "stake.unit": "",
        "title.x": "1\ny = 2",
    }


def test_a_circle_of_presets_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a": {"extends": "b"}, "b": {"extends": "c"}, "c": {"extends": "a"}}
    monkeypatch.setattr(load, "preset_document", lambda name, _path: dict(files[name]))
    with pytest.raises(RulesError) as caught:
        read_toml('extends = "a"')
    assert (caught.value.code, caught.value.path) == ("rules.extends", "$.extends")
    assert "a extends b extends c extends a" in caught.value.message


def test_rules_are_hashable_and_compare_by_value() -> None:
    assert len({resolve("turbo"), read_toml('extends = "turbo"'), resolve("pineapple")}) == 2
