"""Possible royalties of an unfinished row, from its own cards alone, ignoring dead cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final

from triptych.board import ROW_CAPACITY, RowName
from triptych.cards import RANKS, Card, is_joker, rank_of, suit_of
from triptych.rulesets.describe.chart import FIVE_CARD_HANDS, LOW_HANDS, five_card_royalty
from triptych.rulesets.model import FiveRoyalties, Ruleset
from triptych.scoring.partial import row_status

_ACE: Final = 12
_WINDOWS: Final = (frozenset((_ACE, 0, 1, 2, 3)), *(frozenset(range(low, low + 5)) for low in range(9)))
_ROYAL: Final = _WINDOWS[-1]
_FULL_HOUSE: Final = (3, 2)
_LOW_TOPS: Final = {7: "nine", 6: "eight", 5: "seven"}  # by the rank of the top card
_BEST_LOW: Final = frozenset((0, 1, 2, 3, 5))


@lru_cache(maxsize=4096)
def possible_royalties(rules: Ruleset, row: RowName, cards: tuple[Card, ...]) -> tuple[tuple[str, int], ...]:
    """Return the hands that pay more than the row does now, with their points, the cheapest first.

    Pairs and trips in front are only those of ranks in the row. Empty for an empty row and for a full one. A joker
    counts as the missing card.
    """
    free = ROW_CAPACITY[row] - len(cards)
    if not cards or not free:
        return ()
    table = rules.royalties.table
    low = row == "middle" and rules.rows.middle == "deuce_to_seven"
    if row == "front":
        result = _front(rules, cards, free)
    elif low:
        result = ((LOW_HANDS[kind][0], getattr(table.low, kind)) for kind in _lows(cards, free))
    else:
        prices = table.middle if row == "middle" else table.back
        result = _five(rules, prices, cards, free)
    rows: dict[RowName, tuple[Card, ...]] = {"front": (), "middle": (), "back": (), row: cards}
    status = row_status(rules, rows["front"], rows["middle"], rows["back"])
    current = {"front": status.front, "middle": status.middle, "back": status.back}[row].royalty
    return tuple(sorted(((name, points) for name, points in result if points > current), key=lambda hand: hand[1]))


def _front(rules: Ruleset, cards: tuple[Card, ...], free: int) -> Iterator[tuple[str, int]]:
    """Yield pairs and trips of the ranks in front."""
    counts, free_cards = _rank_counts(cards, free)
    prices = rules.royalties.table.front
    for rank, count in counts.items():
        if count + free_cards >= 2:
            yield RANKS[rank] * 2, prices.pair[rank]
        if len(counts) == 1 and count + free_cards >= 3:
            yield RANKS[rank] * 3, prices.trips[rank]


def _five(rules: Ruleset, prices: FiveRoyalties, cards: tuple[Card, ...], free: int) -> Iterator[tuple[str, int]]:
    kinds = set(_kinds(cards, free))
    if not (rules.deal.jokers and rules.rows.five_of_a_kind):
        kinds.discard("five_of_a_kind")
    yield from ((FIVE_CARD_HANDS[kind][0], five_card_royalty(prices, kind)) for kind in kinds)


def _kinds(cards: tuple[Card, ...], free: int) -> Iterator[str]:
    """Yield every kind of five cards that a row can become, by groups of its ranks, by suit, and in a line."""
    counts, free_cards = _rank_counts(cards, free)
    groups = sorted(counts.values(), reverse=True)
    largest = groups[0] if groups else 0
    if len(counts) <= 3 and largest + free_cards >= 3 and max(groups[1:], default=1) == 1:
        yield "trips"
    if len(counts) <= 2 and all(count <= size for count, size in zip(groups, _FULL_HOUSE, strict=False)):
        yield "full_house"
    if len(counts) <= 2 and sum(groups[1:]) <= 1 and largest + free_cards >= 4:
        yield "quads"
    if len(counts) <= 1:
        yield "five_of_a_kind"
    one_suit = len({suit_of(card) for card in cards if not is_joker(card)}) <= 1 and largest <= 1
    windows = [window for window in _WINDOWS if largest <= 1 and counts.keys() <= window]
    if one_suit:
        yield "flush"
    if windows:
        yield "straight"
    if one_suit and any(window != _ROYAL for window in windows):
        yield "straight_flush"
    if one_suit and _ROYAL in windows:
        yield "royal_flush"


def _lows(cards: tuple[Card, ...], free: int) -> Iterator[str]:
    """Yield every kind of low that a middle can become."""
    counts, free_cards = _rank_counts(cards, free)
    if counts and max(counts.values()) > 1:
        return
    ranks_in_row = frozenset(counts)
    kinds = set()
    for added_ranks in combinations(set(range(8)) - ranks_in_row, free_cards):
        ranks = ranks_in_row | frozenset(added_ranks)
        if max(ranks) <= 7 and ranks not in _WINDOWS:
            kinds.add("best" if ranks == _BEST_LOW else _LOW_TOPS[max(ranks)])
    yield from kinds


def _rank_counts(cards: tuple[Card, ...], free: int) -> tuple[Counter[int], int]:
    """Return the count of each rank in the row, and how many cards of any rank can be added (jokers, free slots)."""
    real = [card for card in cards if not is_joker(card)]
    return Counter(rank_of(card) for card in real), len(cards) - len(real) + free
