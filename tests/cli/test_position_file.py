"""A position that the analysis board saved, read by the command: `triptych analyse FILE`. Issue 14, part 4."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from triptych.cli.analyse import read_position_file
from triptych.errors import TriptychError

if TYPE_CHECKING:
    from pathlib import Path

STREET = "*Kd/7s7h3c/AhAd2c +Qc4s9h -2d | Th/8c8d5s/TcJcQd"
WHOLE = {
    "preset": "pineapple",
    "set": {"foul.points": 30},
    "position": STREET,
    "hand": 0,
    "placements": [],
    "exact": False,
}


def test_the_rules_are_the_files_own(tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps({**WHOLE, "seed": 1, "link": "/analyse/pineapple"}))
    rules, position = read_position_file(str(file))
    assert (position, rules.name, rules.foul.points) == (STREET, "pineapple", 30)


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("no JSON", "line.json", "$"),
        (json.dumps({"position": STREET}), "line.missing", "$.preset"),
        (json.dumps({"preset": "pineapple"}), "line.missing", "$.position"),
        (json.dumps({**WHOLE, "position": 7}), "line.type", "$.position"),
        (json.dumps({**WHOLE, "set": "foul.points=3"}), "line.type", "$.set"),
        (json.dumps({**WHOLE, "cards": "As"}), "line.unknown_key", "$.cards"),
    ],
)
def test_a_bad_position_file_is_refused_with_the_path_of_the_error(
    tmp_path: Path, text: str, code: str, path: str
) -> None:
    file = tmp_path / "position.json"
    file.write_text(text)
    with pytest.raises(TriptychError) as error:
        read_position_file(str(file))
    assert (error.value.code, error.value.path) == (code, path)


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(TriptychError) as error:
        read_position_file("nowhere.json")
    assert "nowhere.json" in str(error.value)
