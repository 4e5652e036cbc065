"""Measure placements without the search: whole deals in which all players go on as a bot level.

It shares no shortcut with the search: hidden cards are dealt (the others' discards by the belief about them, the rest
at random), and from then on each seat plays from its own view alone. That is about a thousand times slower than a
rollout of the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from triptych.arena.moves import play_out
from triptych.board import ROWS, Board, Layout
from triptych.bots.levels import get_level
from triptych.cards import UNKNOWN_CARD, Card, card_text, deck, parse_card
from triptych.deal.actions import Place
from triptych.deal.dealing_order import dealing_order
from triptych.deal.engine import decide, result
from triptych.deal.state import DealState, HandStart, HandState, hand_streets
from triptych.notation.position import Position, PositionHand
from triptych.rulesets.model import Ruleset
from triptych.scoring.showdown import play_each_other
from triptych.solve.analysis.discards import discard_beliefs
from triptych.solve.value.weights import require_weights

POLICY = "medium"


class Referee:
    """Measures the placements of one position of an open game; `level`: the bot level of all players."""

    def __init__(self, rules: Ruleset, position: Position, level: str = POLICY) -> None:
        """Raises as `triptych.solve.analysis.analyse.iter_analyses`."""
        self._rules = rules
        self._position = position
        self._me = position.acting[0]
        self._level = get_level(level)
        self._beliefs = {
            (discard.hand, discard.street): discard.chances for discard in discard_beliefs(position, rules)
        }
        self._fantasyland_values = require_weights(rules)[0].fantasyland_values

    def points(self, layouts: Sequence[Layout], seed: int, first: int, count: int) -> NDArray[np.float64]:
        """Return (count, placements): points of the hand to act, the same deals for each placement.

        Each deal follows from the seed and its number, so a run can continue an earlier one.
        """
        points = np.empty((count, len(layouts)))
        for number in range(count):
            state = self.sample_hidden_cards(Random(f"{seed}/{first + number}"))
            for index, layout in enumerate(layouts):
                points[number, index] = deal_values(self._play_out(state, layout), self._fantasyland_values)[self._me]
        return points

    def sample_hidden_cards(self, random: Random) -> DealState:
        """Return the deal with hidden cards sampled: one that is consistent with the view of the hand to act."""
        hands = self._position.hands
        starts = tuple(
            HandStart(seat, hand.fantasyland, int(hand.fantasyland > 0)) for seat, hand in enumerate(hands)
        )
        unseen = {*deck(self._rules.deal.jokers)}
        unseen -= {card for hand in hands for card in _known_cards(hand)}
        hand_states = [
            HandState(start.seat, hand_streets(self._rules, start.fantasyland), start.fantasyland, start.in_row)
            for start in starts
        ]
        for seat, hand in enumerate(hands):
            hand_states[seat] = self._hand_state(seat, hand, hand_states[seat], unseen, random)
        order = sorted(unseen)
        random.shuffle(order)
        return DealState(self._rules, 1, tuple(hand_states), dealing_order(self._rules, starts), tuple(order))

    def _hand_state(
        self, seat: int, hand: PositionHand, start: HandState, unseen: set[Card], random: Random
    ) -> HandState:
        """Return the state of a hand; its hidden discards are taken out of `unseen`."""
        board = Board(*(_cards(getattr(hand, row)) for row in ROWS))
        street = placed = 0
        discards = list(_cards(hand.discards))
        hidden: list[int] = []
        while street < len(start.streets) and placed < len(board.cards):
            placed += start.streets[street].placed
            street += 1
            hidden += [street] * start.streets[street - 1].discarded
        for number in hidden[len(discards) :]:
            card = self._sample_discard(seat, number, unseen, random)
            unseen.remove(card)
            discards.append(card)
        row_counts = ((len(hand.front), len(hand.middle), len(hand.back)),) if street == 1 else ()
        return replace(
            start,
            board=board,
            laid=hand.row_counts or row_counts,
            street=street,
            drawn=_cards(hand.drawn),
            discards=tuple(discards),
        )

    def _sample_discard(self, seat: int, street: int, unseen: set[Card], random: Random) -> Card:
        chances = self._beliefs.get((seat, street), {})
        cards = sorted(unseen)
        weights = [chances.get(card_text(card), 0.0) for card in cards] if chances else [1.0] * len(cards)
        return random.choices(cards, weights if any(weights) else None)[0]

    def _play_out(self, state: DealState, layout: Layout) -> DealState:
        """Return the deal at its end, after a placement."""
        bots = [self._level.factory(1) for _ in state.hands]
        state = decide(state, Place(self._me, layout)).state
        for move in play_out(state, bots):
            state = move.transition.state
        return state


def deal_values(state: DealState, fantasyland_values: Sequence[float]) -> list[float]:
    """Return the points of each hand of a finished deal, the next fantasylands at their value; they sum to 0."""
    score = result(state)
    last = len(state.hands) - 1
    own_values = [fantasyland_values[hand.fantasyland] for hand in score.hands]
    return [
        points
        + sum(
            own_values[me] - own_values[other]
            for other in range(last + 1)
            if play_each_other(state.rules, me, other, last)
        )
        for me, points in enumerate(score.totals())
    ]


def _cards(texts: Sequence[str]) -> tuple[Card, ...]:
    return tuple(parse_card(text) for text in texts if text != UNKNOWN_CARD)


def _known_cards(hand: PositionHand) -> tuple[Card, ...]:
    return _cards((*hand.front, *hand.middle, *hand.back, *hand.drawn, *hand.discards))
