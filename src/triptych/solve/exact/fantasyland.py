"""The best setting of a fantasyland, exact under any rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from triptych.cards import Card
from triptych.rulesets.load import resolve
from triptych.rulesets.model import Ruleset
from triptych.solve.errors import SolveError
from triptych.solve.exact.setting import (
    EMPTY,
    MAX_CARDS,
    MAX_IN_ROW,
    MIN_CARDS,
    FantasylandValue,
    Objective,
    Rows,
    Setting,
    best_setting,
    verify_cards,
    verify_count,
    verify_objective,
)
from triptych.solve.exact.stakes import Stakes
from triptych.solve.exact.unknown import OpponentSample, best_against_samples, verify_samples


def fantasyland(
    cards: Sequence[Card],
    rules: Ruleset | str | Mapping[str, object] = "pineapple",
    *,
    repeat_value: FantasylandValue = 0.0,
    against: Sequence[Rows] = (),
    in_row: int = 1,
    stakes: Stakes | None = None,
    samples: Sequence[OpponentSample] = (),
) -> Setting:
    """Return the setting of 13 to 17 fantasyland cards with the most points; exact.

    Points are the royalties, or, against one to three finished boards (front, middle, back), all that they pay: rows,
    scoop and royalties; plus `repeat_value` when the board repeats, one number or one for each number of cards.
    `in_row`: the number of this fantasyland in a row, for rules that limit it. `stakes`: the stacks, where they limit
    payments (table stakes). `samples`, instead of `against`: boards that the opponents may hold, each sample with its
    weight; the value is then the mean over them. Of equal settings the one with the highest back, middle, front.

    Raises SolveError; RulesError for rules that cannot be resolved. Rule: Rules §3 to 5.
    """
    resolved = rules if isinstance(rules, Ruleset) else resolve(rules)
    if not MIN_CARDS <= len(cards) <= MAX_CARDS:
        raise SolveError(
            "cards.count", f"a fantasyland has {MIN_CARDS} to {MAX_CARDS} cards, not {len(cards)}", "$.cards"
        )
    used_cards: set[Card] = set()
    verify_cards(resolved, cards, "$.cards", used_cards)
    verify_count(in_row, MAX_IN_ROW, "$.in_row")
    objective = Objective(len(cards), in_row, repeat_value, tuple(against), stakes)
    verify_objective(resolved, objective, used_cards)
    if samples:
        if against or stakes:
            raise SolveError("against.count", "samples come alone, without boards and stacks", "$.distribution")
        verify_samples(resolved, cards, samples)
        return best_against_samples(resolved, objective, samples, cards)
    return best_setting(resolved, objective, EMPTY, cards)
