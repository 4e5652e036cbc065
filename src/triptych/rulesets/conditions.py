"""The conditions of fantasyland: the rows and royalties that a board needs, and the fantasyland's cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from triptych.board import ROWS
from triptych.i18n.messages import Message
from triptych.rulesets.errors import RulesError
from triptych.rulesets.hand_names import is_hand, min_value
from triptych.rulesets.model import FantasylandCondition, FantasylandEntry, FantasylandRepeat, Ruleset

LISTS: Final = ("entry", "repeat")
_NEVER: Final = (1 << 31) - 1  # above the value of every row


class CompiledCondition(Struct, frozen=True):
    """A condition for the kernel: minimum values of front, middle and back (0 for any), and minimum royalties.

    `cards`: -1 for the same number as in the current fantasyland.
    """

    rows: tuple[int, int, int]
    royalties: int
    cards: int

    def is_met(self, values: Sequence[int], royalties: int) -> bool:
        """Return whether a legal board's row values and royalties meet the condition."""
        rows_met = all(value >= minimum for value, minimum in zip(values, self.rows, strict=True))
        return rows_met and royalties >= self.royalties


def compile_condition(condition: FantasylandEntry | FantasylandRepeat, *, low: bool) -> CompiledCondition:
    """Return a compiled condition; `low`: the middle is a deuce-to-seven low."""
    minimums = dict.fromkeys(ROWS, 0)
    royalties = 0
    for _, conjunct in conjuncts(condition, ""):
        royalties = max(royalties, conjunct.royalties)
        if conjunct.row:
            value = min_value(conjunct.least, conjunct.row, low=low)
            minimums[conjunct.row] = max(minimums[conjunct.row], _NEVER if value is None else value)
    front, middle, back = (minimums[row] for row in ROWS)
    return CompiledCondition((front, middle, back), royalties, -1 if condition.cards == "same" else condition.cards)


def conjuncts(
    condition: FantasylandEntry | FantasylandRepeat, path: str
) -> Iterator[tuple[str, FantasylandCondition]]:
    """Yield the conditions that must all hold, each with its path."""
    if condition.row or condition.least or condition.royalties or not condition.all:
        yield path, condition
    for index, conjunct in enumerate(condition.all):
        yield f"{path}.all[{index}]", conjunct


def verify_conditions(rules: Ruleset) -> None:
    """Raise RulesError if a condition is empty, incomplete, or names no hand."""
    for name in LISTS:
        for index, condition in enumerate(getattr(rules.fantasyland, name)):
            for path, conjunct in conjuncts(condition, f"$.fantasyland.{name}[{index}]"):
                _verify_condition(conjunct, path)


def _verify_condition(condition: FantasylandCondition, path: str) -> None:
    if not condition.row and not condition.least and not condition.royalties:
        raise RulesError("rules.missing", Message("rules_error.missing_condition"), path)
    if bool(condition.row) != bool(condition.least):
        key = "least" if condition.row else "row"
        raise RulesError("rules.missing", Message("rules_error.missing", key=key), path)
    if condition.least and not is_hand(condition.least):
        raise RulesError("rules.value", Message("rules_error.no_hand", value=repr(condition.least)), f"{path}.least")
