"""Every preset plays as its golden file says; a changed rule shows as a readable difference.

`python -m tests.golden.playthrough` writes the files again.
"""

from __future__ import annotations

import pytest

from tests.golden.playthrough import FOLDER, playthrough
from triptych.rulesets.load import preset_names


@pytest.mark.parametrize("preset", preset_names())
def test_playthrough(preset: str) -> None:
    assert playthrough(preset) == (FOLDER / f"{preset}.txt").read_text(encoding="utf-8")


def test_no_file_without_preset() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(preset_names())
