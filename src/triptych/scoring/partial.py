"""An unfinished board: names of its rows, royalties made already, and whether it can still be legal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from triptych import _kernel
from triptych.board import BOARD_CARDS, ROW_SIZES, ROWS, RowName
from triptych.cards import Card, is_joker
from triptych.i18n.messages import Message
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.hand_names import beats, partial_name, value_name


class RowStatus(Struct, frozen=True, gc=False):
    """One row of an unfinished board.

    `royalty`: points that the row has already made if the board is legal. `warning`: empty, or why this row fouls
    for certain.
    """

    name: str
    royalty: int
    warning: str


class BoardStatus(Struct, frozen=True, gc=False):
    """An unfinished board: its rows, and whether it fouls for certain.

    `min_values`: the lowest value that front, middle and back can still take.
    """

    front: RowStatus
    middle: RowStatus
    back: RowStatus
    fouled: bool
    min_values: tuple[int, int, int]


def row_status(rules: Ruleset, front: Sequence[Card], middle: Sequence[Card], back: Sequence[Card]) -> BoardStatus:
    """Return the status of a board of 0 to 13 cards.

    Each row is bounded by itself with all cards that are not on the board: `fouled` is never wrong when true, but
    two rows that need the same card are detected only when it is placed. Rule: Rules §3.
    """
    rows = (front, middle, back)
    bounds, condemned, royalties = _bounds(rules, front, middle, back)
    values = (bounds[0][1], bounds[1][1], bounds[2][1])
    warnings = _warnings(rules, condemned, bounds)
    settled = not rules.deal.jokers or len(front) + len(middle) + len(back) == BOARD_CARDS
    built = [
        RowStatus(
            _name(rules, name, tuple(row), value if _is_full(row, size, settled=settled) else None), royalty, warning
        )
        for name, row, size, value, royalty, warning in zip(
            ROWS, rows, ROW_SIZES, values, royalties, warnings, strict=True
        )
    ]
    return BoardStatus(built[0], built[1], built[2], condemned != 0, (bounds[0][0], bounds[1][0], bounds[2][0]))


def row_bounds(
    rules: Ruleset, front: Sequence[Card], middle: Sequence[Card], back: Sequence[Card]
) -> tuple[Sequence[tuple[int, int]], int]:
    """Return the lowest and highest value that each row can still take, and the rows that foul for certain.

    The rows are bits: 1 front, 2 middle, 4 back. On a full board both values are the row's.
    """
    return _bounds(rules, front, middle, back)[:2]


def _bounds(
    rules: Ruleset, front: Sequence[Card], middle: Sequence[Card], back: Sequence[Card]
) -> tuple[Sequence[tuple[int, int]], int, tuple[int, int, int]]:
    """Return the result of `row_bounds`, and the royalties of the lowest values."""
    table = compile_rules(rules)
    cards = bytes((*front, *middle, *back))
    if len(cards) == BOARD_CARDS:
        values = _kernel.row_values(table, cards)
        pairs = [(value, value) for value in values]
        return pairs, _kernel.offending_rows(table, *values), _kernel.row_royalties(table, *values)
    jokers = rules.deal.jokers > 0 and rules.deal.jokers > sum(map(is_joker, (*front, *middle, *back)))
    bounds = _kernel.row_bounds(table, bytes(front), bytes(middle), bytes(back), jokers)
    return (bounds.front, bounds.middle, bounds.back), bounds.condemned, bounds.royalties


def _is_full(row: Sequence[Card], size: int, *, settled: bool) -> bool:
    """Return whether a row's value is settled: full, and without a joker unless jokers' values are `settled`."""
    return len(row) == size and (settled or not any(map(is_joker, row)))


# Most rows are unchanged after an action.
@lru_cache(maxsize=8192)
def _name(rules: Ruleset, row: RowName, cards: tuple[Card, ...], value: int | None) -> str:
    """Return the name of a row, by its value when that is settled."""
    return partial_name(rules, row, cards) if value is None else value_name(rules, row, value)


def _warnings(rules: Ruleset, condemned: int, bounds: Sequence[tuple[int, int]]) -> tuple[str, str, str]:
    """Return the warning of each row; of two rows that clash the upper one has it."""
    front = middle = ""
    must_be_higher = rules.rows.order == "gt"

    def above(upper: int, lower: int) -> bool:
        lowest, highest = bounds[upper][0], bounds[lower][1]
        return lowest > highest or (must_be_higher and lowest == highest)

    if not condemned:
        return "", "", ""
    if rules.rows.middle == "deuce_to_seven":
        if condemned & 2:
            middle = Message("sheet.foul.no_ten_low")
    elif above(1, 2):
        middle = beats("middle", "back")
    if rules.rows.middle != "deuce_to_seven" and above(0, 1):
        front = beats("front", "middle")
    elif above(0, 2):
        front = beats("front", "back")
    return front, middle, ""


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
