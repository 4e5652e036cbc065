"""One hand's street as the kernel's search wants it: what lies open to the hand, and nothing else."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct

from triptych import _kernel
from triptych.cards import HIDDEN, Card
from triptych.rules.model import STREETS, streets
from triptych.solve.errors import SolveError
from triptych.solve.value.cards import NUMBER, OTHERS, PACK, known_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.notation.position import Position
    from triptych.rules.model import Ruleset


class Decision(Struct, frozen=True):
    """A street to be placed.

    `street` counts from 0. `unseen`: a bit for each card that the hand does not see.
    `hands` in deal order: confirmed front, middle and back, streets done, fantasyland cards and how-manieth in a row.
    """

    street: int
    me: int
    cards: tuple[Card, ...]
    unseen: int
    hands: tuple[tuple[bytes, bytes, bytes, int, int, int], ...]

    @classmethod
    def of(cls, rules: Ruleset, position: Position, me: int) -> Decision:
        """Return the decision of hand `me`, from what lies open to it.

        Raises SolveError (`position.street`) when its cards fit no street of these rules.
        """
        unseen = (1 << PACK + rules.deal.jokers) - 1
        rows: list[tuple[bytes, bytes, bytes]] = []
        for hand in position.hands:
            front, middle, back = known_row(hand.front), known_row(hand.middle), known_row(hand.back)
            rows.append((front[0], middle[0], back[0]))
            unseen &= front[1] & middle[1] & back[1]
            for text in hand.drawn + hand.discards:
                unseen &= OTHERS[text]
        cards = tuple([NUMBER[text] for text in position.hands[me].drawn if text != HIDDEN])
        steps = _steps(rules.deal.game)
        lying = [len(front) + len(middle) + len(back) for front, middle, back in rows]
        before = [bisect_right(steps, placed) - 1 for placed in lying]
        street = before[me]
        step = streets(rules)[street] if street + 1 < len(steps) else None
        if step is None or len(cards) != step.dealt or lying[me] != steps[street]:
            message = f"{lying[me]} cards placed and {len(cards)} to place are no street of {rules.name}"
            raise SolveError("position.street", message, f"$.hands[{me}]")
        hands = tuple(
            [
                (*own, done, hand.fantasyland, int(hand.fantasyland > 0))
                for own, done, hand in zip(rows, before, position.hands, strict=True)
            ]
        )
        return cls(street, me, cards, unseen, hands)

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
        own = self.hands[self.me]
        return own[3] == self.street and sum(map(len, own[:3])) + len(self.cards) >= 13

    def analysis(
        self, learner: _kernel.Learner, land_value: Sequence[float], *, shared: bool = False
    ) -> _kernel.Analysis:
        """Return the kernel's search for this decision, not run yet; a `shared` one plays in two threads.

        Raises ValueError for too few unseen cards.
        """
        hands, cards = list(self.hands), bytes(self.cards)
        return _kernel.Analysis(
            learner, self.street, self.me, hands, cards, self.unseen, list(land_value), shared=shared
        )


@cache
def _steps(game: str) -> tuple[int, ...]:
    """Return how many cards lie on a board before each street, and at the end."""
    return (0, *accumulate(step.placed for step in STREETS[game]))
