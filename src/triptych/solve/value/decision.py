"""One hand's street as the kernel's search wants it: what lies open to the hand, and nothing else."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct

from triptych import _kernel
from triptych.cards import HIDDEN, Card, deck, parse_card
from triptych.deal.actions import ROWS
from triptych.rules.model import streets
from triptych.solve.errors import SolveError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triptych.notation.position import Position, PositionHand
    from triptych.rules.model import Ruleset

Rows = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]


class Decision(Struct, frozen=True):
    """A street to be placed.

    `street` counts from 0. `rows`: confirmed cards. `unseen`: a bit for each card that the hand does not see.
    `hands`: front, middle, back, streets done, fantasyland cards and how-manieth in a row, in deal order.
    """

    street: int
    me: int
    rows: Rows
    cards: tuple[Card, ...]
    unseen: int
    hands: tuple[tuple[bytes, bytes, bytes, int, int, int], ...]

    @classmethod
    def of(cls, rules: Ruleset, position: Position, me: int) -> Decision:
        """Return the decision of hand `me`, from what lies open to it.

        Raises SolveError (`position.street`) when its cards fit no street of these rules.
        """
        mine = position.hands[me]
        cards = _cards(mine.drawn)
        rows = _rows(mine)
        street = _streets_done(rules, rows)
        steps = streets(rules)
        before = sum(step.placed for step in steps[:street])
        if street == len(steps) or len(cards) != steps[street].dealt or sum(map(len, rows)) != before:
            message = f"{sum(map(len, rows))} cards placed and {len(cards)} to place are no street of {rules.name}"
            raise SolveError("position.street", message, f"$.hands[{me}]")
        seen = {card for hand in position.hands for card in _known(hand)}
        return cls(
            street=street,
            me=me,
            rows=rows,
            cards=cards,
            unseen=sum(1 << card for card in deck(rules.deal.jokers) if card not in seen),
            hands=tuple(_hand(rules, hand) for hand in position.hands),
        )

    @property
    def seed(self) -> int:
        """A seed that follows from what the hand knows."""
        return crc32(repr((self.street, self.me, self.cards, self.unseen, self.hands)).encode())

    @property
    def settled(self) -> bool:
        """Tell whether nothing is left to chance: the last street, and every other board is complete."""
        others = (hand for index, hand in enumerate(self.hands) if index != self.me)
        return all(sum(map(len, hand[:3])) == 13 for hand in others) and self._last

    @property
    def _last(self) -> bool:
        return self.hands[self.me][3] == self.street and sum(map(len, self.rows)) + len(self.cards) >= 13

    def analysis(self, learner: _kernel.Learner, land_value: Sequence[float]) -> _kernel.Analysis:
        """Return the kernel's search for this decision, not run yet. Raises ValueError for too few unseen cards."""
        return _kernel.Analysis(
            learner, self.street, self.me, list(self.hands), bytes(self.cards), self.unseen, list(land_value)
        )


def _hand(rules: Ruleset, hand: PositionHand) -> tuple[bytes, bytes, bytes, int, int, int]:
    rows = _rows(hand)
    front, middle, back = map(bytes, rows)
    return front, middle, back, _streets_done(rules, rows), hand.fantasyland, int(hand.fantasyland > 0)


def _streets_done(rules: Ruleset, rows: Rows) -> int:
    placed = sum(map(len, rows))
    return sum(needed <= placed for needed in accumulate(step.placed for step in streets(rules)))


def _rows(hand: PositionHand) -> Rows:
    front, middle, back = (_cards(getattr(hand, row)) for row in ROWS)
    return front, middle, back


def _known(hand: PositionHand) -> Iterable[Card]:
    return _cards(hand.front + hand.middle + hand.back + hand.drawn + hand.discards)


def _cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple(parse_card(text) for text in texts if text != HIDDEN)
