"""Royalties in reach, against every way in which the scorer can complete a row (Rules §4)."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import pytest

from triptych import _kernel
from triptych.board import ROW_CAPACITY, ROWS
from triptych.cards import Card, deck, parse_cards, rank_of
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import resolve
from triptych.scoring.possible_royalties import possible_royalties

if TYPE_CHECKING:
    from triptych.board import RowName
    from triptych.rulesets.model import Ruleset

PACK = 52


def royalty(rules: Ruleset, row: RowName, cards: tuple[Card, ...]) -> int:
    """Return what the scorer pays for a row: at least while it grows, when it is full with its joker at its best."""
    at = ROWS.index(row)
    table = compile_rules(rules)
    rows = [b"", b"", b""]
    rows[at] = bytes(cards)
    bounds = _kernel.row_bounds(table, rows[0], rows[1], rows[2])[:3]
    ends = [int(where == row and len(cards) == ROW_CAPACITY[row]) for where in ROWS]
    front, middle, back = (bound[end] for bound, end in zip(bounds, ends, strict=True))
    return _kernel.row_royalties(table, front, middle, back)[at]


def possible(rules: Ruleset, row: RowName, cards: tuple[Card, ...]) -> set[int]:
    """Return every royalty above the present one that the row's missing cards can bring."""
    rest = [card for card in deck(rules.deal.jokers) if card not in cards]
    missing = ROW_CAPACITY[row] - len(cards)
    now = royalty(rules, row, cards)
    royalties = {royalty(rules, row, (*cards, *more)) for more in combinations(rest, missing)}
    return {points for points in royalties if points > now}


@pytest.mark.parametrize("preset", ["pineapple", "pineapple_27", "pineapple_joker", "closed_1_6"])
@pytest.mark.parametrize("row", ROWS)
def test_everything_in_reach_can_be_made_and_everything_that_can_be_made_is_in_reach(
    preset: str, row: RowName
) -> None:
    """With one card missing in front, and one or two in the five-card rows; nothing is left out, nothing promised."""
    rules = resolve(preset)
    random = Random(f"{preset}/{row}")
    for missing in (1,) if row == "front" else (1, 1, 1, 2):
        for _ in range(12):
            cards = tuple(sorted(_row(rules, random, ROW_CAPACITY[row] - missing)))
            if row == "front" and cards[-1] >= PACK:
                continue  # a joker there makes every pair; what is listed are those of a rank that lies there
            assert {points for _, points in possible_royalties(rules, row, cards)} == possible(rules, row, cards), (
                cards
            )


def _row(rules: Ruleset, random: Random, size: int) -> list[Card]:
    """Return some cards of a row: now of few ranks, now of one suit, now of a line, so that much is in reach."""
    whole = deck(rules.deal.jokers)
    some = random.choice([whole, [card for card in whole if card % 4 == 0], random.sample(whole, 14)])
    ranks = random.sample(range(13), 2)
    few = [card for card in whole if rank_of(card) in ranks]
    return random.sample(random.choice([some, few]), size)


@pytest.mark.parametrize(
    ("preset", "row", "cards", "expected"),
    [
        ("pineapple", "front", "Qs", [("QQ", 7), ("QQQ", 20)]),
        ("pineapple", "front", "Qs9h", [("99", 4), ("QQ", 7)]),
        ("pineapple", "front", "QsQh", [("QQQ", 20)]),
        ("pineapple", "front", "2s3h", []),
        ("pineapple", "middle", "AhKh9h2h", [("Flush", 8)]),
        ("pineapple", "back", "", []),
        ("pineapple", "back", "AhKhQhJhTh", []),
        (
            "pineapple_27",
            "middle",
            "7c5d4h3s",
            [("Nine-low", 1), ("Eight-low", 2), ("7-5-4-3-2", 8)],
        ),
        ("pineapple_27", "middle", "7c7d4h3s", []),
        ("closed_basic", "back", "AhKhQhJh", []),
    ],
)
def test_rows_as_players_know_them(preset: str, row: RowName, cards: str, expected: list[tuple[str, int]]) -> None:
    assert list(possible_royalties(resolve(preset), row, parse_cards(cards))) == expected
