"""Hands that cannot be scored together, one by one: each with its code and whose it is."""

from __future__ import annotations

import pytest

from triptych.cards import deck
from triptych.rules.load import resolve
from triptych.score.showdown import ScoredHand, ScoreError, score_deal

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
