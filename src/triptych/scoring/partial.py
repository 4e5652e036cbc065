"""A board as it grows: names of its rows, royalties made already, and whether it can still be legal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from triptych import _kernel
from triptych.board import BOARD_CARDS, ROW_SIZES, ROWS, RowName
from triptych.cards import Card, is_joker
from triptych.i18n.messages import Message
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.model import Ruleset
from triptych.scoring.sheet.hand_names import beats, partial_name, value_name


class RowStatus(Struct, frozen=True, gc=False):
    """One row of a growing board.

    `royalty`: points that the row has made whatever still comes, were the board legal. `warning`: empty, or why
    this row now fouls for certain.
    """

    name: str
    royalty: int
    warning: str


class BoardStatus(Struct, frozen=True, gc=False):
    """A growing board: its rows, and whether it fouls for certain whatever still comes.

    `least`: the lowest value that front, middle and back can still take, the higher the better.
    """

    front: RowStatus
    middle: RowStatus
    back: RowStatus
    fouled: bool
    min_values: tuple[int, int, int]


def row_status(rules: Ruleset, front: Sequence[Card], middle: Sequence[Card], back: Sequence[Card]) -> BoardStatus:
    """Return what a board of 0 to 13 cards amounts to so far.

    Rows are bounded one by one with all cards off the own board: `fouled` is never wrong when true, but two rows
    that wait for the same card are only found out when it is placed. Rule: Rules §3.
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
    """Return the least and the highest value that each row can still take, and the rows that foul for certain.

    Those are bits: 1 front, 2 middle, 4 back. On a whole board both values are the row's.
    """
    return _bounds(rules, front, middle, back)[:2]


def _bounds(
    rules: Ruleset, front: Sequence[Card], middle: Sequence[Card], back: Sequence[Card]
) -> tuple[Sequence[tuple[int, int]], int, tuple[int, int, int]]:
    """Return what `row_bounds` does, and the royalties of the least values."""
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
    """Return whether a row's value is settled: full, and without a joker unless what jokers count as is `settled`."""
    return len(row) == size and (settled or not any(map(is_joker, row)))


# Most rows are as they were before the action.
@lru_cache(maxsize=8192)
def _name(rules: Ruleset, row: RowName, cards: tuple[Card, ...], value: int | None) -> str:
    """Return the words for a row, by its value when that is settled."""
    return partial_name(rules, row, cards) if value is None else value_name(rules, row, value)


def _warnings(rules: Ruleset, condemned: int, bounds: Sequence[tuple[int, int]]) -> tuple[str, str, str]:
    """Return the warning of each row, said at the upper row of the two that clash."""
    front = middle = ""
    strict = rules.rows.order == "gt"

    def above(upper: int, lower: int) -> bool:
        least, most = bounds[upper][0], bounds[lower][1]
        return least > most or (strict and least == most)

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
