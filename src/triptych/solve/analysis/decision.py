"""One hand's decision: what lies open to the hand, and nothing else. Bots and solvers read it once, here."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, chain
from typing import Final, NamedTuple
from zlib import crc32

from msgspec import Struct

from triptych import _kernel
from triptych.board import BOARD_CARDS
from triptych.cards import UNKNOWN_CARD, Card, deck
from triptych.deal.stacks import Stacks
from triptych.deal.view_types import DealView, Task
from triptych.notation.position import Position, PositionHand, position_from_view
from triptych.rulesets.model import STREETS, Ruleset, Street, streets
from triptych.scoring.showdown import play_each_other
from triptych.solve.analysis.stacks import KernelStacks, kernel_stacks, limit_learner
from triptych.solve.errors import SolveError
from triptych.solve.value.cards import ABSENT_MASKS, CARD_BY_TEXT, DECK_SIZE, row_mask

MAX_IN_ROW: Final = 255  # fantasylands, as the kernel counts them


class KernelHand(NamedTuple):
    """A hand as the kernel takes it: its confirmed rows, streets done, its fantasyland's cards, that one's number."""

    front: bytes
    middle: bytes
    back: bytes
    streets_done: int
    fantasyland: int
    in_row: int

    @property
    def rows(self) -> tuple[bytes, bytes, bytes]:
        """Front, middle and back."""
        return self[:3]

    @property
    def placed(self) -> int:
        """How many cards lie in the rows."""
        return len(self.front) + len(self.middle) + len(self.back)


class Decision(Struct, frozen=True):
    """A street, or a whole fantasyland, to be placed in an open game.

    `street` counts from 0; `place`: how many of the `cards` go into rows. `unseen`: a bit for each card that the hand
    does not see. `hands` in deal order. `street_orders`: of each hand how many cards lay in its rows after each
    street, three numbers a street, or none where that is not known. `stacks`: what bounds the payments.
    """

    street: int
    me: int
    cards: tuple[Card, ...]
    place: int
    unseen: int
    hands: tuple[KernelHand, ...]
    stacks: KernelStacks | None = None
    street_orders: tuple[bytes, ...] = ()

    @classmethod
    def from_view(cls, rules: Ruleset, view: DealView, task: Task) -> Decision:
        """Return the decision that a task asks for, from the view alone."""
        return cls.from_position(
            rules, position_from_view(view), task.hand, view.boards[task.hand].in_row, view.stacks or None
        )

    @classmethod
    def from_position(
        cls, rules: Ruleset, position: Position, me: int, in_row: int = 1, stacks: Stacks | None = None
    ) -> Decision:
        """Return the decision of hand `me`, from what lies open to it; `in_row` is of its own fantasyland.

        Raises SolveError: `position.street` when its cards fit no street of these rules, or another hand is not on it
        or just past it, `stacks.count`, `value.range` when its stacks fit no hands, or `in_row` nothing.
        """
        unseen = (1 << DECK_SIZE + rules.deal.jokers) - 1
        rows: list[tuple[bytes, bytes, bytes]] = []
        for hand in position.hands:
            front, middle, back = row_mask(hand.front), row_mask(hand.middle), row_mask(hand.back)
            rows.append((front[0], middle[0], back[0]))
            unseen &= front[1] & middle[1] & back[1]
            for text in hand.drawn + hand.discards:
                unseen &= ABSENT_MASKS[text]
        steps = _board_sizes(rules.deal.game)
        lying = [sum(map(len, own)) for own in rows]
        before = [bisect_right(steps, placed) - 1 for placed in lying]
        cards = tuple([CARD_BY_TEXT[text] for text in position.hands[me].drawn if text != UNKNOWN_CARD])
        place = _cards_to_place(rules, position.hands[me], lying[me], before[me], len(cards))
        if not place:
            message = f"{lying[me]} cards placed and {len(cards)} to place are no street of {rules.name}"
            raise SolveError("position.street", message, f"$.hands[{me}]")
        _verify_others(rules, position, me, lying, before[me])
        _verify_in_row(in_row)
        lands = [1 if hand.fantasyland else 0 for hand in position.hands]
        lands[me] *= in_row
        hands = tuple(
            [
                KernelHand(*own, done, hand.fantasyland, land)
                for own, done, hand, land in zip(rows, before, position.hands, lands, strict=True)
            ]
        )
        orders = tuple([_street_order(hand, steps, f"$.hands[{index}]") for index, hand in enumerate(position.hands)])
        return cls(before[me], me, cards, place, unseen, hands, kernel_stacks(rules, stacks, len(hands)), orders)

    @property
    def rows(self) -> tuple[bytes, bytes, bytes]:
        """The hand's own confirmed rows: front, middle, back."""
        return self.hands[self.me].rows

    @property
    def fantasyland(self) -> int:
        """How many cards the hand's own fantasyland has, 0 outside one."""
        return self.hands[self.me].fantasyland

    @property
    def consecutive(self) -> int:
        """How many fantasylands in a row the hand's own makes, 0 outside one."""
        return self.hands[self.me].in_row

    @property
    def slots(self) -> int:
        """How many slots stay free when these cards are placed."""
        return BOARD_CARDS - self.hands[self.me].placed - self.place

    @property
    def unseen_cards(self) -> tuple[Card, ...]:
        """The cards that the hand does not see, in deck order."""
        return tuple([card for card in deck(2) if self.unseen >> card & 1])

    def opponents_in_play(self, rules: Ruleset) -> tuple[int, ...]:
        """Return the hands that this one plays; the last has the button, and the bank where there is one."""
        last = len(self.hands) - 1
        return tuple([hand for hand in range(len(self.hands)) if play_each_other(rules, self.me, hand, last)])

    def opponents(self, rules: Ruleset) -> tuple[bytes, ...]:
        """Return the boards of its rivals that are whole and lie open, front first."""
        boards = (b"".join(self.hands[rival].rows) for rival in self.opponents_in_play(rules))
        return tuple([board for board in boards if len(board) == BOARD_CARDS])

    def streets_left(self, rules: Ruleset) -> tuple[Street, ...]:
        """Return the streets that the hand will still be dealt."""
        return () if self.fantasyland else streets(rules)[self.street + 1 :]

    @property
    def seed(self) -> int:
        """A seed that follows from what the hand knows."""
        hands = tuple(map(tuple, self.hands))
        return crc32(repr((self.street, self.me, self.cards, self.unseen, hands)).encode())

    @property
    def is_deterministic(self) -> bool:
        """Return whether nothing is left to chance: the last street, and every other board is complete."""
        others = (hand for index, hand in enumerate(self.hands) if index != self.me)
        return all(hand.placed == BOARD_CARDS for hand in others) and self._is_last_street

    @property
    def _is_last_street(self) -> bool:
        own = self.hands[self.me]
        return own.streets_done == self.street and own.placed + len(self.cards) >= BOARD_CARDS

    def analysis(
        self,
        learner: _kernel.Learner,
        land_value: Sequence[float],
        *,
        shared: bool = False,
        believing: bool = True,
        named: Sequence[Sequence[bytes]] = (),
    ) -> _kernel.Analysis:
        """Return the kernel's search for the decision, not run yet; a `shared` one plays in two threads.

        `believing`: what others may have thrown away follows from what they placed (belief.hpp); else any unseen
        card may still come. `named`: settings of a fantasyland that are to be among the placements. Raises ValueError
        for too few unseen cards, and for a setting of other cards.
        """
        hands, cards, value = list(self.hands), bytes(self.cards), list(land_value)
        return _kernel.Analysis(
            limit_learner(learner, self.stacks, self.me, value) if self.stacks else learner,
            self.street,
            self.me,
            hands,
            cards,
            self.unseen,
            value,
            shared=shared,
            believing=believing,
            stacks=self.stacks,
            named=named,
            orders=self.street_orders,
        )


