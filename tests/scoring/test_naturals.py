"""Naturals: each kind, the best one held, and two holders. Rules §4; sources 003 L41-58, 004 L91-98."""

from __future__ import annotations

import random
from math import comb, sqrt

import pytest

from tests.oracle import naturals as oracle
from triptych.cards import Card, parse_cards
from triptych.rulesets.load import resolve
from triptych.scoring.showdown import ScoredHand, ScoreError, best_natural, score_deal

HANDS = {
    "one_suit_dragon": "AsKsQsJsTs9s8s7s6s5s4s3s2s",
    "dragon": "AsKhQdJcTs9h8d7c6s5h4d3c2s",
    "twelve_pictures": "AsAhAdAcKsKhKdKcQsQhJdJc2s",
    "three_straight_flushes": "2c3c4c5c6c7d8d9dTdJd7h8h9h",
    "three_quads": "2c2d2h2s5c5d5h5s9c9d9h9sKc",
    "all_eight_and_above": "8c9dTh8sJcQdKhAs9cTdJhQsKc",
    "all_eight_and_below": "2c3d4h5s6c7d8h2s3c4d5h6s8c",
    "one_colour": "2d4d6d9dJdKdAh3h5h7h8hQhTd",
    "four_trips": "2c2d2h5c5d5h9c9d9hKcKdKhAs",
    "five_pairs_and_trips": "2c2d4c4d6c6d8c8dTcTdQcQdQh",
    "six_pairs": "2c2d4c4d6c6d8c8dTcTdQcQdKh",
    "three_flushes": "2c5c7c9cJc3d6d8dTdQdAhKh4h",
    "three_straights": "2c3d4h5s6c7d8h9sTcJdQcKdAh",
    "no_JQK": "Ac2d3h4s6c7d8h9sTc2s4d7hAh",
    "no_TJQKA": "2c2d3h4s5c7d8h9s9c3s4d7h8s",
    "all_pictures": "AsAhAdAcKsKhKdKcQsQhJdJcJs",
    "six_and_above": "6c7d9h8sJcQdKhAs9cTdJhQs6d",
    "twelve_of_one_colour": "2d4d6d9dJdKdAh3h5h7h8hQhTc",
    "thirteen_of_one_colour": "2d4d6d9dJdKdAh3h5h7h8hQhTd",
}


def table(*kinds: str, rule: str = "higher") -> dict[str, object]:
    """Return rules whose table holds the kinds at 3 units each."""
    entries = [{"kind": kind, "units": 3} for kind in kinds]
    return {"preset": "closed_1_6", "naturals": {"table": {"rule": rule, "entries": entries}}}


def natural(text: str) -> ScoredHand:
    return ScoredHand(parse_cards(text), "natural")


@pytest.mark.parametrize("kind", HANDS)
def test_each_kind_is_found_alone(kind: str) -> None:
    """Sources 003 L43-49, L53-56, 004 L93-96."""
    rules = resolve(table(kind))
    best = best_natural(rules, parse_cards(HANDS[kind]))
    assert best is not None
    assert best.kind == kind
    assert best_natural(rules, parse_cards("2c2d5h7s8c9dTh4sJcQdKhAs3h")) is None


@pytest.mark.parametrize("kind", HANDS)
def test_each_kind_agrees_with_the_oracle(kind: str) -> None:
    rules = resolve(table(kind))
    chance = random.Random(kind)
    cards = list(parse_cards(HANDS[kind]))
    counts = {True: 0, False: 0}
    for _ in range(120):
        hand = [Card(card) for card in cards]
        for _ in range(chance.choice([0, 1, 1, 2])):
            hand[chance.randrange(13)] = Card(chance.choice([card for card in range(52) if card not in hand]))
        held = best_natural(rules, hand) is not None
        assert held == (oracle.key_of(rules, kind, tuple(hand)) is not None)
        counts[held] += 1
    assert counts[True]


