"""One hand's decision, made only from what the hand may see. Bots and solvers read views here."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache, reduce
from itertools import accumulate, chain
from operator import and_
from typing import Final, NamedTuple
from zlib import crc32

from msgspec import Struct

from triptych import _kernel
from triptych.board import BOARD_CARDS
from triptych.cards import UNKNOWN_CARD, Card, card_text, deck
from triptych.deal.view_types import DealView, Stacks, Task
from triptych.notation.position import Position, PositionHand, position_from_view
from triptych.rulesets.model import STREETS, Ruleset, Street, streets
from triptych.scoring.showdown import play_each_other
from triptych.solve.analysis.stacks import KernelStacks, kernel_stacks, limit_learner
from triptych.solve.errors import SolveError

MAX_IN_ROW: Final = 255  # fantasylands, as the kernel counts them


DECK_SIZE: Final = 52

# The texts of views and positions are valid; a look-up is faster than parsing.
CARD_BY_TEXT: Final = {card_text(card): card for card in deck(2)}
ABSENT_MASKS: Final = {text: ~(1 << card) for text, card in CARD_BY_TEXT.items()} | {
    UNKNOWN_CARD: -1
}  # a bit for each other card


@lru_cache(maxsize=1 << 13)
def row_mask(texts: tuple[str, ...]) -> tuple[bytes, int]:
    """Return a row's known cards, and a bit for each other card. Cached, since rows recur."""
    cards = bytes([CARD_BY_TEXT[text] for text in texts if text != UNKNOWN_CARD])
    return cards, reduce(and_, [ABSENT_MASKS[text] for text in texts], -1)


class KernelHand(NamedTuple):
    """A hand in the kernel's form: confirmed rows, streets done, the fantasyland's cards and number in a row."""

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
        """The number of cards in the rows."""
        return len(self.front) + len(self.middle) + len(self.back)


class Decision(Struct, frozen=True):
    """A street, or a whole fantasyland, to be placed in an open game.

    `street` counts from 0; `place`: how many of the `cards` go into rows. `unseen`: a bit for each card that the hand
    does not see. `hands` in deal order. `street_orders`: by hand the sizes of its rows after each street, three
    numbers a street, empty where they are not known. `stacks`: the bounds of the payments.
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
        """Return the decision of hand `me`, from what it may see; `in_row` is of its own fantasyland.

        Raises SolveError: `position.street` when its cards fit no street of these rules, or another hand is not on it
        or just past it, `stacks.count`, `value.range` where the stacks or `in_row` do not fit.
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
        sizes = [sum(map(len, hand_rows)) for hand_rows in rows]
        streets_done = [bisect_right(steps, placed) - 1 for placed in sizes]
        cards = tuple([CARD_BY_TEXT[text] for text in position.hands[me].drawn if text != UNKNOWN_CARD])
        place = _cards_to_place(rules, position.hands[me], sizes[me], streets_done[me], len(cards))
        if not place:
            message = f"{sizes[me]} cards placed and {len(cards)} to place do not fit a street of {rules.name}"
            raise SolveError("position.street", message, f"$.hands[{me}]")
        _verify_others(rules, position, me, sizes, streets_done[me])
        _verify_in_row(in_row)
        in_rows = [1 if hand.fantasyland else 0 for hand in position.hands]
        in_rows[me] *= in_row
        hands = tuple(
            [
                KernelHand(*hand_rows, street_count, hand.fantasyland, number)
                for hand_rows, street_count, hand, number in zip(
                    rows, streets_done, position.hands, in_rows, strict=True
                )
            ]
        )
        orders = tuple([_street_order(hand, steps, f"$.hands[{index}]") for index, hand in enumerate(position.hands)])
        return cls(
            streets_done[me], me, cards, place, unseen, hands, kernel_stacks(rules, stacks, len(hands)), orders
        )

    @property
    def rows(self) -> tuple[bytes, bytes, bytes]:
        """The hand's own confirmed rows: front, middle, back."""
        return self.hands[self.me].rows

    @property
    def fantasyland(self) -> int:
        """The number of cards of the hand's own fantasyland, 0 outside one."""
        return self.hands[self.me].fantasyland

    @property
    def consecutive(self) -> int:
        """The number of the hand's own fantasyland in a row, 0 outside one."""
        return self.hands[self.me].in_row

    @property
    def slots(self) -> int:
        """The number of free slots after these cards are placed."""
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
        """Return the complete visible boards of its opponents, front first."""
        boards = (b"".join(self.hands[rival].rows) for rival in self.opponents_in_play(rules))
        return tuple([board for board in boards if len(board) == BOARD_CARDS])

    def streets_left(self, rules: Ruleset) -> tuple[Street, ...]:
        """Return the streets that the hand will still be dealt."""
        return () if self.fantasyland else streets(rules)[self.street + 1 :]

    @property
    def seed(self) -> int:
        """A seed computed from what the hand knows."""
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
        fantasyland_values: Sequence[float],
        *,
        shared: bool = False,
        believing: bool = True,
        named: Sequence[Sequence[bytes]] = (),
    ) -> _kernel.Analysis:
        """Return the kernel's search for the decision, not run yet; a `shared` one runs in two threads.

        `believing`: beliefs about the others' discards follow from their placements (belief.hpp); else any unseen
        card may still come. `named`: settings of a fantasyland that must be among the placements. Raises ValueError
        for too few unseen cards, and for a setting of other cards.
        """
        hands, cards, value = list(self.hands), bytes(self.cards), list(fantasyland_values)
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


