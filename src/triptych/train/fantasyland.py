"""Fit the values of fantasylands as a fixed point of self-play."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from triptych import _kernel
from triptych.board import BOARD_CARDS
from triptych.cards import Card, deck
from triptych.rulesets.model import Ruleset
from triptych.scoring.showdown import ScoredHand, score_deal
from triptych.solve.exact.fantasyland import fantasyland
from triptych.solve.exact.setting import MAX_CARDS, MIN_CARDS
from triptych.solve.value.points import FANTASYLAND_VALUE_COUNT


def fit_fantasyland_values(
    rules: Ruleset, learner: _kernel.Learner, guess: Sequence[float], *, deals: int, seed: int
) -> tuple[float, ...]:
    """Return the value of each fantasyland in points from one opponent, who plays like the learner.

    One step towards the fixed point: `deals` heads-up deals for each size. The fantasyland is set for royalties and
    the guessed repeat value; the opponent's board comes from the learner's self-play. A fantasyland that either side
    reaches counts with the guess. Repeat until the values converge.
    """
    sizes = [size for size, value in enumerate(guess) if value]
    random = Random(seed)
    fitted = [0.0] * FANTASYLAND_VALUE_COUNT
    for size in sizes:
        total = 0.0
        for _ in range(deals):
            learner.play(1, learning=False, rate=0, decay=0, noise=0)
            total += _points(rules, learner.last_boards()[:BOARD_CARDS], size, guess, random)
        fitted[size] = total / deals
    return tuple(fitted)


def _points(rules: Ruleset, opponent: bytes, size: int, guess: Sequence[float], random: Random) -> float:
    remaining = [card for card in deck(rules.deal.jokers) if card not in opponent]
    cards = random.sample(remaining, size)
    best = fantasyland(cards, rules, repeat_value={cards: guess[cards] for cards in range(MIN_CARDS, MAX_CARDS + 1)})
    hands = (
        ScoredHand((*best.front, *best.middle, *best.back), fantasyland=size, in_row=1, owner=0),
        ScoredHand(tuple(Card(card) for card in opponent), owner=1),
    )
    score = score_deal(rules, hands)
    return score.pairs[0].points + guess[score.hands[0].fantasyland] - guess[score.hands[1].fantasyland]