@pytest.mark.parametrize("kind", ["three_straights", "three_straight_flushes"])
@pytest.mark.parametrize("wheel", ["lowest", "second"])
def test_three_straights_of_any_height_agree_with_the_oracle(kind: str, wheel: str) -> None:
    """Aces at both ends, overlapping straights, and hands one card off: the kernel looks at the ranks first."""
    rules = resolve({**table(kind), "rows.wheel": wheel})
    chance = random.Random(wheel)
    counts = {True: 0, False: 0}
    for number in range(150):
        hand = straights(chance, one_suit=kind == "three_straight_flushes")
        if number % 3 == 2:
            hand[chance.randrange(13)] = chance.choice([card for card in range(52) if card not in hand])
        held = best_natural(rules, [Card(card) for card in hand]) is not None
        assert held == (oracle.key_of(rules, kind, tuple(map(Card, hand))) is not None)
        counts[held] += 1
    assert min(counts.values()) > 10


def straights(chance: random.Random, *, one_suit: bool) -> list[int]:
    """Return 13 cards that make straights of 5, 5 and 3; the first straight is from the ace up to the five."""
    while True:
        cards = []
        for size, lows in ((5, 10), (5, 10), (3, 12)):
            low, suit = chance.randrange(lows), chance.randrange(4)
            ranks = [(low + step + 12) % 13 for step in range(size)]
            cards += [4 * rank + (suit if one_suit else chance.randrange(4)) for rank in ranks]
        if len(set(cards)) == 13:
            return cards


@pytest.mark.parametrize(
    ("preset", "text", "kind", "units"),
    [
        ("closed_1_6", HANDS["one_suit_dragon"], "dragon", 13),
        ("thirteen_water", HANDS["one_suit_dragon"], "one_suit_dragon", 108),
        ("thirteen_water", HANDS["five_pairs_and_trips"], "five_pairs_and_trips", 5),
        ("closed_1_6", HANDS["five_pairs_and_trips"], "six_pairs", 3),
        ("thirteen_water", HANDS["three_straight_flushes"], "three_straight_flushes", 22),
        ("taiwanese", HANDS["four_trips"], "four_trips", None),
        ("taiwanese", HANDS["three_quads"], "three_quads", None),
        ("malayan", HANDS["one_suit_dragon"], "one_suit_dragon", 26),
        ("malayan", HANDS["three_straights"], "three_straights", 4),
    ],
)
def test_the_best_natural_of_a_hand_counts(preset: str, text: str, kind: str, units: int | None) -> None:
    best = best_natural(resolve(preset), parse_cards(text))
    assert best is not None
    assert best.kind == kind
    assert units in (None, best.units)


@pytest.mark.parametrize(
    ("spec", "first", "second", "points"),
    [
        # Sources 003 L58.2, 004 L98.2: the higher six pairs win; equal pairs tie.
        (
            table("six_pairs"),
            "AsAhKsKhQsQh9s9h7s7h4s4h2d",
            "AdAcKdKcJdJc9d9c7d7c4d4c2c",
            3,
        ),
        (table("six_pairs"), "AsAhKsKhQsQh9s9h7s7h4s4h2d", "AdAcKdKcQdQc9d9c7d7c4d4cJc", 0),
        # Sources 003 L58.3, 004 L98.3: by the back, then the middle, then the front,
        # however they are laid out.
        (table("three_flushes"), "2c5c7c9cJcAh3h4h2d6d8dTdQd", "2s5s7s9sJsAd3d4d2h6h8hThQh", 0),
        (table("three_flushes"), "2c5c7c9cJcAh3h5h2d6d8dTdQd", "2s5s7s9sJsAc3c4c6h2h8hThQh", 3),
        # 234 in front and 56789 as the middle beat 23456, whatever the fronts.
        (table("three_straights"), "TcJdQhKsAc2d3h4s5c6d7h8s9c", "TdJhQsKcAd2h3s4c5d6h8d9hTs", 3),
        (table("three_straights"), "TcJdQhKsAcAd2h3s4c5h7h8s9c", "TdJhQsKcAsAh2c3d4h5s8h9sTs", -3),
        # Sources 003 L58.1, 004 L98.1: the stronger natural takes the bonus.
        ({"preset": "closed_1_6"}, HANDS["dragon"], "AhAcKcKdQcQs9c9s7h7s4h4c2c", 13),
        # Others tie.
        (table("dragon"), HANDS["dragon"], "AhKdQcJhTd9c8h7d6c5d4c3h2d", 0),
        # Equal units of different kinds: the earlier in the table.
        (table("six_pairs", "no_JQK"), "AsAhKsKh9s9h7s7h4s4h2d2c3c", "6s6dAcTh8d8cTd9c7d7c5d5c2h", 3),
        (table("no_JQK", "six_pairs"), "AsAhKsKh9s9h7s7h4s4h2d2c3c", "6s6dAcTh8d8cTd9c7d7c5d5c2h", -3),
        # Malayan: the difference, so equal units pay nothing.
        (table("six_pairs", "dragon", rule="difference"), HANDS["dragon"], "AhAcKcKdQcQs9c9s7h7s4h4c2c", 0),
    ],
)
def test_two_holders(spec: dict[str, object], first: str, second: str, points: int) -> None:
    rules = resolve(spec)
    assert score_deal(rules, [natural(first), natural(second)]).pairs[0].points == points
    assert score_deal(rules, [natural(second), natural(first)]).pairs[0].points == -points


