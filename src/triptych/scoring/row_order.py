"""Rows of an unfinished board that are out of order, with the names of both hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from triptych.board import ROW_SIZES, ROWS, RowName
from triptych.cards import Card
from triptych.rulesets.model import Ruleset
from triptych.scoring.partial import row_bounds, row_status
from triptych.scoring.sheet.hand_names import value_name

_NEIGHBOURS: Final = ((0, 1), (1, 2))
_PAIR: Final = 1 << 20  # lower values change order with every card


class OrderViolation(Struct, frozen=True):
    """Two rows of which the upper one is higher than the lower one.

    `upper_name`, `lower_name`: the hands so far. `certain`: the board fouls by it whatever still comes; then `best`
    is the highest hand that an unfinished lower row can become. A middle that can no longer be a low violates the
    order with itself.
    """

    upper: RowName
    lower: RowName
    upper_name: str
    lower_name: str
    best: str
    certain: bool


def order_violations(
    rules: Ruleset, front: Sequence[Card], middle: Sequence[Card], back: Sequence[Card]
) -> tuple[OrderViolation, ...]:
    """Return the order violations of a board of 0 to 13 cards: a certain one, else those that can still be mended."""
    rows = (front, middle, back)
    bounds, condemned = row_bounds(rules, front, middle, back)
    status = row_status(rules, front, middle, back)
    names = (status.front.name, status.middle.name, status.back.name)
    low = rules.rows.middle == "deuce_to_seven"

    def violation(upper: int, lower: int, *, is_certain: bool) -> OrderViolation:
        grows = len(rows[lower]) < ROW_SIZES[lower]
        best = value_name(rules, ROWS[lower], bounds[lower][1]) if is_certain and grows else ""
        return OrderViolation(ROWS[upper], ROWS[lower], names[upper], names[lower], best, is_certain)

    def is_above(lowest: int, highest: int) -> bool:
        return lowest > highest or (rules.rows.order == "gt" and lowest == highest)

    pairs = ((0, 2),) if low else ((1, 2), (0, 1), (0, 2))
    result = [
        violation(upper, lower, is_certain=True)
        for upper, lower in pairs
        if is_above(bounds[upper][0], bounds[lower][1])
    ]
    if result or condemned:
        invalid_low = [violation(1, 1, is_certain=True)] if low and condemned & 2 else []
        return tuple((invalid_low + result)[:1])
    return tuple(
        violation(upper, lower, is_certain=False)
        for upper, lower in (pairs if low else _NEIGHBOURS)
        if bounds[upper][0] >= _PAIR and is_above(bounds[upper][0], bounds[lower][0])
    )
