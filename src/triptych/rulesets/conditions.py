"""The conditions of a fantasyland: what each asks of a board's rows and royalties, and the cards it brings."""

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
    """A condition as the kernel takes it: the least values of front, middle and back, 0 for any; the least royalties.

    `cards`: -1 for as many as the fantasyland that is being played.
    """

    rows: tuple[int, int, int]
    royalties: int
    cards: int

    def is_met(self, values: Sequence[int], royalties: int) -> bool:
        """Return whether a legal board's row values and royalties meet the condition."""
        enough = all(value >= least for value, least in zip(values, self.rows, strict=True))
        return enough and royalties >= self.royalties


def compile_condition(condition: FantasylandEntry | FantasylandRepeat, *, low: bool) -> CompiledCondition:
    """Return what a condition asks; `low`: the middle is a deuce-to-seven low."""
    least = dict.fromkeys(ROWS, 0)
    royalties = 0
    for _, part in conjuncts(condition, ""):
        royalties = max(royalties, part.royalties)
        if part.row:
            value = min_value(part.least, part.row, low=low)
            least[part.row] = max(least[part.row], _NEVER if value is None else value)
    front, middle, back = (least[row] for row in ROWS)
    return CompiledCondition((front, middle, back), royalties, -1 if condition.cards == "same" else condition.cards)


def conjuncts(
    condition: FantasylandEntry | FantasylandRepeat, path: str
) -> Iterator[tuple[str, FantasylandCondition]]:
    """Yield the parts of a condition that must all hold, each with its path."""
    if condition.row or condition.least or condition.royalties or not condition.all:
        yield path, condition
    for index, part in enumerate(condition.all):
        yield f"{path}.all[{index}]", part


def verify_conditions(rules: Ruleset) -> None:
    """Raise RulesError where a condition asks nothing, half of something, or no hand."""
    for name in LISTS:
        for index, condition in enumerate(getattr(rules.fantasyland, name)):
            for path, part in conjuncts(condition, f"$.fantasyland.{name}[{index}]"):
                _verify_part(part, path)


def _verify_part(part: FantasylandCondition, path: str) -> None:
    if not part.row and not part.least and not part.royalties:
        raise RulesError("rules.missing", Message("rules_error.missing_condition"), path)
    if bool(part.row) != bool(part.least):
        raise RulesError("rules.missing", Message("rules_error.missing", key="least" if part.row else "row"), path)
    if part.least and not is_hand(part.least):
        message = Message("rules_error.no_hand", value=repr(part.least))
        raise RulesError("rules.value", message, f"{path}.least")