def test_a_joker_makes_no_natural() -> None:
    rules = resolve({**table("dragon"), "deal.jokers": 1})
    assert best_natural(rules, parse_cards("AsKhQdJcTs9h8d7c6s5h4d3cX1")) is None


def test_naturals_are_paid_before_surrender_and_by_fouled_boards() -> None:
    """Rules §4: paid by each opponent, before surrender. Sources 003 L41.1, 004 L91.1."""
    rules = resolve("closed_1_6")
    dragon = natural(HANDS["dragon"])
    foul = ScoredHand(parse_cards("KsKdKc 2c2d3h4c5c 7h8s9sTcJs"))
    score = score_deal(rules, [dragon, ScoredHand(kind="surrender"), foul])
    assert [pair.points for pair in score.pairs] == [13, 13, 0]


def test_a_claim_that_is_not_held_is_refused() -> None:
    rules = resolve("closed_1_6")
    none = ScoredHand(parse_cards("2c2d5h7s8c9dTh4sJcQdKhAs3h"), "natural")
    with pytest.raises(ScoreError, match="not a natural") as error:
        score_deal(rules, [ScoredHand(kind="surrender"), none])
    assert error.value.code == "score.natural"
    assert error.value.hand == 1


def six_pair_hands() -> int:
    """Count 13-card hands with six pairs (quads two of them) by polynomials in cards and pairs."""
    ways = {(0, 0): 1}
    for _ in range(13):
        step: dict[tuple[int, int], int] = {}
        for (cards, pairs), count in ways.items():
            for here in range(5):
                key = (cards + here, pairs + here // 2)
                step[key] = step.get(key, 0) + count * comb(4, here)
        ways = step
    return ways[13, 6]


@pytest.mark.parametrize(
    ("kind", "exact"),
    [
        ("six_pairs", six_pair_hands() / comb(52, 13)),
        ("no_JQK", comb(40, 13) / comb(52, 13)),
        ("twelve_of_one_colour", (2 * comb(26, 13) + 2 * comb(26, 12) * 26) / comb(52, 13)),
    ],
)
def test_how_often_random_cards_hold_a_natural(kind: str, exact: float) -> None:
    """Against exact odds, within five standard errors of 40,000 hands."""
    rules = resolve(table(kind))
    chance = random.Random(13)
    deck = [Card(card) for card in range(52)]
    hands = 40_000
    held = sum(best_natural(rules, chance.sample(deck, 13)) is not None for _ in range(hands))
    assert abs(held / hands - exact) < 5 * sqrt(exact * (1 - exact) / hands)


def test_the_dragons_among_all_hands() -> None:
    """4^13 of C(52,13): each rank once, any suit; and no hand with a rank twice."""
    rules = resolve(table("dragon"))
    chance = random.Random(1)
    for _ in range(300):
        hand = [Card(4 * rank + chance.randrange(4)) for rank in range(13)]
        assert best_natural(rules, hand) is not None
        rank = chance.randrange(12)
        hand[rank + 1] = Card(4 * rank + (hand[rank] + 1) % 4)
        assert best_natural(rules, hand) is None