def _verify_others(rules: Ruleset, position: Position, me: int, sizes: Sequence[int], street: int) -> None:
    """Raise SolveError `position.street` unless every other board has a possible size while hand `me` acts.

    Hands act in turn, so they are on its street or have just placed it. A fantasyland may be set at any
    time, against boards of whole streets; another fantasyland's board is empty or complete.
    """
    steps = _board_sizes(rules.deal.game)
    is_fantasyland = position.hands[me].fantasyland > 0
    for index, hand in enumerate(position.hands):
        if index == me:
            continue
        allowed = (0, BOARD_CARDS) if hand.fantasyland else steps if is_fantasyland else steps[street : street + 2]
        if sizes[index] not in allowed:
            counts = ", ".join(map(str, allowed[:-1])) + f" or {allowed[-1]}"
            hidden = "; ?? does not count" if UNKNOWN_CARD in hand.front + hand.middle + hand.back else ""
            task = "sets its fantasyland" if is_fantasyland else f"places street {street + 1}"
            message = f"{sizes[index]} cards lie on this board; while hand {me} {task} it has {counts}{hidden}"
            raise SolveError("position.street", message, f"$.hands[{index}]")


def _verify_in_row(in_row: int) -> None:
    if not 0 <= in_row <= MAX_IN_ROW:
        raise SolveError("value.range", f"expected a number from 0 to {MAX_IN_ROW}", "$.in_row")


@cache
def _board_sizes(game: str) -> tuple[int, ...]:
    """Return the number of cards on a board before each street, and at the end."""
    return (0, *accumulate(step.placed for step in STREETS[game]))


def _street_order(hand: PositionHand, steps: tuple[int, ...], path: str) -> bytes:
    """Return the sizes of a hand's rows after each street, empty where they are not known. Raises SolveError."""
    if not hand.row_counts or hand.fantasyland or UNKNOWN_CARD in hand.front + hand.middle + hand.back:
        return b""
    sizes_by_street = [sum(row_sizes) for row_sizes in hand.row_counts]
    if sizes_by_street != list(steps[1 : len(sizes_by_street) + 1]):
        allowed, actual = (", ".join(map(str, counts)) for counts in (steps[1:], sizes_by_street))
        message = f"its streets may leave {allowed} cards lying; here they leave {actual}"
        raise SolveError("position.street", message, path)
    return bytes(chain.from_iterable(hand.row_counts))


def _cards_to_place(rules: Ruleset, hand: PositionHand, placed: int, street: int, drawn: int) -> int:
    """Return how many cards a hand places: of its street, or 13 of its fantasyland; 0 when its cards fit neither."""
    if hand.fantasyland and drawn == hand.fantasyland and not placed:
        return BOARD_CARDS
    steps = _board_sizes(rules.deal.game)
    if street + 1 == len(steps) or placed != steps[street] or drawn != streets(rules)[street].dealt:
        return 0
    return streets(rules)[street].placed
