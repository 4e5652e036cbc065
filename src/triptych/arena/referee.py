"""What a placement is worth where everybody goes on as a level plays: whole deals, played out one by one.

It shares no shortcut with the search: hidden cards are dealt (what the others threw away by what may be believed of
it, the rest by chance), and from then on each seat is asked as at a table, from its own view alone. That is some
thousand times slower than a rollout of the search.
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
    """Judges the placements of one position of an open game; `plays`: the level that everybody goes on with."""

    def __init__(self, rules: Ruleset, position: Position, plays: str = POLICY) -> None:
        """Raise what `triptych.solve.analysis.analyse.iter_analyses` raises."""
        self._rules = rules
        self._position = position
        self._me = position.acting[0]
        self._plays = get_level(plays)
        self._believed = {(one.hand, one.street): one.chances for one in discard_beliefs(position, rules)}
        self._land_value = require_weights(rules)[0].land_value

    def points(self, layouts: Sequence[Layout], seed: int, first: int, count: int) -> NDArray[np.float64]:
        """Return (count, placements): points of the hand to act, the same deals for each placement.

        Each deal follows from the seed and its number, so runs go on where the last one ended.
        """
        points = np.empty((count, len(layouts)))
        for number in range(count):
            state = self.sample_hidden_cards(Random(f"{seed}/{first + number}"))
            for at, layout in enumerate(layouts):
                points[number, at] = deal_values(self._play_out(state, layout), self._land_value)[self._me]
        return points

    def sample_hidden_cards(self, random: Random) -> DealState:
        """Return the deal with its hidden cards dealt: one of those that the hand to act cannot tell apart."""
        hands = self._position.hands
        starts = tuple(
            HandStart(seat, hand.fantasyland, int(hand.fantasyland > 0)) for seat, hand in enumerate(hands)
        )
        unseen = {*deck(self._rules.deal.jokers)}
        unseen -= {card for hand in hands for card in _known_cards(hand)}
        held = [
            HandState(start.seat, hand_streets(self._rules, start.fantasyland), start.fantasyland, start.in_row)
            for start in starts
        ]
        for seat, hand in enumerate(hands):
            held[seat] = self._hand_state(seat, hand, held[seat], unseen, random)
        order = sorted(unseen)
        random.shuffle(order)
        return DealState(self._rules, 1, tuple(held), dealing_order(self._rules, starts), tuple(order))

    def _hand_state(
        self, seat: int, hand: PositionHand, start: HandState, unseen: set[Card], random: Random
    ) -> HandState:
        """Return a hand as it lies; what it threw away unseen is taken from the `unseen` cards."""
        board = Board(*(_cards(getattr(hand, row)) for row in ROWS))
        street = placed = 0
        thrown = list(_cards(hand.discards))
        hidden: list[int] = []
        while street < len(start.streets) and placed < len(board.cards):
            placed += start.streets[street].placed
            street += 1
            hidden += [street] * start.streets[street - 1].discarded
        for number in hidden[len(thrown) :]:
            card = self._sample_discard(seat, number, unseen, random)
            unseen.remove(card)
            thrown.append(card)
        first = ((len(hand.front), len(hand.middle), len(hand.back)),) if street == 1 else ()
        return replace(
            start,
            board=board,
            laid=hand.row_counts or first,
            street=street,
            drawn=_cards(hand.drawn),
            discards=tuple(thrown),
        )

    def _sample_discard(self, seat: int, street: int, unseen: set[Card], random: Random) -> Card:
        chances = self._believed.get((seat, street), {})
        cards = sorted(unseen)
        weights = [chances.get(card_text(card), 0.0) for card in cards] if chances else [1.0] * len(cards)
        return random.choices(cards, weights if any(weights) else None)[0]

    def _play_out(self, state: DealState, layout: Layout) -> DealState:
        """Return the deal at its end, after a placement."""
        bots = [self._plays.factory(1) for _ in state.hands]
        state = decide(state, Place(self._me, layout)).state
        for move in play_out(state, bots):
            state = move.transition.state
        return state


def deal_values(state: DealState, land_value: Sequence[float]) -> list[float]:
    """Return what each hand of a finished deal got, the next fantasylands at their value; it sums to nothing."""
    score = result(state)
    last = len(state.hands) - 1
    lands = [land_value[hand.fantasyland] for hand in score.hands]
    return [
        points
        + sum(
            lands[one] - lands[other] for other in range(last + 1) if play_each_other(state.rules, one, other, last)
        )
        for one, points in enumerate(score.totals())
    ]


def _cards(texts: Sequence[str]) -> tuple[Card, ...]:
    return tuple(parse_card(text) for text in texts if text != UNKNOWN_CARD)


def _known_cards(hand: PositionHand) -> tuple[Card, ...]:
    return _cards((*hand.front, *hand.middle, *hand.back, *hand.drawn, *hand.discards))
