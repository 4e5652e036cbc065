"""Which rows of a growing board stand in each other's way, with both hands named."""

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
_PAIR: Final = 1 << 20  # below it rows overtake each other with every card


class OrderViolation(Struct, frozen=True):
    """Two rows of which the upper one is ahead of the lower one.

    `upper_name`, `lower_name`: the hands as they are. `sure`: the board fouls by it whatever still comes; of a lower
    row that grows all the same, `best` is the most that it can become. A middle that can be no low any more clashes
    with itself.
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
    """Return what is out of order on a board of 0 to 13 cards: the certain fouls, else what must still grow."""
    rows = (front, middle, back)
    bounds, condemned = row_bounds(rules, front, middle, back)
    status = row_status(rules, front, middle, back)
    names = (status.front.name, status.middle.name, status.back.name)
    low = rules.rows.middle == "deuce_to_seven"

    def clash(upper: int, lower: int, *, sure: bool) -> OrderViolation:
        grows = len(rows[lower]) < ROW_SIZES[lower]
        best = value_name(rules, ROWS[lower], bounds[lower][1]) if sure and grows else ""
        return OrderViolation(ROWS[upper], ROWS[lower], names[upper], names[lower], best, sure)

    def is_above(least: int, other: int) -> bool:
        return least > other or (rules.rows.order == "gt" and least == other)

    pairs = ((0, 2),) if low else ((1, 2), (0, 1), (0, 2))
    result = [
        clash(upper, lower, sure=True) for upper, lower in pairs if is_above(bounds[upper][0], bounds[lower][1])
    ]
    if result or condemned:
        own = [clash(1, 1, sure=True)] if low and condemned & 2 else []
        return tuple((own + result)[:1])
    return tuple(
        clash(upper, lower, sure=False)
        for upper, lower in (pairs if low else _NEIGHBOURS)
        if bounds[upper][0] >= _PAIR and is_above(bounds[upper][0], bounds[lower][0])
    )