def _verify_others(rules: Ruleset, position: Position, me: int, lying: Sequence[int], street: int) -> None:
    """Raise SolveError `position.street` unless every other hand stands where it may while hand `me` acts.

    Hands act in turn, so they are on its street or have just placed it. A fantasyland may be set at any
    time, beside boards of whole streets; another fantasyland's board is empty, or lies there whole.
    """
    steps = _board_sizes(rules.deal.game)
    land = position.hands[me].fantasyland > 0
    for index, hand in enumerate(position.hands):
        if index == me:
            continue
        may = (0, BOARD_CARDS) if hand.fantasyland else steps if land else steps[street : street + 2]
        if lying[index] not in may:
            counts = ", ".join(map(str, may[:-1])) + f" or {may[-1]}"
            hidden = "; ?? does not count" if UNKNOWN_CARD in hand.front + hand.middle + hand.back else ""
            asks = f"while hand {me} {'sets its fantasyland' if land else f'places street {street + 1}'}"
            message = f"{lying[index]} cards lie on this board; {asks} it has {counts}{hidden}"
            raise SolveError("position.street", message, f"$.hands[{index}]")


def _verify_in_row(in_row: int) -> None:
    if not 0 <= in_row <= MAX_IN_ROW:
        raise SolveError("value.range", f"expected a number from 0 to {MAX_IN_ROW}", "$.in_row")


@cache
def _board_sizes(game: str) -> tuple[int, ...]:
    """Return how many cards lie on a board before each street, and at the end."""
    return (0, *accumulate(step.placed for step in STREETS[game]))


def _street_order(hand: PositionHand, steps: tuple[int, ...], path: str) -> bytes:
    """Return how many cards lay in each row of a hand after each street, where that is known and may be."""
    if not hand.row_counts or hand.fantasyland or UNKNOWN_CARD in hand.front + hand.middle + hand.back:
        return b""
    lying = [sum(sizes) for sizes in hand.row_counts]
    if lying != list(steps[1 : len(lying) + 1]):
        may, lie = (", ".join(map(str, some)) for some in (steps[1:], lying))
        message = f"its streets may leave {may} cards lying; here they leave {lie}"
        raise SolveError("position.street", message, path)
    return bytes(chain.from_iterable(hand.row_counts))


def _cards_to_place(rules: Ruleset, hand: PositionHand, lying: int, street: int, drawn: int) -> int:
    """Return how many cards of its street a hand places, all 13 of its fantasyland; 0 when its cards are neither."""
    if hand.fantasyland and drawn == hand.fantasyland and not lying:
        return BOARD_CARDS
    steps = _board_sizes(rules.deal.game)
    if street + 1 == len(steps) or lying != steps[street] or drawn != streets(rules)[street].dealt:
        return 0
    return streets(rules)[street].placed
