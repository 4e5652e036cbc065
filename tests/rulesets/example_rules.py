"""The example files of house rules: fantasylands that no preset has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import to_builtins

from triptych.rulesets.load import read_toml

if TYPE_CHECKING:
    from triptych.rulesets.model import Ruleset

FOLDER = Path(__file__).parents[2] / "docs" / "examples" / "rules"
EXAMPLES = ("every_row", "royalties", "low_ladder")


def example_ruleset(name: str) -> Ruleset:
    """Return the rules of an example file."""
    return read_toml((FOLDER / f"{name}.toml").read_text("utf-8"))


def lists(name: str) -> dict[str, object]:
    """Return the fantasyland of an example file as overrides on a preset of its game."""
    rules = example_ruleset(name)
    preset = "pineapple_27" if rules.rows.middle == "deuce_to_seven" else "pineapple"
    keys = ("kind", "entry", "repeat", "repeat_limit")
    return {"preset": preset, **{f"fantasyland.{key}": to_builtins(getattr(rules.fantasyland, key)) for key in keys}}
