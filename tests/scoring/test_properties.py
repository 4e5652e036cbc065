"""What holds for every deal: zero-sum, mirror images, seats and suits do not matter; every sheet adds up."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.deals import random_deck, random_hands, random_rules, random_settlement
from triptych import _kernel
from triptych.cards import Card
from triptych.rulesets.compile import compile_rules
from triptych.rulesets.load import preset_names, resolve
from triptych.scoring.sheet.build import SheetPlayer, build_sheet
from triptych.scoring.showdown import DealScore, ScoredHand, ScoreError, score_deal

SEEDS = st.integers(0, 2**32 - 1)


def deal(seed: int) -> tuple[random.Random, DealScore, list[ScoredHand]]:
    chance = random.Random(seed)
    rules = random_rules(resolve(chance.choice(preset_names())), chance)
    hands = [
        ScoredHand(hand.cards, hand.kind, hand.fantasyland, hand.in_row, index if hand.owner is None else hand.owner)
        for index, hand in enumerate(random_hands(rules, chance))
    ]
    return chance, score_deal(rules, hands), hands


def points(score: DealScore) -> dict[tuple[int, int], int]:
    """Return what each hand receives from each other, both ways round."""
    by_pair = {(pair.a, pair.b): pair.points for pair in score.pairs}
    return by_pair | {(b, a): -value for (a, b), value in by_pair.items()}


@given(SEEDS)
def test_totals_sum_to_the_table_points(seed: int) -> None:
    """Source 001 L24.2: what one wins the other loses."""
    _, score, _ = deal(seed)
    assert sum(score.totals()) == sum(hand.table_points for hand in score.hands)


@given(SEEDS)
def test_seats_do_not_matter(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(resolve(chance.choice(preset_names())), chance)
    hands = [
        ScoredHand(hand.cards, hand.kind, hand.fantasyland, hand.in_row, index if hand.owner is None else hand.owner)
        for index, hand in enumerate(random_hands(rules, chance))
    ]
    score = score_deal(rules, hands)
    seats = list(chance.choice(list(permutations(range(len(hands))))))
    if rules.scoring.pairs == "banker":  # the last seat is the bank
        seats = [*(seat for seat in seats if seat != len(hands) - 1), len(hands) - 1]
    turned = score_deal(rules, [hands[seat] for seat in seats])
    assert turned.hands == tuple(score.hands[seat] for seat in seats)
    before, after = points(score), points(turned)
    assert all(after[a, b] == before[seats[a], seats[b]] for a, b in after)


@given(SEEDS, st.permutations(range(4)))
def test_suits_are_equal(seed: int, suits: list[int]) -> None:
    """Source 001 L5.2: no suit ever breaks a tie; the deuce of spades and colours of naturals are switched off."""
    chance = random.Random(seed)
    equal = {"royalties.deuce_of_spades": False, "naturals": {}, "rows.tie_break": "none"}
    rules = resolve({"preset": chance.choice(preset_names()), **equal})
    hands = [hand for hand in random_hands(rules, chance) if hand.kind == "board"]
    if len(hands) < 2:
        return
    dyed = [
        ScoredHand(
            tuple(card if card >= 52 else Card(card // 4 * 4 + suits[card % 4]) for card in hand.cards),
            hand.kind,
            hand.fantasyland,
            hand.in_row,
            hand.owner,
            hand.declared,
        )
        for hand in hands
    ]
    assert score_deal(rules, dyed) == score_deal(rules, hands)


@given(SEEDS)
def test_every_sheet_adds_up(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_settlement(random_rules(resolve(chance.choice(preset_names())), chance), chance)
    hands = random_hands(rules, chance)
    score = score_deal(rules, hands)
    parties = [
        SheetPlayer(index if hand.owner is None else hand.owner, f"Player {index}")
        for index, hand in enumerate(hands)
    ]
    stacks = {party.seat: chance.randrange(1, 80) for party in parties}
    sheet = build_sheet(rules, hands, score, parties, stakes={(0, 1): 3}, stacks=stacks)
    for pair in sheet.pairs:
        cells = (pair.front, pair.middle, pair.back, pair.scoop, pair.royalties, pair.other)
        assert sum(cell.points for cell in cells) == pair.points
        assert all(cell.why for cell in cells if cell.points)
        assert abs(pair.moved.points) <= abs(pair.points * pair.stake)
        assert pair.moved.why
    assert [hand.points for hand in sheet.hands] == list(score.totals())
    assert sum(stack.after for stack in sheet.stacks) == sum(stacks.values())
    for stack in sheet.stacks:
        moved = sum(
            pair.moved.points * ((parties[pair.a].seat == stack.seat) - (parties[pair.b].seat == stack.seat))
            for pair in sheet.pairs
        )
        assert stack.change == moved
    assert all(bool(hand.fantasyland_why) for hand in sheet.hands if hand.fantasyland)


@pytest.mark.parametrize("preset", preset_names())
def test_a_batch_scores_as_single_deals(preset: str) -> None:
    rules = resolve(preset)
    chance = random.Random(preset)
    decks = [random_deck(rules, chance, 3) for _ in range(60)]
    boards = np.array(decks, dtype=np.uint8).reshape(60, 3, 13)
    fantasylands = np.zeros((60, 3, 2), dtype=np.uint8)
    fantasylands[::2] = (14, 1)
    pairs, royalties, legal, fantasyland = _kernel.score_batch(compile_rules(rules), boards, fantasylands)
    for index, deck in enumerate(decks):
        hands = [
            ScoredHand(tuple(deck[at : at + 13]), "board", *map(int, fantasylands[index, at // 13]))
            for at in (0, 13, 26)
        ]
        single = score_deal(rules, hands)
        assert pairs[index].tolist() == [pair.points for pair in single.pairs]
        assert royalties[index].tolist() == [list(hand.royalties) for hand in single.hands]
        assert legal[index].tolist() == [hand.status == "legal" for hand in single.hands]
        assert fantasyland[index].tolist() == [hand.fantasyland for hand in single.hands]


def test_hands_that_cannot_be_scored_together() -> None:
    rules = resolve("closed_basic")
    board = ScoredHand(tuple(Card(card) for card in range(13)))
    other = ScoredHand(tuple(Card(card) for card in range(13, 26)))
    joker = ScoredHand((*other.cards[:12], Card(52)))
    for hands, code in [
        ([board], "score.hands"),
        ([board, board], "score.cards"),
        ([board, ScoredHand(other.cards[:12])], "score.cards"),
        ([board, joker], "score.cards"),
        ([board, ScoredHand(kind="surrender")], "score.surrender"),
    ]:
        with pytest.raises(ScoreError) as error:
            score_deal(rules, hands)
        assert error.value.code == code
