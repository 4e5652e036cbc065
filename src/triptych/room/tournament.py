"""Levels of a tournament: how many chips a point is worth, and until when. Rule: RULEBOOK 6 (tournament)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.room.views import LevelView

if TYPE_CHECKING:
    from triptych.room.state import TableState
    from triptych.rules.model import Ruleset

_MINUTE = 60_000


def level_at(rules: Ruleset, deal: int, elapsed: int) -> int:
    """Return the level, from 0, in which a deal begins: the table's `deal`-th, `elapsed` ms after its first."""
    kind, _, number = rules.tournament.levels.partition(":")
    if kind == "off":
        return 0
    passed = (deal - 1) // int(number) if kind == "deals" else elapsed // (int(number) * _MINUTE)
    return min(passed, max(0, len(rules.tournament.chips_per_point) - 1))


def chips(rules: Ruleset, level: int) -> int:
    """Return what a point is worth in a level; 1 outside tournaments."""
    if rules.tournament.levels == "off" or not rules.tournament.chips_per_point:
        return 1
    return rules.tournament.chips_per_point[level]


def level_view(state: TableState) -> LevelView | None:
    """Return the level of the deal in progress, or of the last one, and what comes next; None outside tournaments."""
    rules = state.config.rules
    kind, _, number = rules.tournament.levels.partition(":")
    if kind == "off":
        return None
    level = state.level
    last = level + 1 >= len(rules.tournament.chips_per_point)
    ahead = (level + 1) * int(number or 0)
    started = state.started
    return LevelView(
        number=level + 1,
        chips=chips(rules, level),
        next_chips=None if last else chips(rules, level + 1),
        next_deal=ahead + 1 if kind == "deals" and not last else None,
        next_at=started + ahead * _MINUTE if kind == "minutes" and started is not None and not last else None,
    )
