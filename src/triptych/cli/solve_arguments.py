"""Arguments of several commands: rules, boards and cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from triptych.cards import Card
from triptych.rules_input import rules
from triptych.rulesets.load import parse_set
from triptych.rulesets.model import Ruleset
from triptych.solve.errors import SolveError
from triptych.solve.jsonl.cards import read_cards

if TYPE_CHECKING:
    from triptych.solve.exact.setting import Rows

EXAMPLE: Final = "QhQd7c/QsQc9d8c2c/8c9cTcJc2d"


def read_rules(preset: str, changes: Sequence[str] | None) -> Ruleset:
    """Return the rules of a preset or file with `--set key=value` changes. Raises RulesError, TriptychError."""
    return rules(preset, **parse_set(changes or ()))


def read_board(text: str, path: str) -> Rows:
    """Return the rows of a board written front/middle/back. Raises SolveError."""
    rows = text.split("/")
    if len(rows) != 3:
        raise SolveError("row.size", f"write a board as front/middle/back, such as {EXAMPLE}", path)
    front, middle, back = (
        read_cards(row, f"{path}.{name}") for row, name in zip(rows, ("front", "middle", "back"), strict=True)
    )
    return front, middle, back


def parse_arguments(
    cards: str, preset: str, changes: Sequence[str] | None, against: Sequence[str] | None
) -> tuple[Ruleset, tuple[Rows, ...], tuple[Card, ...]]:
    """Return the rules, the boards to beat and the hand's cards. Raises RulesError, SolveError."""
    return read_rules(preset, changes), read_boards(against), read_cards(cards, "$.cards")


def read_boards(texts: Sequence[str] | None) -> tuple[Rows, ...]:
    """Return the boards of `--against`. Raises SolveError."""
    return tuple(read_board(text, f"$.against[{index}]") for index, text in enumerate(texts or ()))
