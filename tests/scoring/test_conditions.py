"""Fantasylands by random lists of conditions against the oracle, and what holds for every list. Rules §5."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.oracle import board as oracle
from tests.oracle.fantasyland import next_fantasyland
from tests.rulesets.conditions import random_entries, random_repeats
from tests.rulesets.example_rules import EXAMPLES, example_ruleset
from tests.scoring.deals import SLOW_BOARDS, random_board, random_deck
from triptych.cards import Card, parse_cards
from triptych.rulesets.load import resolve
from triptych.scoring.jsonl.answer import process_line
from triptych.scoring.showdown import ScoredHand, score_deal

if TYPE_CHECKING:
    from triptych.rulesets.model import Ruleset

SEEDS = st.integers(0, 2**32 - 1)
OPEN = ("pineapple", "pineapple_27", "ofc_american")


def random_rules(chance: random.Random, preset: str) -> Ruleset:
    rules = resolve(preset)
    low = rules.rows.middle == "deuce_to_seven"
    limit = chance.choice(["none", "none", 1, 2])
    fantasyland = replace(
        rules.fantasyland,
        entry=random_entries(chance, low=low),
        repeat=random_repeats(chance, low=low),
        repeat_limit=limit,
    )
    single_condition = chance.random() < 0.1
    return replace(rules, fantasyland=fantasyland, royalties=replace(rules.royalties, one_per_board=single_condition))


def random_hands(chance: random.Random, rules: Ruleset) -> list[ScoredHand]:
    cards = random_deck(rules, chance, 2)
    hands = []
    for index in range(2):
        fantasyland, in_row = chance.choice([(0, 0), (13, 1), (14, 2), (16, 3)])
        hands.append(ScoredHand(random_board(rules, chance, cards[13 * index :][:13]), "board", fantasyland, in_row))
    return hands


def expected(rules: Ruleset, hand: ScoredHand) -> int:
    cards = tuple(map(int, hand.cards))
    rows = oracle.resolve(rules, cards[:3], cards[3:8], cards[8:])
    if oracle.offenders(rules, rows):
        return 0
    royalties = oracle.counted_royalties(rules, rows, set(), 0, set())
    return next_fantasyland(rules, rows, royalties, hand.fantasyland, hand.in_row)


def compare(chance: random.Random, preset: str, boards: int) -> int:
    """Hold boards against the oracle, some of each list; return how many brought a fantasyland."""
    brought = 0
    while boards > 0:
        rules = random_rules(chance, preset)
        for _ in range(5 if rules.deal.jokers else 20):
            hands = random_hands(chance, rules)
            wanted = [expected(rules, hand) for hand in hands]
            assert [hand.fantasyland for hand in score_deal(rules, hands).hands] == wanted
            brought += sum(cards > 0 for cards in wanted)
            boards -= len(hands)
    return brought


@pytest.mark.parametrize("preset", OPEN)
def test_random_lists(preset: str) -> None:
    assert compare(random.Random(preset), preset, 1000) > 25


def test_random_lists_with_jokers() -> None:
    assert compare(random.Random(1), "pineapple_joker", 60) > 3


@pytest.mark.slow
@pytest.mark.parametrize("preset", OPEN)
def test_many_boards_of_random_lists(preset: str) -> None:
    assert compare(random.Random(f"{preset} slow"), preset, SLOW_BOARDS) > SLOW_BOARDS // 40


@given(SEEDS, st.sampled_from(OPEN))
def test_a_foul_never_enters_and_never_repeats(seed: int, preset: str) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance, preset)
    for hand in score_deal(rules, random_hands(chance, rules)).hands:
        assert not (hand.violated_rows and hand.fantasyland)


@given(SEEDS, st.sampled_from(OPEN))
def test_more_conditions_never_bring_fewer_cards(seed: int, preset: str) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance, preset)
    low = rules.rows.middle == "deuce_to_seven"
    fantasyland = rules.fantasyland
    more = replace(
        fantasyland,
        entry=fantasyland.entry + random_entries(chance, low=low),
        repeat=fantasyland.repeat + random_repeats(chance, low=low),
    )
    hands = random_hands(chance, rules)
    few = score_deal(rules, hands).hands
    many = score_deal(replace(rules, fantasyland=more), hands).hands
    assert all(before.fantasyland <= after.fantasyland for before, after in zip(few, many, strict=True))


@given(SEEDS)
def test_the_order_of_a_list_does_not_matter(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance, "pineapple")
    fantasyland = rules.fantasyland
    turned = replace(fantasyland, entry=fantasyland.entry[::-1], repeat=fantasyland.repeat[::-1])
    hands = random_hands(chance, rules)
    assert score_deal(replace(rules, fantasyland=turned), hands).hands == score_deal(rules, hands).hands


# Boards by hand under the example files: fantasyland cards now and how many in a row, cards of the next one.
BY_HAND = [
    ("every_row", "QhQd2c/KhKd3c3s4s/AhAdAs5h6h", 0, 0, 14),
    ("every_row", "2h3d4c/7h7d7c7s4s/8h8d8s8c6h", 0, 0, 14),
    ("every_row", "AhAd2c/KhKdKc3s3h/7h7d7s7c6h", 0, 0, 16),  # 14 by the front, 16 by both
    ("every_row", "7h7d7c/8h8d8c3s3h/ThTdTsTc6h", 0, 0, 17),
    ("every_row", "7h7d7c/8h8d8c3s3h/9h9d9s9c6h", 0, 0, 16),  # nines are not tens, but trips are above aces
    ("every_row", "7h7d7c/8h8d8c3s4h/9h9d9s9c6h", 0, 0, 14),
    ("every_row", "2h3d4c/KhKdKc2s2c/AhAdAsThTc", 15, 1, 15),
    ("every_row", "2h3d4c/QhQdQcKsKc/AhAdAsThTc", 15, 1, 0),
    ("every_row", "7h7d7c/8h8d8c3s3h/9h9d9s9c6h", 16, 3, 16),  # as many as now, more than 14 by the back
    ("every_row", "7h7d7c/8h8d8c3s3h/9h9d9s9c6h", 16, 4, 0),  # three repeats in a row
    ("royalties", "6h6d2c/8h8d8c3s4h/ThTdTs5c5h", 0, 0, 0),  # 1 + 2 + 6 = 9
    ("royalties", "QhQd2c/8h8d8c3s4h/ThTdTs5c5h", 0, 0, 15),  # 7 + 2 + 6 = 15, with queens
    ("royalties", "JhJd2c/8h8d8c3s4h/ThTdTs5c5h", 0, 0, 13),  # 6 + 2 + 6 = 14
    ("royalties", "2h3d4c/8h8d8c3s3h/ThTdTs5c5h", 0, 0, 14),  # 0 + 12 + 6 = 18
    ("royalties", "JhJd4c/8h8d8c3s3h/ThTdTs5c5h", 0, 0, 14),  # 6 + 12 + 6 = 24
    ("royalties", "QhQd4c/8h8d8c3s3h/ThTdTs5c5h", 14, 1, 14),  # 7 + 12 + 6 = 25
    ("royalties", "QhQd4c/8h8d8c3s3h/ThTdTs5c5h", 14, 2, 0),  # one repeat in a row
    ("low_ladder", "2h2d3c/8h5d4s3s2s/AhAdAs5h5c", 0, 0, 13),
    ("low_ladder", "2h2d3c/8h6d4s3s2s/AhAdAs5h5c", 0, 0, 0),
    ("low_ladder", "2h2d3c/7h6d5s3s2s/AhAdAs5h5c", 0, 0, 13),
    ("low_ladder", "2h2d3c/7h6d4s3s2s/AhAdAs5h5c", 0, 0, 14),
    ("low_ladder", "2h2d3c/7h5d4s3s2s/AhAdAs5h5c", 0, 0, 15),
    ("low_ladder", "QhQd3c/8h6d5s3s2s/AhAdAs5h5c", 0, 0, 15),
    ("low_ladder", "QhQd3c/8h7d4s3s2s/AhAdAs5h5c", 0, 0, 0),
    ("low_ladder", "2h2d3c/7h6d4s3s2s/AhAdAs5h5c", 15, 2, 15),
]


@pytest.mark.parametrize(("name", "board", "now", "in_row", "size"), BY_HAND)
def test_examples_by_hand(name: str, board: str, now: int, in_row: int, size: int) -> None:
    assert {name for name, *_ in BY_HAND} == set(EXAMPLES)
    cards = parse_cards(board.replace("/", ""))
    left = [Card(card) for card in range(52) if card not in cards]
    result = score_deal(
        example_ruleset(name), (ScoredHand(cards, "board", now, in_row), ScoredHand(tuple(left[:13])))
    )
    assert result.hands[0].fantasyland == size


def test_lists_in_the_scoring_contract() -> None:
    """Rules §8: any key of the rules stands beside the preset."""
    line = (
        '{"id":1,"rules":{"preset":"pineapple","fantasyland.kind":"custom",'
        '"fantasyland.entry":[{"row":"middle","least":"quads","cards":15},{"royalties":40,"cards":17}]},'
        '"players":{"A":{"front":"2h3d4c","middle":"7h7d7c7s4s","back":"8h8d8s8c6h"},'
        '"B":{"front":"AhAd2c","middle":"KhKdKc3s3h","back":"TsJsQsKsAs"}}}'
    )
    answer, fine = process_line(line)
    assert fine
    assert answer["fantasyland"] == {"A": 15, "B": 17}  # B: 9 + 12 + 25 = 46


def test_a_bad_condition_is_named_with_its_path() -> None:
    line = (
        '{"id":1,"rules":{"fantasyland.entry":[{"royalties":9,"cards":14},{"row":"front","least":"QJ","cards":14}]}}'
    )
    answer, fine = process_line(line)
    assert not fine
    assert answer["error"]["path"] == "$.rules.fantasyland.entry[1].least"  # type: ignore[index]
