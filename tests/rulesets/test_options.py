"""Every key of the rules is explained, and every key that matters changes the words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec import inspect

from tests.case_notes import case
from triptych.i18n.messages import catalogue, message_names
from triptych.rulesets.describe.sections import describe, sections
from triptych.rulesets.diff import value_at
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.options import OPTIONS
from triptych.rulesets.schema import ruleset_type, unwrap

if TYPE_CHECKING:
    from collections.abc import Iterator

BY_KEY = {option.key: option for option in OPTIONS}
LISTS = ("naturals.table.entries.", "fantasyland.entry.", "fantasyland.repeat.")
NAMED_TABLES = ("royalties.table", "naturals.table", "fantasyland.kind")


def leaves(kind: inspect.Type, key: str) -> Iterator[str]:
    kind = unwrap(kind)
    if isinstance(kind, inspect.StructType):
        for field in kind.fields:
            yield from leaves(field.type, f"{key}.{field.name}" if key else field.name)
    else:
        yield key
        if isinstance(kind, inspect.VarTupleType) and isinstance(kind.item_type, inspect.StructType):
            yield from leaves(kind.item_type, key)


def test_every_key_of_the_model_is_an_option() -> None:
    assert set(leaves(ruleset_type(), "")) | set(NAMED_TABLES) == set(BY_KEY)


def test_option_is_explained() -> None:
    for key, option in BY_KEY.items():
        with case(key):
            assert option.description.endswith(".")
            assert option.type_text
            assert [choice.value for choice in option.choices if not choice.description.endswith(".")] == []
            assert (option.kind == "choice") <= (len(option.choices) > 0)


def test_no_words_for_keys_that_are_not_there() -> None:
    for message in (message for message in catalogue("en") if message.startswith("option.")):
        key, _, name = message.removeprefix("option.").rpartition(".")
        assert name == "about" or name in {str(choice.value) for choice in BY_KEY[key].choices}


def test_the_parts_of_every_key_have_names() -> None:
    names = {
        message.removeprefix("option_name.") for message in catalogue("en") if message.startswith("option_name.")
    }
    assert names == {part for key in BY_KEY for part in key.split(".")}


def test_every_preset_has_its_title_among_the_messages() -> None:
    titles = {name: catalogue("en")[f"preset.{name}"] for name in message_names("preset.")}
    assert titles == {name: resolve(name).title for name in preset_names()}


def test_defaults_are_those_of_the_model() -> None:
    for name in preset_names():
        with case(name):
            plain = resolve({"preset": name, **_defaults()})
            assert all(value_at(plain, key) == default for key, default in _defaults().items())


def _defaults() -> dict[str, Any]:
    plain = [option for option in OPTIONS if "." in option.key and not option.key.startswith(LISTS)]
    return {option.key: option.default for option in plain if option.default is not None}


# For every option that people play by: a preset under which it matters, and a value that it does not have there.
CHANGES: dict[str, tuple[str, Any]] = {
    "deal.game": ("pineapple", "turbo"),
    "deal.jokers": ("pineapple", 1),
    "deal.first_street": ("pineapple", "on_confirm"),
    "deal.first_cards": ("pineapple", "all"),
    "rows.order": ("pineapple", "gt"),
    "rows.wheel": ("pineapple", "second"),
    "rows.middle": ("pineapple", "deuce_to_seven"),
    "rows.low_limit": ("pineapple_27", "none"),
    "rows.tie_break": ("closed_1_6", "suits"),
    "rows.suits": ("pusoy", "dchs"),
    "rows.joker_value": ("pineapple_joker", "best_row"),
    "rows.joker_domain": ("pineapple_joker", "not_on_own_board"),
    "rows.five_of_a_kind": ("pineapple_joker", True),
    "foul.points": ("pineapple", 7),
    "foul.pays_royalties": ("pineapple", False),
    "foul.scope": ("pineapple", "rows"),
    "foul.still_plays": ("closed_1_6", True),
    "scoring.rows": ("pineapple", "one_four"),
    "scoring.match_tied": ("ofc_russian", "more_rows"),
    "scoring.scoop_doubles": ("pineapple", True),
    "scoring.home_run_doubles": ("closed_1_6", True),
    "scoring.points": ("closed_basic", [1, 2, 3]),
    "scoring.bonus": ("closed_basic", 3),
    "scoring.doubles": ("taiwanese", "all"),
    "scoring.pairs": ("closed_basic", "banker"),
    "royalties.table": ("pineapple", "russian"),
    "royalties.table.name": ("pineapple", "ours"),
    **{
        f"royalties.table.{row}.{five}": ("pineapple", 99)
        for row in ("back", "middle")
        for five in ("trips", "straight", "flush", "full_house", "quads", "straight_flush", "royal_flush")
    },
    **{f"royalties.table.{row}.five_of_a_kind": ("pineapple_joker", 99) for row in ("back", "middle")},
    "royalties.table.front.pair": ("pineapple", [1] * 13),
    "royalties.table.front.trips": ("pineapple", [1] * 13),
    **{f"royalties.table.low.{low}": ("pineapple_27", 99) for low in ("nine", "eight", "seven", "best")},
    "royalties.rule": ("pineapple", "row_winner"),
    "royalties.deuce_of_spades": ("pineapple", True),
    "royalties.one_per_board": ("pineapple", True),
    "royalties.broken_up": ("closed_1_6", "paid"),
    "royalties.declare": ("closed_1_6", "must"),
    "naturals.table": ("closed_1_6", "malayan"),
    "naturals.table.rule": ("closed_1_6", "difference"),
    "naturals.table.entries": ("closed_1_6", [{"kind": "dragon", "units": 5}]),
    "naturals.claim": ("closed_1_6", "must"),
    "naturals.no_pictures": ("closed_1_6", "no_JQK"),
    "naturals.also": ("closed_1_6", ["three_quads"]),
    "naturals.also_units": ("taiwanese", 9),
    "surrender.points": ("closed_1_6", 4),
    "fantasyland.kind": ("pineapple", "progressive"),
    "fantasyland.entry": ("pineapple", [{"row": "middle", "least": "quads", "cards": 14}]),
    "fantasyland.repeat": ("pineapple", [{"royalties": 30, "cards": "same"}]),
    "fantasyland.repeat_limit": ("pineapple", 2),
    "fantasyland.order": ("pineapple", "at_start_hidden"),
    "fantasyland.button": ("pineapple", "stay"),
    "settlement.cap": ("pineapple", "none"),
    "settlement.after_bust": ("pineapple", "stop"),
    "settlement.loss_limit": ("pineapple", 20),
    "settlement.credit": ("pineapple", True),
    "stake.point": ("pineapple", 0.5),
    "stake.unit": ("pineapple", "EUR"),
    "match.kind": ("pineapple", "deals:7"),
    "match.prize": ("first_to_11", 5),
    "match.show_all": ("pineapple", True),
    "clock.kind": ("pineapple", "per_deal"),
    "clock.seconds": ("pineapple", 31),
    "clock.setting": ("pineapple", 31),
    "clock.bank": ("pineapple", 31),
    "clock.bank_refill": ("pineapple", 31),
    "clock.bank_reset": ("pineapple", "deals:9"),
    "clock.new_table": ("pineapple", "carry"),
    "timeout.layout": ("pineapple", "foul"),
    "timeout.scope": ("pineapple", "deal"),
    "timeout.after": ("pineapple", "end_match"),
    "seats.min": ("pineapple", 3),
    "seats.max": ("pineapple", 2),
    "seats.buy_in_min": ("pineapple", 51),
    "seats.buy_in_max": ("pineapple", 201),
    "tournament.levels": ("pineapple", "minutes:30"),
    "tournament.chips_per_point": ("pineapple", [1, 2]),
}
# What must be given beside an option for it to count.
BESIDE: dict[str, dict[str, object]] = {
    **{f"royalties.table.{row}.five_of_a_kind": {"rows.five_of_a_kind": True} for row in ("back", "middle")},
    "tournament.chips_per_point": {"tournament.levels": "minutes:30"},
    "scoring.points": {"scoring.rows": "custom"},
    "scoring.bonus": {"scoring.rows": "custom"},
}
# Labels, and the parts of an entry, which stand in their list.
NOT_SAID = {"name", "title", "naturals.table.name", *(key for key in BY_KEY if key.startswith(LISTS))}


# The options of a section in one test.
SECTIONS = sorted({f"{key.split('.')[0]}." for key in CHANGES})


def test_every_option_is_described_in_words() -> None:
    assert set(CHANGES) == set(BY_KEY) - NOT_SAID


@pytest.mark.parametrize("section", SECTIONS)
def test_option_changes_the_words(section: str) -> None:
    for key, (preset, value) in CHANGES.items():
        if key.startswith(section):
            with case(key):
                base: dict[str, object] = {"preset": preset, **BESIDE.get(key, {})}
                assert describe(resolve({**base, key: value})) != describe(resolve(base))


@pytest.mark.parametrize("section", SECTIONS)
def test_every_choice_has_its_own_words(section: str) -> None:
    for key, (preset, _) in CHANGES.items():
        if key.startswith(section) and BY_KEY[key].choices and BY_KEY[key].kind == "choice":
            with case(key):
                values = [str(choice.value).replace(":N", ":7") for choice in BY_KEY[key].choices]
                choices: list[Any] = [int(value) if value.isdigit() else value for value in values]
                descriptions = {describe(resolve({"preset": preset, key: value})) for value in choices}
                assert len(descriptions) == len(choices)


def test_words_are_sentences_under_headings() -> None:
    for name in preset_names():
        with case(name):
            parts = sections(resolve(name))
            assert [section.heading for section in parts][:4] == ["The deal", "Rows", "Fouls", "Points"]
            assert all(
                sentence.endswith((".", ").")) and sentence[0] == sentence[0].upper()
                for sentence in describe(resolve(name))
            )
            assert "  " not in " ".join(describe(resolve(name)))
