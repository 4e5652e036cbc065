"""Boards the slow way: legality by comparing slot by slot, jokers by trying every card, royalties by looking up."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING

from tests.oracle.rank import (
    FIVE,
    FLUSH,
    FULL_HOUSE,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    Strength,
    exceeds,
    is_ten_low,
    low_weakness,
    rank,
    strength,
    suit,
)
from triptych.rulesets.model import is_closed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triptych.rulesets.model import Ruleset

Row = tuple[int, ...]
JOKER = 52


@dataclass(frozen=True)
class Rows:
    """Front, middle and back with real cards only."""

    front: Row
    middle: Row
    back: Row

    def __iter__(self) -> Iterator[Row]:
        return iter((self.front, self.middle, self.back))


def sort_key(rules: Ruleset, name: str, row: Row) -> Strength:
    """Return what decides a row between two players; the greater wins."""
    if name == "middle" and rules.rows.middle == "deuce_to_seven":
        category, ranks = low_weakness(row)
        return -category, tuple(-value for value in ranks)
    return strength(row, rules.rows.wheel)


def keys(rules: Ruleset, rows: Rows) -> dict[str, Strength]:
    return {name: sort_key(rules, name, row) for name, row in zip(("front", "middle", "back"), rows, strict=True)}


def contest(rules: Ruleset, rows: Rows) -> dict[str, tuple[Strength, tuple[int, ...]]]:
    """Return what decides each row between two boards: its strength, then the suits where they break ties."""
    return {
        name: (key, tie_suits(rules, name, row))
        for (name, key), row in zip(keys(rules, rows).items(), rows, strict=True)
    }


def tie_suits(rules: Ruleset, name: str, row: Row) -> tuple[int, ...]:
    """Return the suits of a row from its highest card down, the higher the better; in a low middle the lower is."""
    if rules.rows.tie_break == "none":
        return ()
    low = name == "middle" and rules.rows.middle == "deuce_to_seven"
    wheel = len(row) == 5 and sorted(map(rank, row)) == [2, 3, 4, 5, 14]
    ace_is_one = wheel and rules.rows.wheel == "lowest" and not low
    height = {"cdhs".index(letter): place for place, letter in enumerate(rules.rows.suits)}
    cards = sorted(
        ((1 if ace_is_one and rank(card) == 14 else rank(card), height[suit(card)]) for card in row), reverse=True
    )
    return tuple(-place if low else place for _, place in cards)


def offenders(rules: Ruleset, rows: Rows) -> set[str]:
    """Return the rows that break the order; empty for a legal board."""
    wheel = rules.rows.wheel
    front, middle, back = (strength(row, wheel) for row in rows)
    bad: set[str] = set()
    if rules.rows.middle == "deuce_to_seven":
        if rules.rows.low_limit == "ten" and not is_ten_low(rows.middle):
            bad |= {"middle"}
        if exceeds(front, back):
            bad |= {"front", "back"}
        return bad
    if middle > back or (middle == back and rules.rows.order == "gt"):
        bad |= {"middle", "back"}
    if exceeds(front, middle):
        bad |= {"front", "middle"}
    return bad


def royalties(rules: Ruleset, rows: Rows) -> dict[str, int]:
    """Return the royalty of each row, were the board legal."""
    table = rules.royalties.table
    category, ranks = strength(rows.front)
    front = 0
    if category in (PAIR, TRIPS):
        by_rank = table.front.pair if category == PAIR else table.front.trips
        front = by_rank[int(ranks[0]) - 2]
    return {"front": front, "middle": middle_royalty(rules, rows.middle), "back": five_royalty(table.back, rows.back)}


def five_royalty(table: object, row: Row) -> int:
    category, ranks = strength(row)
    name = {
        TRIPS: "trips",
        STRAIGHT: "straight",
        FLUSH: "flush",
        FULL_HOUSE: "full_house",
        QUADS: "quads",
        STRAIGHT_FLUSH: "royal_flush" if ranks[0] == 14 else "straight_flush",
        FIVE: "royal_flush" if getattr(table, "five_of_a_kind") == "as_royal" else "five_of_a_kind",  # noqa: B009
    }.get(category)
    return int(getattr(table, name)) if name else 0


def middle_royalty(rules: Ruleset, row: Row) -> int:
    if rules.rows.middle == "high":
        return five_royalty(rules.royalties.table.middle, row)
    low = rules.royalties.table.low
    if not is_ten_low(row):
        return 0
    ranks = sorted(map(rank, row), reverse=True)
    if ranks == [7, 5, 4, 3, 2]:
        return low.best
    return {9: low.nine, 8: low.eight, 7: low.seven}.get(ranks[0], 0)


def broken_up(rules: Ruleset, rows: Rows) -> int:
    """Return the back royalty of the dearest quads or straight flush that was dealt and is in no row."""
    if rules.royalties.broken_up == "lost" or not is_closed(rules):
        return 0
    cards = [card for row in rows for card in row if card < JOKER]
    prices = [0]
    for value in range(2, 15):
        four = {card for card in cards if rank(card) == value}
        if len(four) == 4 and not any(four <= set(row) for row in rows):
            prices.append(rules.royalties.table.back.quads)
    played = {card for row in (rows.middle, rows.back) if strength(row)[0] == STRAIGHT_FLUSH for card in row}
    prices += [
        five_royalty(rules.royalties.table.back, five)
        for own in range(4)
        for five in combinations(sorted(card for card in cards if suit(card) == own), 5)
        if strength(five)[0] == STRAIGHT_FLUSH and not played & set(five)
    ]
    return max(prices)


def counted_royalties(
    rules: Ruleset, rows: Rows, declared: set[str], broken: int = 0, bad: frozenset[str] | set[str] = frozenset()
) -> dict[str, int]:
    """Return the royalties that count: those of rows that do not offend, declared where they must be.

    Where only one counts, the dearest, and of the two that the back may have the dearer.
    """
    by_row = royalties(rules, rows)
    by_row["back"] = max(by_row["back"], broken) if rules.royalties.one_per_board else by_row["back"] + broken
    for name in by_row:
        if name in bad or (rules.royalties.declare == "must" and name not in declared):
            by_row[name] = 0
    if rules.royalties.one_per_board:
        highest = max(("back", "middle", "front"), key=lambda name: by_row[name])
        by_row = {name: points if name == highest else 0 for name, points in by_row.items()}
    return by_row


def resolve(rules: Ruleset, front: Row, middle: Row, back: Row) -> Rows:
    """Return the board with its jokers replaced as Rules §3 says, by trying all cards."""
    board = (*front, *middle, *back)
    jokers = sum(card >= JOKER for card in board)
    if not jokers:
        return Rows(front, middle, back)
    off_board = rules.rows.joker_domain == "not_on_own_board"
    domain = [card for card in range(52) if not (off_board and card in board)]
    ways = [
        _fillings(rules, name, row, domain, jokers)
        for name, row in zip(("front", "middle", "back"), (front, middle, back), strict=True)
    ]
    boards = (
        Rows(*(full for full, _ in filled))
        for filled in product(*ways)
        if not off_board or len({card for _, chosen in filled for card in chosen}) == jokers
    )
    return max(boards, key=lambda rows: _worth(rules, rows))


def _fillings(rules: Ruleset, name: str, row: Row, domain: list[int], jokers: int) -> list[tuple[Row, Row]]:
    """Return the rows that jokers can make of one, each with the cards that they stand for.

    Of rows that are worth the same as many are kept as there are jokers, of which there are two at the most: should
    one of them need the card that the joker of another row stands for, the next does not.
    """
    real = tuple(card for card in row if card < JOKER)
    groups: dict[object, list[tuple[Row, Row]]] = {}
    ways = combinations if rules.rows.joker_domain == "not_on_own_board" else combinations_with_replacement
    for chosen in ways(domain, len(row) - len(real)):
        full = tuple(sorted(real + chosen))
        value = strength(full, rules.rows.wheel)
        if value[0] == FIVE and not rules.rows.five_of_a_kind:
            continue
        same = groups.setdefault((value, sort_key(rules, name, full)), [])
        if len(same) < jokers:
            same.append((full, chosen))
    return [card for same in groups.values() for card in same]


def _worth(rules: Ruleset, rows: Rows) -> tuple[object, ...]:
    """Return what a choice of jokers is chosen by, the greatest first."""
    key = keys(rules, rows)
    order = (key["back"], key["middle"], key["front"])
    if rules.rows.joker_value == "best_row":
        return order
    legal = not offenders(rules, rows)
    if rules.rows.joker_value == "best_total" and legal:
        return (legal, sum(counted_royalties(rules, rows, {"front", "middle", "back"}).values()), *order)
    return (legal, 0, *order)
