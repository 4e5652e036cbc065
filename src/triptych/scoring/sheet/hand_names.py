"""Rows in words: `Full house, aces over kings`, `Pair of queens`, `4 to a flush`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from triptych import _kernel
from triptych.board import RowName
from triptych.cards import Card, is_joker, rank_of, suit_of
from triptych.rulesets.model import Ruleset

_ONE: Final = (
    *("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
)
_MANY: Final = tuple("sixes" if name == "six" else f"{name}s" for name in _ONE)
_SHORT: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_PAIR: Final = 1 << 20  # the lowest rank value of a pair
_STRAIGHT: Final = 4
_STRAIGHT_FLUSH: Final = 8
_ACE_NIBBLE: Final = 13
_FIVE_CARDS: Final = 5
_DRAW: Final = 3

NATURAL_NAMES: Final = {
    "one_suit_dragon": "Dragon in one suit",
    "dragon": "Dragon (all thirteen ranks)",
    "twelve_pictures": "Twelve cards J–A",
    "three_straight_flushes": "Three straight flushes",
    "three_quads": "Three quads",
    "all_eight_and_above": "All eight and above",
    "all_eight_and_below": "All eight and below",
    "one_colour": "All of one colour",
    "four_trips": "Four trips",
    "five_pairs_and_trips": "Five pairs and trips",
    "six_pairs": "Six pairs",
    "three_flushes": "Three flushes",
    "three_straights": "Three straights",
    "no_JQK": "No face cards",
    "no_TJQKA": "Nothing above a nine",
    "all_pictures": "All face cards and aces",
    "six_and_above": "All six and above",
    "twelve_of_one_colour": "Twelve of one colour",
    "thirteen_of_one_colour": "Thirteen of one colour",
}


def value_name(rules: Ruleset, row: RowName, value: int) -> str:
    """Return the words for a full row's value as the scorer compares it; a low order in a deuce-to-seven middle."""
    if row == "middle" and rules.rows.middle == "deuce_to_seven":
        plain = _kernel.from_low_order(value)
        if _kernel.is_low(value):
            return low_name(plain)
        if rules.rows.low_limit == "ten":
            return f"Not a low: {_in_sentence(rank_name(plain))}"
        return low_name(plain) if plain < _PAIR else f"{rank_name(plain)}, as a low"
    return rank_name(value)


def rank_name(value: int) -> str:
    """Return the words for a rank value: `Full house, aces over kings`."""
    category = value >> 20
    first, second = value >> 16 & 15, value >> 12 & 15
    if category in (_STRAIGHT, _STRAIGHT_FLUSH):
        wheel = second == 1  # ranked second, its slots stand between king and ace high
        return _straight_name(3 if wheel else first - 1, suited=category == _STRAIGHT_FLUSH)
    one, many = _ONE[first - 1], _MANY[first - 1]
    match category:
        case 0:
            return f"{one.capitalize()} high"
        case 1:
            return f"Pair of {many}"
        case 2:
            return f"Two pair, {many} and {_MANY[second - 1]}"
        case 3:
            return f"Three {many}"
        case 5:
            return f"Flush, {one} high"
        case 6:
            return f"Full house, {many} over {_MANY[second - 1]}"
        case 7:
            return f"Four {many}"
        case _:
            return f"Five {many}"


def low_name(value: int) -> str:
    """Return the words for a deuce-to-seven low by its rank value: `8-6-4-3-2 low`."""
    return "-".join(_SHORT[(value >> shift & 15) - 1] for shift in (16, 12, 8, 4, 0)) + " low"


def partial_name(rules: Ruleset, row: RowName, cards: Sequence[Card]) -> str:
    """Return the words for a row that is not full, and what it draws to; empty for no cards.

    A joker counts towards the largest group: `Three aces (with joker)`.
    """
    if not cards:
        return ""
    real = [card for card in cards if not is_joker(card)]
    jokers = len(cards) - len(real)
    with_joker = " (with joker)" if jokers else ""
    low = row == "middle" and rules.rows.middle == "deuce_to_seven"
    groups = _groups(real, jokers)
    if not groups:
        return "Joker" if jokers == 1 else "Two jokers"
    (first, size), *others = groups
    if size > 1:
        second = next((rank for rank, count in others if count > 1), None)
        return f"{_group_name(first, size, second)}{with_joker}"
    if low:
        return "-".join(_SHORT[rank] for rank, _ in groups)
    return _draw(real) or f"{_ONE[first].capitalize()} high"


def _straight_name(top: int, *, suited: bool) -> str:
    if suited:
        return "Royal flush" if top + 1 == _ACE_NIBBLE else f"Straight flush, {_ONE[top]} high"
    return f"Straight, {_ONE[top]} high"


def _groups(real: Sequence[Card], jokers: int) -> list[tuple[int, int]]:
    """Return ranks and their counts, the largest group first, then the highest rank; jokers join the first."""
    count: dict[int, int] = {}
    for card in real:
        count[rank_of(card)] = count.get(rank_of(card), 0) + 1
    groups = sorted(count.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return [(groups[0][0], groups[0][1] + jokers), *groups[1:]] if groups else []


def _group_name(rank: int, size: int, second: int | None) -> str:
    if size == 2:
        return f"Pair of {_MANY[rank]}" if second is None else f"Two pair, {_MANY[rank]} and {_MANY[second]}"
    words = {3: "Three", 4: "Four", 5: "Five"}
    return f"{words[size]} {_MANY[rank]}"


def _draw(cards: Sequence[Card]) -> str:
    """Return what three or four different ranks draw to, empty when nothing."""
    count = len(cards)
    if count < _DRAW:
        return ""
    one_suit = len({suit_of(card) for card in cards}) == 1
    in_reach = _in_one_straight([rank_of(card) for card in cards])
    if one_suit:
        return f"{count} to a straight flush" if in_reach else f"{count} to a flush"
    return f"{count} to a straight" if in_reach else ""


def _in_one_straight(ranks: Sequence[int]) -> bool:
    """Return whether different ranks fit in one straight, the ace high or low."""
    low = [-1 if rank == _ACE_NIBBLE - 1 else rank for rank in ranks]
    return any(max(some) - min(some) < _FIVE_CARDS for some in (ranks, low))


def _in_sentence(name: str) -> str:
    return name[0].lower() + name[1:]
