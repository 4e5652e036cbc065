"""The packaged typical boards are those that are measured, and every open preset has its own."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from triptych.bots.untrained import typical_boards as typical_boards_module
from triptych.bots.untrained.typical_boards import (
    key_of,
    measure_typical_boards,
    packaged_typical_boards,
    typical_boards,
)
from triptych.rulesets.load import preset_names, resolve
from triptych.rulesets.model import is_closed

OPEN = [preset for preset in preset_names() if not is_closed(resolve(preset))]


def test_every_open_preset_has_its_own() -> None:
    assert {key_of(resolve(preset)) for preset in OPEN} == set(packaged_typical_boards())


@pytest.mark.parametrize(
    "preset", [preset if preset == "turbo" else pytest.param(preset, marks=pytest.mark.slow) for preset in OPEN]
)
def test_it_is_what_is_measured(preset: str) -> None:
    rules = resolve(preset)
    assert typical_boards(rules) == measure_typical_boards(rules) == packaged_typical_boards()[key_of(rules)]


def test_custom_rules_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats, names and stakes change no typical boards; what a board is worth does."""
    packaged = packaged_typical_boards()[key_of(resolve("turbo"))]
    measured = replace(packaged, foul=-2.0)
    monkeypatch.setattr(typical_boards_module, "measure_typical_boards", lambda _: measured)
    seated, dearer = (resolve({"preset": "turbo", name: 3}) for name in ("seats.max", "foul.points"))
    assert typical_boards(seated) == packaged
    assert key_of(dearer) not in packaged_typical_boards()
    assert typical_boards(dearer) == measured
