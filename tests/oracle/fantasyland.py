"""The fantasyland that a board brings, from the conditions of the rules as a player reads them (Rules §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracle.rank import (
    FLUSH,
    FULL_HOUSE,
    HIGH,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    low_weakness,
    strength,
)

if TYPE_CHECKING:
    from tests.oracle.board import Row, Rows
    from triptych.rulesets.model import FantasylandCondition, Ruleset

KINDS: dict[str, tuple[int, tuple[int, ...]]] = {
    "pair": (PAIR, ()),
    "two_pair": (TWO_PAIR, ()),
    "trips": (TRIPS, ()),
    "straight": (STRAIGHT, ()),
    "flush": (FLUSH, ()),
    "full_house": (FULL_HOUSE, ()),
    "quads": (QUADS, ()),
    "straight_flush": (STRAIGHT_FLUSH, ()),
    "royal": (STRAIGHT_FLUSH, (14,)),
}
OF_RANKS = {"2": PAIR, "22": TWO_PAIR, "3": TRIPS, "32": FULL_HOUSE, "4": QUADS}


def next_fantasyland(rules: Ruleset, rows: Rows, royalties: dict[str, int], cards: int, in_row: int) -> int:
    """Return the fantasyland cards that a legal board brings, 0 = none."""
    fantasyland = rules.fantasyland
    if cards and fantasyland.repeat_limit != "none" and in_row > fantasyland.repeat_limit:
        return 0
    brought = [0]
    for condition in fantasyland.repeat if cards else fantasyland.entry:
        own = [condition] if condition.row or condition.royalties else []
        if all(has(rules, rows, royalties, part) for part in (*own, *condition.all)):
            brought.append(cards if condition.cards == "same" else condition.cards)
    return max(brought)


def has(rules: Ruleset, rows: Rows, royalties: dict[str, int], part: FantasylandCondition) -> bool:
    """Return whether a board has what one part asks."""
    if part.royalties > sum(royalties.values()):
        return False
    if part.row == "":
        return True
    row = {"front": rows.front, "middle": rows.middle, "back": rows.back}[part.row]
    named = (
        None
        if part.least in KINDS
        else sorted(("23456789TJQKA".index(rank) + 2 for rank in part.least), reverse=True)
    )
    is_low = named is not None and len(set(named)) == 5
    if part.row == "middle" and rules.rows.middle == "deuce_to_seven":
        return is_low and is_as_low(row, tuple(named or ()))
    return not is_low and is_as_high(row, part.least, named or [])


def is_as_low(row: Row, named: tuple[int, ...]) -> bool:
    """Return whether a row is at most as high as five ranks without pair, straight or flush."""
    return low_weakness(row) <= (HIGH, named)


def is_as_high(row: Row, least: str, named: list[int]) -> bool:
    """Return whether a row is at least a named hand: its category, then as many ranks as the name has."""
    if least in KINDS:
        category, ranks = KINDS[least]
    else:
        groups = sorted({(named.count(rank), rank) for rank in named}, reverse=True)
        category = OF_RANKS["".join(str(count) for count, _ in groups)]
        ranks = tuple(rank for _, rank in groups)
    if len(row) == 3 and category not in (PAIR, TRIPS):
        return False
    actual_category, tops = strength(row)
    return (actual_category, tops[: len(ranks)]) >= (category, ranks)
