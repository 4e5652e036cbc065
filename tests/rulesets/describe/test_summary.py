"""The line under a table's name, against Rules §7."""

import pytest

from tests.case_notes import case
from triptych.rulesets.describe.sections import describe
from triptych.rulesets.describe.summary import summary, summary_parts
from triptych.rulesets.load import preset_names, resolve


@pytest.mark.parametrize(
    ("preset", "line"),
    [
        ("pineapple", "1 per row, +3 scoop · American royalties · fantasyland 14"),
        ("pineapple_progressive", "1 per row, +3 scoop · American royalties · fantasyland 14 to 17, again 14"),
        ("ofc_russian", "1 for two rows, 6 for all three · Russian royalties · fantasyland 13"),
        ("ofc_pokerstars", "1 for two rows, 6 for all three · PokerStars royalties · no fantasyland"),
        (
            "pineapple_27",
            "1 per row, +3 scoop · American royalties · 2-7 in the middle · fantasyland 14 to 15, again 14",
        ),
        ("closed_low_middle", "1 per row, +3 scoop · no royalties · 2-7 in the middle"),
    ],
)
def test_a_preset_in_one_line(preset: str, line: str) -> None:
    assert summary(resolve(preset)) == line


def test_every_preset_has_a_line() -> None:
    assert all(len(summary(resolve(name)).split(" · ")) >= 2 for name in preset_names())


def test_no_two_presets_say_the_same() -> None:
    """Issue 11, 1.12: progressive and ultimate had the same summary."""
    summaries = [summary(resolve(name)) for name in preset_names()]
    assert sorted(summaries) == sorted(set(summaries))


def test_every_part_explains_itself_in_sentences_of_the_rules() -> None:
    for preset in preset_names():
        with case(preset):
            rules = resolve(preset)
            parts = summary_parts(rules)
            assert " · ".join(part.text for part in parts) == summary(rules)
            assert not any("·" in part.text for part in parts)
            for part in parts:
                assert part.about
                assert set(part.about) <= set(describe(rules))
