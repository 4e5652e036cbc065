"""Counts that anyone can verify: settings, placements, categories, odds of naturals (issue 3, shown by 4)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, sqrt
from random import Random

import numpy as np
import pytest

from tests.oracle.rank import exceeds, strength
from triptych import _kernel
from triptych.cards import deck, parse_cards
from triptych.notation.position import parse_position
from triptych.rulesets.compile import compile_rules, natural_entries
from triptych.rulesets.load import resolve
from triptych.solve.analysis.decision import Decision
from triptych.solve.closed.settings import solve_closed
from triptych.solve.value.points import new_learner

HANDS = 60_000


@pytest.mark.parametrize(
    "text", ["AsKhQdJcTs9h8d7c6s5h4d3c2s", "AsAhKsKhQsQh9s9h7s7h4s4h2d", "2c3c4c5c6c9d9hTdThJdJhQsKs"]
)
def test_legal_settings_among_72072(text: str) -> None:
    """C(13,5) x C(8,5) = 72,072 settings; the legal ones counted by the slow scorer and by the kernel.

    Two rows of five and one of three: sources 003 L12.2, 004 L62.2.
    """
    cards = parse_cards(text)
    total = legal = 0
    for back in combinations(cards, 5):
        left = tuple(card for card in cards if card not in back)
        for middle in combinations(left, 5):
            total += 1
            if exceeds(strength(middle), strength(back)):
                continue
            front = tuple(card for card in left if card not in middle)
            legal += not exceeds(strength(front), strength(middle))
    other = tuple(card for card in deck() if card not in cards)[:13]
    answer = solve_closed(cards, "closed_basic", against=[(other[:3], other[3:8], other[8:])])
    assert total == comb(13, 5) * comb(8, 5) == 72_072
    assert answer.legal == legal


@pytest.mark.parametrize(
    ("preset", "position", "count"),
    [
        # Five cards in three rows, without the 11 ways that put more than three into the front: 3^5 - 11.
        ("pineapple", "*// +AsKhQdJcTs | //", 3**5 - (comb(5, 4) * 2 + 1)),
        # Two of three cards: which one is left over, and a row for each of the two.
        ("pineapple", "*As/KhQd/JcTs +9h8d7c | 2c/3c4d/5h6s", 3 * 3**2),
        # One slot left in the front: both placed cards cannot go there.
        ("pineapple", "*AsKs/KhQd/JcTs2h +9h8d7c | 2c/3c4d/5h6s7h8s", 3 * (3**2 - 1)),
        ("ofc_american", "*As/KhQd/JcTs +9h | 2c/3c4d/5h6s", 3),
        ("turbo", "*As/KhQd/JcTs +9h8d7c6c | 2c/3c4d/5h6s", 3**4 - (comb(4, 3) * 2 + 1) - 2),
    ],
)
def test_placements_of_a_street(preset: str, position: str, count: int) -> None:
    """Every way to place a street is there once: rows of 3, 5 and 5, any card into any row (Rules §2).

    Sources 000 L3.2, L7.3, L131.2, L133.2, L201.1, L319.3; 002 L29.1.
    """
    rules = resolve(preset)
    decision = Decision.from_position(rules, parse_position(position), 0)
    knows_nothing = new_learner(rules, 2, fantasyland_values=(0.0,) * 18)
    placements = decision.analysis(knows_nothing, (0.0,) * 18).table()
    assert len({row[:3] for row in placements}) == len(placements) == count


def test_categories_of_all_fronts() -> None:
    """Sources 002 L11.2, 003 L12.4, 004 L62.4.

    C(52,3) = 22,100 fronts: 52 trips, 3,744 pairs, the rest high cards.
    """
    fronts = np.array(list(combinations(range(52), 3)), dtype=np.uint8)
    counts = Counter((_kernel.rank3_batch(fronts) >> 20).tolist())
    assert counts == {0: 18_304, 1: 3_744, 3: 52}
    assert sum(counts.values()) == comb(52, 3)


def test_naturals_are_as_frequent_as_they_must_be() -> None:
    """A dragon has 4^13 of C(52,13) hands; no pictures nor aces or tens C(32,13); all within four deviations."""
    rules = resolve({"preset": "closed_1_6", "naturals.no_pictures": "no_JQK"})
    kinds = [entry.kind for entry in natural_entries(rules.naturals)]
    table = compile_rules(rules)
    rng = Random(13)
    pack = list(deck())
    counts: Counter[str] = Counter()
    for _ in range(HANDS):
        entry, _ = _kernel.best_natural(table, bytes(rng.sample(pack, 13)))
        if entry >= 0:
            counts[kinds[entry]] += 1
    all_hands = comb(52, 13)
    exact = {"dragon": 4**13 / all_hands, "no_JQK": comb(40, 13) / all_hands}
    for kind, chance in exact.items():
        spread = sqrt(HANDS * chance * (1 - chance))
        # A hand without pictures that holds an earlier natural counts as that one.
        others = counts["six_pairs"] + counts["three_straights"] + counts["three_flushes"]
        assert HANDS * chance - 4 * spread - others <= counts[kind] <= HANDS * chance + 4 * spread
    assert counts["six_pairs"] > 0
