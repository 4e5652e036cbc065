"""The best setting of a fantasyland, exact under any rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.rules.load import resolve
from triptych.rules.model import Ruleset
from triptych.solve.errors import SolveError
from triptych.solve.setting import EMPTY, Aim, Rows, Setting, best_setting, verify_aim, verify_cards

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from triptych.cards import Card

LEAST, MOST = 13, 17


def fantasyland(
    cards: Sequence[Card],
    rules: Ruleset | str | Mapping[str, object] = "pineapple",
    *,
    repeat_value: float = 0.0,
    against: Sequence[Rows] = (),
    in_row: int = 1,
) -> Setting:
    """Return the setting of 13 to 17 fantasyland cards with the most points; exact.

    Points are the royalties, or, against one to three finished boards (front, middle, back), all that they pay: rows,
    scoop and royalties; and `repeat_value` more when the board repeats. `in_row`: the how-manieth fantasyland in a
    row, for rules that limit it. Of equal settings the one with the highest back, then middle, then front.

    Raises SolveError; RulesError for rules that cannot be resolved. Rule: RULEBOOK 3 to 5.
    """
    resolved = rules if isinstance(rules, Ruleset) else resolve(rules)
    if not LEAST <= len(cards) <= MOST:
        raise SolveError("cards.count", f"a fantasyland has {LEAST} to {MOST} cards, not {len(cards)}", "$.cards")
    seen: set[Card] = set()
    verify_cards(resolved, cards, "$.cards", seen)
    aim = Aim(len(cards), in_row, repeat_value, tuple(against))
    verify_aim(resolved, aim, seen)
    return best_setting(resolved, aim, EMPTY, cards)
