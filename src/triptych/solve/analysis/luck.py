"""The luck of the cards in a played deal.

The luck of a draw is the value of the deal with it less the mean value with other cards in its place, when the
learned policy plays on. Over all possible draws its mean is zero, however well that policy plays. So it is a control
variate: a result less its luck has the mean of the result and a far smaller variance (Zinkevich, Bowling, Bard, Kan,
Billings 2006: Optimal Unbiased Estimators for Evaluating Agent Performance).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from zlib import crc32

from triptych import _kernel
from triptych.board import ROWS
from triptych.cards import deck, parse_card
from triptych.notation.history.model import History, Step
from triptych.rulesets.model import is_closed
from triptych.solve.analysis.decision import KernelHand
from triptych.solve.errors import SolveError
from triptych.solve.value.weights import require_weights

ROLLOUTS_PER_DRAW: Final = 400  # samples of the deck after each draw
_FANTASYLAND_ROLLOUTS_PER_DRAW: Final = 40  # where each sample has fantasylands to set


def deal_luck(history: History, orders: int = ROLLOUTS_PER_DRAW, *, seed: int = 1) -> tuple[float, ...]:
    """Return each hand's luck in points from all opponents, the next fantasylands at their value.

    Raises as `draw_luck`.
    """
    total = [0.0] * len(history.hands)
    for _, luck in draw_luck(history, orders, seed=seed):
        total = [sum_so_far + draw_points for sum_so_far, draw_points in zip(total, luck, strict=True)]
    return tuple(total)


def draw_luck(history: History, orders: int = ROLLOUTS_PER_DRAW, *, seed: int = 1) -> list[tuple[Step, list[float]]]:
    """Return each placement with the luck of its draw for each hand, fantasylands first.

    Bounds of the payments are ignored. Raises SolveError: `review.closed`; `luck.hidden` when the
    history does not know every card; `value.none`.
    """
    rules = history.rules
    if is_closed(rules):
        raise SolveError("review.closed", "a closed deal has no streets, so its luck cannot be computed", "$.rules")
    if history.seen_by != "all":
        raise SolveError("luck.hidden", "luck can be computed only where every card is known", "$.seen_by")
    head, learner = require_weights(rules)
    hands = _DealState(history)
    return [
        (step, hands.draw(step, learner, head.fantasyland_values, orders, seed))
        for step in _rated_placements(history)
    ]


def _rated_placements(history: History) -> Iterator[Step]:
    """Yield the placements whose draws are rated, fantasylands first; cards never placed changed nothing."""
    placed = [step for step in history.steps if step.verb == "place"]
    yield from (step for step in placed if history.hands[step.hand].fantasyland)
    yield from (step for step in placed if not history.hands[step.hand].fantasyland)


class _DealState:
    """The hands of a deal between two draws, and the cards left in the deck."""

    def __init__(self, history: History) -> None:
        self.starts = history.hands
        self.rows = [[b"", b"", b""] for _ in history.hands]
        self.done = [0] * len(history.hands)
        self.fantasyland_cards = [b""] * len(history.hands)
        self.left = sum(1 << card for card in deck(history.rules.deal.jokers))

    def draw(
        self, step: Step, learner: _kernel.Learner, fantasyland_values: tuple[float, ...], orders: int, seed: int
    ) -> list[float]:
        """Return the luck of a placement's draw for each hand; then place its cards."""
        me = step.hand
        rows = [bytes(map(parse_card, getattr(step.layout, row))) for row in ROWS]
        cards = b"".join((*rows, bytes(map(parse_card, step.discards))))
        self.left &= ~sum(1 << card for card in cards)
        hands = [
            KernelHand(hand_rows[0], hand_rows[1], hand_rows[2], done, start.fantasyland, start.in_row)
            for hand_rows, done, start in zip(self.rows, self.done, self.starts, strict=True)
        ]
        setting = any(
            start.fantasyland and not cards_dealt
            for start, cards_dealt in zip(self.starts, self.fantasyland_cards, strict=True)
        )
        luck = _kernel.luck(
            learner,
            self.done[me],
            me,
            hands,
            self.fantasyland_cards,
            cards,
            self.left,
            fantasyland_values,
            orders=max(1, orders * _FANTASYLAND_ROLLOUTS_PER_DRAW // ROLLOUTS_PER_DRAW) if setting else orders,
            seed=crc32(cards, seed),
        )
        if self.starts[me].fantasyland:
            self.fantasyland_cards[me] = cards
        else:
            self.rows[me] = [placed + added for placed, added in zip(self.rows[me], rows, strict=True)]
            self.done[me] += 1
        return luck
