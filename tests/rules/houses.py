"""The example files of house rules: fantasylands that no preset has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from triptych.rules.load import read_toml

if TYPE_CHECKING:
    from triptych.rules.model import Ruleset

FOLDER = Path(__file__).parents[2] / "docs" / "examples" / "rules"
HOUSES = ("every_row", "royalties", "low_ladder")


def house(name: str) -> Ruleset:
    """Return the rules of an example file."""
    return read_toml((FOLDER / f"{name}.toml").read_text("utf-8"))
