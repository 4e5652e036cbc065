"""One hand's street as the kernel's search wants it: what lies open to the hand, and nothing else."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct

from triptych import _kernel
from triptych.cards import HIDDEN, Card, card_text, deck
from triptych.rules.model import STREETS, streets
from triptych.solve.errors import SolveError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triptych.notation.position import Position, PositionHand
    from triptych.rules.model import Ruleset

PACK = 52
_NUMBER = {card_text(card): card for card in deck(2)}  # a position's texts are cards: parsing one costs more

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
        read = [_read(hand) for hand in position.hands]
        rows, cards, _ = read[me]
        steps = _steps(rules.deal.game)
        lying = [sum(map(len, hand[0])) for hand in read]
        before = [bisect_right(steps, placed) - 1 for placed in lying]
        street = before[me]
        step = streets(rules)[street] if street + 1 < len(steps) else None
        if step is None or len(cards) != step.dealt or lying[me] != steps[street]:
            message = f"{lying[me]} cards placed and {len(cards)} to place are no street of {rules.name}"
            raise SolveError("position.street", message, f"$.hands[{me}]")
        unseen = (1 << PACK + rules.deal.jokers) - 1
        for _, _, seen in read:
            unseen &= ~seen
        lands = [hand.fantasyland for hand in position.hands]
        hands = tuple(
            (bytes(front), bytes(middle), bytes(back), done, land, int(land > 0))
            for ((front, middle, back), _, _), done, land in zip(read, before, lands, strict=True)
        )
        return cls(street, me, rows, cards, unseen, hands)

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


@cache
def _steps(game: str) -> tuple[int, ...]:
    """Return how many cards lie on a board before each street, and at the end."""
    return (0, *accumulate(step.placed for step in STREETS[game]))


def _read(hand: PositionHand) -> tuple[Rows, tuple[Card, ...], int]:
    """Return a hand's rows, its cards of the street, and a bit for each of its cards that is known."""
    front, middle, back = _cards(hand.front), _cards(hand.middle), _cards(hand.back)
    drawn = _cards(hand.drawn)
    seen = 0
    for card in (*front, *middle, *back, *drawn, *_cards(hand.discards)):
        seen |= 1 << card
    return (front, middle, back), drawn, seen


def _cards(texts: Iterable[str]) -> tuple[Card, ...]:
    return tuple([_NUMBER[text] for text in texts if text != HIDDEN])
