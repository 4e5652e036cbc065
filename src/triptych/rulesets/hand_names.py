"""Names of hands, such as `QQ`, `full_house` or `75432`, for the minimum hand of a row (Rules §5)."""

from __future__ import annotations

from collections import Counter
from typing import Final

from triptych import _kernel
from triptych.board import RowName
from triptych.cards import RANKS
from triptych.i18n.messages import Message

# The lowest rank value of each named hand: category << 20, the ranks of its groups below.
_NAMED: Final = {
    "pair": 1 << 20,
    "two_pair": 2 << 20,
    "trips": 3 << 20,
    "straight": 4 << 20,
    "flush": 5 << 20,
    "full_house": 6 << 20,
    "quads": 7 << 20,
    "straight_flush": 8 << 20,
    "royal": 8 << 20 | 13 << 16,
}
_CATEGORIES: Final = {(2,): 1, (2, 2): 2, (3,): 3, (3, 2): 6, (4,): 7}
_LOW: Final = (1, 1, 1, 1, 1)
_FRONT: Final = (1, 3)  # the categories of a front above a high card: pair, trips


def is_hand(name: str) -> bool:
    """Return whether a name is that of a hand: a kind, two to four equal ranks, two pair, a full house, or a low."""
    return name in _NAMED or _group_sizes(name) in {*_CATEGORIES, _LOW}


def is_low(name: str) -> bool:
    """Return whether a hand is a deuce-to-seven low: five different ranks."""
    return name not in _NAMED and _group_sizes(name) == _LOW


def min_value(name: str, row: RowName, *, low: bool) -> int | None:
    """Return the lowest row value that is at least this hand, or None if the row cannot have such a hand.

    `low`: the rules have a deuce-to-seven middle, whose value is its order as a low.
    """
    low_row = low and row == "middle"
    if low_row != is_low(name):
        return None
    if low_row:
        ranks = sorted((RANKS.index(rank) + 1 for rank in name), reverse=True)
        return _kernel.low_order(sum(rank << shift for rank, shift in zip(ranks, (16, 12, 8, 4, 0), strict=True)))
    value = _NAMED.get(name) or _value(name)
    return None if row == "front" and value >> 20 not in _FRONT else value


def describe_hand(name: str, row: RowName) -> str:
    """Return a minimum hand in words: `QQ or better in front`, `75432 in the middle`."""
    hand = Message(f"rules.least.{name}") if name in _NAMED else name
    if name in ("royal", "75432") or (row == "front" and name in ("trips", "AAA")):
        return Message(f"rules.hand.{row}", hand=hand)
    return Message(f"rules.hand_or_{'lower' if is_low(name) else 'better'}.{row}", hand=hand)


def _group_sizes(name: str) -> tuple[int, ...]:
    """Return the number of cards of each rank in a name, the largest first; empty if it does not consist of ranks."""
    counts = Counter(name)
    return tuple(sorted(counts.values(), reverse=True)) if counts.keys() <= set(RANKS) else ()


def _value(name: str) -> int:
    groups = sorted(Counter(name).items(), key=lambda group: (group[1], RANKS.index(group[0])), reverse=True)
    ranks = [RANKS.index(rank) + 1 for rank, _ in groups]
    return _CATEGORIES[_group_sizes(name)] << 20 | ranks[0] << 16 | (ranks[1] << 12 if len(ranks) > 1 else 0)
