"""The line under a table's name, against RULEBOOK 7."""

import pytest

from triptych.rules.load import preset_names, resolve
from triptych.rules.words.summary import summary


@pytest.mark.parametrize(
    ("preset", "line"),
    [
        ("pineapple", "1 per row, 3 for a scoop · American royalties · fantasyland 14"),
        ("pineapple_progressive", "1 per row, 3 for a scoop · American royalties · fantasyland 14 to 17"),
        ("ofc_russian", "1 for two rows, 6 for all three · Russian royalties · fantasyland 13"),
        ("ofc_pokerstars", "1 for two rows, 6 for all three · Pokerstars royalties · no fantasyland"),
        ("pineapple_27", "1 per row, 3 for a scoop · American royalties · 2-7 in the middle · fantasyland 14 to 15"),
        ("closed_low_middle", "1 per row, 3 for a scoop · no royalties · 2-7 in the middle"),
    ],
)
def test_a_preset_in_one_line(preset: str, line: str) -> None:
    assert summary(resolve(preset)) == line


def test_every_preset_has_a_line() -> None:
    assert all(len(summary(resolve(name)).split(" · ")) >= 2 for name in preset_names())
