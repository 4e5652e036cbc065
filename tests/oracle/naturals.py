"""Naturals the slow way: definitions read off Rules §4, splits by trying them all."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from operator import itemgetter
from typing import TYPE_CHECKING

from tests.oracle.rank import rank, straight_height, strength, suit
from triptych.rulesets.model import is_closed

if TYPE_CHECKING:
    from triptych.rulesets.model import Ruleset

Key = tuple[object, ...]
STRAIGHTS = [(14, 2, 3, 4, 5), *(range(low, low + 5) for low in range(2, 11))]


def held(rules: Ruleset, cards: tuple[int, ...]) -> tuple[int, str, int, Key] | None:
    """Return table index, kind, units and tie-break of the best natural of 13 real cards."""
    units = rules.naturals.also_units
    table: dict[str, int] = dict.fromkeys(rules.naturals.also, units)
    for entry in rules.naturals.table.entries:
        table.setdefault(entry.kind, entry.units)
    table.setdefault(rules.naturals.no_pictures, units)
    table.pop("off", None)
    candidates = [
        (index, str(kind), worth, key)
        for index, (kind, worth) in enumerate(table.items())
        if (key := key_of(rules, kind, cards)) is not None
    ]
    if not candidates:
        return None
    return max(candidates, key=lambda item: (item[2], -item[0]))


def rows_are_natural(rules: Ruleset, board: tuple[int, ...]) -> bool:
    """Return whether the rows of a closed board are a natural of the table, so that nobody claims it."""
    listed = {entry.kind for entry in rules.naturals.table.entries} | set(rules.naturals.also)
    if rules.naturals.claim == "must" or not is_closed(rules) or max(board) >= 52:
        return False
    rows = board[:3], board[3:8], board[8:]
    flushes = all(len({suit(card) for card in row}) == 1 for row in rows)
    straights = all(straight_height(tuple(map(rank, row)), "lowest") is not None for row in rows)
    return (
        (flushes and "three_flushes" in listed)
        or (straights and "three_straights" in listed)
        or (flushes and straights and "three_straight_flushes" in listed)
    )


def key_of(rules: Ruleset, kind: str, cards: tuple[int, ...]) -> Key | None:
    """Return the tie-break of a natural, `()` for kinds that tie, None when it is not held."""
    ranks = sorted((rank(card) for card in cards), reverse=True)
    count = Counter(ranks)
    reds = sum(suit(card) in (1, 2) for card in cards)
    colour = max(reds, 13 - reds)
    pictures = sum(value >= 11 for value in ranks)
    simple = {
        "one_suit_dragon": len({suit(card) for card in cards}) == 1,
        "dragon": len(count) == 13,
        "twelve_pictures": pictures >= 12,
        "three_quads": sum(size == 4 for size in count.values()) == 3,
        "all_eight_and_above": min(ranks) >= 8,
        "all_eight_and_below": max(ranks) <= 8,
        "one_colour": colour == 13,
        "thirteen_of_one_colour": colour == 13,
        "twelve_of_one_colour": colour >= 12,
        "four_trips": sum(size >= 3 for size in count.values()) == 4,
        "five_pairs_and_trips": _five_pairs_and_trips(count),
        "no_JQK": not {11, 12, 13} & set(ranks),
        "no_TJQKA": max(ranks) <= 9,
        "all_pictures": pictures == 13,
        "six_and_above": min(ranks) >= 6,
    }
    if kind in simple:
        return () if simple[kind] else None
    if kind == "six_pairs":
        pairs = [value for value, size in count.items() for _ in range(size // 2)]
        return tuple(sorted(pairs, reverse=True)) if len(pairs) == 6 else None
    best = best_split(cards, kind, rules.rows.wheel)
    return () if best is not None and kind == "three_straight_flushes" else best


def _five_pairs_and_trips(count: Counter[int]) -> bool:
    return any(
        size == 3 and sum(other // 2 for value, other in count.items() if value != trips) == 5
        for trips, size in count.items()
    )


def best_split(cards: tuple[int, ...], kind: str, wheel: str) -> Key | None:
    """Return the strengths of the best back, middle and front that are all of the kind."""
    fives = sorted(((strength(row, wheel), set(row)) for row in _fives(cards, kind)), key=itemgetter(0), reverse=True)
    # Whichever of the two fives is the better is the back.
    splits = [
        (higher, lower, front)
        for (higher, back), (lower, middle) in combinations(fives, 2)
        if back.isdisjoint(middle) and (front := _three(tuple(set(cards) - back - middle), kind, wheel)) is not None
    ]
    return max(splits, default=None)


def _fives(cards: tuple[int, ...], kind: str) -> set[tuple[int, ...]]:
    """Return every five of these cards that are all of the kind."""
    flushes = {
        tuple(sorted(row))
        for own in range(4)
        for row in combinations([card for card in cards if suit(card) == own], 5)
    }
    straights = {
        tuple(sorted(row))
        for ranks in STRAIGHTS
        for row in product(*([card for card in cards if rank(card) == value] for value in ranks))
    }
    return {
        "three_flushes": flushes,
        "three_straights": straights,
        "three_straight_flushes": flushes & straights,
    }[kind]


def _three(cards: tuple[int, ...], kind: str, wheel: str) -> object | None:
    one_suit = len({suit(card) for card in cards}) == 1
    ranks = tuple(sorted((rank(card) for card in cards), reverse=True))
    if kind == "three_flushes":
        return ranks if one_suit else None
    height = straight_height(ranks, wheel)
    if height is None or (kind == "three_straight_flushes" and not one_suit):
        return None
    return (height,)
