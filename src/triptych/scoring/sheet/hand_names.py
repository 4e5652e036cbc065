"""Rows in words: `Full house, aces over kings`, `Pair of queens`, `4 to a flush`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from triptych import _kernel
from triptych.board import RowName
from triptych.cards import RANKS, Card, is_joker, rank_of, suit_of
from triptych.i18n.messages import Message
from triptych.rulesets.model import Ruleset

_SHORT: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_PAIR: Final = 1 << 20  # the lowest rank value of a pair
_STRAIGHT: Final = 4
_STRAIGHT_FLUSH: Final = 8
_ACE_NIBBLE: Final = 13
_FIVE_CARDS: Final = 5
_DRAW: Final = 3
_GROUPS: Final = {2: "pair", 3: "trips", 4: "quads", 5: "five"}


def natural_name(kind: str) -> str:
    """Return the name of a natural: `Six pairs`."""
    return Message(f"natural.{kind}")


def beats(upper: RowName, lower: RowName, *, equal: bool = False) -> str:
    """Return that a row beats or equals the one below it: `the front beats the middle`."""
    rows = {"upper": Message(f"row.{upper}"), "lower": Message(f"row.{lower}")}
    return Message("sheet.foul.equals" if equal else "sheet.foul.beats", **rows)


def value_name(rules: Ruleset, row: RowName, value: int) -> str:
    """Return the name of a full row's value as scored; in a deuce-to-seven middle that is a low order."""
    if row == "middle" and rules.rows.middle == "deuce_to_seven":
        plain = _kernel.from_low_order(value)
        if _kernel.is_low(value):
            return low_name(plain)
        if rules.rows.low_limit == "ten":
            return Message("hand.not_low", hand=rank_name(plain))
        return low_name(plain) if plain < _PAIR else Message("hand.as_low", hand=rank_name(plain))
    return rank_name(value)


@lru_cache(maxsize=8_192)
def rank_name(value: int) -> str:
    """Return the name of a rank value: `Full house, aces over kings`."""
    category = value >> 20
    first, second = value >> 16 & 15, value >> 12 & 15
    if category in (_STRAIGHT, _STRAIGHT_FLUSH):
        wheel = second == 1  # ranked second, its slots stand between king and ace high
        return _straight_name(3 if wheel else first - 1, suited=category == _STRAIGHT_FLUSH)
    rank = first - 1
    match category:
        case 0:
            return Message("hand.high", rank=_rank_word(rank))
        case 1:
            return Message("hand.pair", ranks=_ranks_word(rank))
        case 2:
            return Message("hand.two_pair", high=_ranks_word(rank), low=_ranks_word(second - 1))
        case 3:
            return Message("hand.trips", ranks=_ranks_word(rank))
        case 5:
            return Message("hand.flush", rank=_rank_word(rank))
        case 6:
            return Message("hand.full_house", trips=_ranks_word(rank), pair=_ranks_word(second - 1))
        case 7:
            return Message("hand.quads", ranks=_ranks_word(rank))
        case _:
            return Message("hand.five", ranks=_ranks_word(rank))


def _rank_word(rank: int) -> str:
    return Message(f"hand.rank.{RANKS[rank]}")


def _ranks_word(rank: int) -> str:
    return Message(f"hand.ranks.{RANKS[rank]}")


@lru_cache(maxsize=2_048)
def low_name(value: int) -> str:
    """Return the name of a deuce-to-seven low by its rank value: `8-6-4-3-2 low`."""
    return Message("hand.low", ranks="-".join(_SHORT[(value >> shift & 15) - 1] for shift in (16, 12, 8, 4, 0)))


def partial_name(rules: Ruleset, row: RowName, cards: Sequence[Card]) -> str:
    """Return the name of a row that is not full, with its draw; empty for no cards.

    A joker counts towards the largest group: `Three aces (with joker)`.
    """
    if not cards:
        return ""
    real = [card for card in cards if not is_joker(card)]
    jokers = len(cards) - len(real)
    low = row == "middle" and rules.rows.middle == "deuce_to_seven"
    groups = _groups(real, jokers)
    if not groups:
        return Message("hand.joker" if jokers == 1 else "hand.jokers")
    (first, size), *others = groups
    if size > 1:
        second = next((rank for rank, count in others if count > 1), None)
        name = _group_name(first, size, second)
        return Message("hand.with_joker", hand=name) if jokers else name
    if low:
        return Message("hand.unfinished_low", ranks="-".join(_SHORT[rank] for rank, _ in groups))
    return _draw(real) or Message("hand.high", rank=_rank_word(first))


def _straight_name(top: int, *, suited: bool) -> str:
    if suited:
        royal = top + 1 == _ACE_NIBBLE
        return Message("hand_kind.royal_flush") if royal else Message("hand.straight_flush", rank=_rank_word(top))
    return Message("hand.straight", rank=_rank_word(top))


def _groups(real: Sequence[Card], jokers: int) -> list[tuple[int, int]]:
    """Return ranks and their counts, the largest group first, then the highest rank; jokers join the first."""
    count: dict[int, int] = {}
    for card in real:
        count[rank_of(card)] = count.get(rank_of(card), 0) + 1
    groups = sorted(count.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return [(groups[0][0], groups[0][1] + jokers), *groups[1:]] if groups else []


def _group_name(rank: int, size: int, second: int | None) -> str:
    if second is not None and size == 2:
        return Message("hand.two_pair", high=_ranks_word(rank), low=_ranks_word(second))
    return Message(f"hand.{_GROUPS[size]}", ranks=_ranks_word(rank))


def _draw(cards: Sequence[Card]) -> str:
    """Return the draw of three or four different ranks, empty without one."""
    count = len(cards)
    if count < _DRAW:
        return ""
    one_suit = len({suit_of(card) for card in cards}) == 1
    in_reach = _in_one_straight([rank_of(card) for card in cards])
    if one_suit:
        return Message("hand.to_straight_flush" if in_reach else "hand.to_flush", count=count)
    return Message("hand.to_straight", count=count) if in_reach else ""


def _in_one_straight(ranks: Sequence[int]) -> bool:
    """Return whether different ranks fit in one straight, the ace high or low."""
    low = [-1 if rank == _ACE_NIBBLE - 1 else rank for rank in ranks]
    return any(max(values) - min(values) < _FIVE_CARDS for values in (ranks, low))
