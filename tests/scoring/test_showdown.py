"""Hands that cannot be scored together, one by one: each with its code and whose it is."""

from __future__ import annotations

import pytest

from triptych.cards import deck, parse_cards
from triptych.rulesets.load import resolve
from triptych.scoring.showdown import ScoredHand, ScoreError, best_natural, rows_form_natural, score_deal

CARDS = deck(2)
BOARD, OTHER = ScoredHand(CARDS[:13]), ScoredHand(CARDS[13:26])


@pytest.mark.parametrize(
    ("jokers", "hand", "words", "whose"),
    [
        (0, ScoredHand(CARDS[12:25]), "a card is in two places", 0),
        (0, ScoredHand(CARDS[13:25]), "a hand has 13 cards, not 12", 1),
        (0, ScoredHand(CARDS[40:53]), "played without this joker", 1),
        (1, ScoredHand(CARDS[41:54]), "played without this joker", 1),
        (0, ScoredHand(kind="surrender"), "do not allow to surrender", 1),
    ],
)
def test_hands_that_are_not_scored(jokers: int, hand: ScoredHand, words: str, whose: int) -> None:
    rules = resolve({"preset": "pineapple", "deal.jokers": jokers})
    with pytest.raises(ScoreError, match=words) as refused:
        score_deal(rules, [BOARD, hand])
    assert refused.value.hand == whose


def test_hands_that_are() -> None:
    """The totals of all hands, each over its pairs, sum to nothing."""
    rules = resolve({"preset": "pineapple", "deal.jokers": 1})
    assert len(score_deal(rules, [BOARD, ScoredHand(CARDS[40:53])]).pairs) == 1
    totals = score_deal(resolve("pineapple"), [BOARD, OTHER, ScoredHand(CARDS[26:39])]).totals()
    assert len(totals) == 3
    assert sum(totals) == 0


@pytest.mark.parametrize("count", [1, 5])
def test_two_to_four_hands_are_scored(count: int) -> None:
    with pytest.raises(ScoreError, match=f"not {count}"):
        score_deal(resolve("pineapple"), [BOARD] * count)


FLUSHES = parse_cards("2c5c8c3d6d8dTdJd4h6h7hThAh")
SIX_PAIRS = parse_cards("AsAh9s9h8s8h7s7h5s5h4s4h2d")
PLAIN = parse_cards("Qc9c3cJhJcTs6s3sKsKdTc6c2s")


@pytest.mark.parametrize("kinds", [["three_flushes"], ["dragon", "three_flushes"]])
def test_three_flushes_in_the_rows_are_a_natural(kinds: list[str]) -> None:
    """Rules §4 (`naturals.claim = auto`), wherever it stands in the table; source 003 L14."""
    entries = [{"kind": kind, "units": 5} for kind in kinds]
    rules = resolve({"preset": "closed_basic", "naturals.table": {"entries": entries}})
    assert rows_form_natural(rules, FLUSHES)
    assert not rows_form_natural(rules, PLAIN)
    score = score_deal(rules, [ScoredHand(FLUSHES), ScoredHand(PLAIN)])
    assert [hand.status for hand in score.hands] == ["natural", "legal"]
    assert score.hands[0].natural is not None
    assert score.hands[0].natural.kind == "three_flushes"
    assert score.pairs[0].points == 5


def test_a_joker_makes_no_natural() -> None:
    """Rules §4: naturals belong to the closed games, which are played without jokers."""
    rules = resolve("closed_1_6")
    assert best_natural(rules, SIX_PAIRS) is not None
    assert best_natural(rules, (*SIX_PAIRS[:-1], CARDS[52])) is None
    high = parse_cards("AsAhKsKhQsQhJsJhTsTh9s9h")
    water = resolve("thirteen_water")
    assert best_natural(water, (*high, *parse_cards("8s"))) is not None
    assert best_natural(water, (*high, CARDS[52])) is None


def test_a_pair_pays_for_a_natural_of_either_of_the_two() -> None:
    rules = resolve("closed_1_6")
    hands = [
        ScoredHand(SIX_PAIRS, "natural"),
        ScoredHand(PLAIN),
        ScoredHand(parse_cards("Qd9d3dJdJs8dAdKhKc2cTd6h2h")),
    ]
    for turned, naturals in ((hands, [True, True, False]), (hands[::-1], [False, True, True])):
        score = score_deal(rules, turned)
        assert [score.is_natural_payment(pair) for pair in score.pairs] == naturals
