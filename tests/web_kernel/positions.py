"""Random positions of any game, as both kernels are asked about them."""

from __future__ import annotations

import struct
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING

from msgspec import Struct

from tests.web_kernel.host import cards_of, u32
from triptych import _kernel
from triptych.board import ROW_SIZES
from triptych.cards import deck
from triptych.deal.view_types import Stacks
from triptych.rulesets.model import fantasyland_sizes, streets
from triptych.solve.analysis.stacks import KernelStacks, kernel_stacks, stacks_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych.rulesets.model import Ruleset

Hand = tuple[bytes, bytes, bytes, int, int, int]  # rows, streets done, fantasyland cards, how many in a row


class OpenPosition(Struct, frozen=True):
    """A street, or a whole fantasyland, to be placed in an open game; `unseen`: a bit a card.

    `named`: settings of the fantasyland that are to be among the placements. `orders`: by hand how many cards lay in
    each row after each street, a byte each; none where that is not known.
    """

    street: int
    me: int
    cards: bytes
    unseen: int
    hands: tuple[Hand, ...]
    stacks: KernelStacks | None = None
    named: tuple[tuple[bytes, bytes, bytes], ...] = ()
    orders: tuple[bytes, ...] = ()

    def order(self, hand: int) -> bytes:
        """Return the order of a hand."""
        return self.orders[hand] if self.orders else b""

    def question(self) -> bytes:
        """Return the request of `analysis_begin` behind the player's number; discards are believed."""
        head = u32(self.street, self.me) + cards_of(self.cards) + struct.pack("<Q", self.unseen)
        hands = (
            b"".join(map(cards_of, hand[:3])) + u32(*hand[3:]) + bytes([len(self.order(at)) // 3]) + self.order(at)
            for at, hand in enumerate(self.hands)
        )
        request = head + u32(1, len(self.hands)) + b"".join(hands) + stacks_bytes(self.stacks)
        if not self.hands[self.me][4]:
            return request
        masks = (sum(1 << self.cards.index(card) for card in row) for rows in self.named for row in rows)
        return request + u32(len(self.named), *masks)

    def plain(self) -> dict[str, object]:
        """Return it as the client's side of the kernel takes it, as JSON."""
        keys = ("streetsDone", "fantasyland", "inRow")
        hands = [
            {
                "rows": [list(row) for row in hand[:3]],
                **dict(zip(keys, hand[3:], strict=True)),
                "laid": [list(self.order(at)[s : s + 3]) for s in range(0, len(self.order(at)), 3)],
            }
            for at, hand in enumerate(self.hands)
        ]
        return {
            "street": self.street,
            "me": self.me,
            "cards": list(self.cards),
            "unseen": str(self.unseen),
            "hands": hands,
            "stacks": list(stacks_bytes(self.stacks)),
            "named": [[list(row) for row in rows] for rows in self.named],
        }

    def analysis(self, learner: _kernel.Learner, fantasyland_values: Sequence[float]) -> _kernel.Analysis:
        """Return the server's analysis of it, in one thread. Raises ValueError for too few unseen cards."""
        hands, values = list(self.hands), list(fantasyland_values)
        return _kernel.Analysis(
            learner,
            self.street,
            self.me,
            hands,
            self.cards,
            self.unseen,
            values,
            shared=False,
            believing=True,
            stacks=self.stacks,
            named=self.named,
            orders=self.orders,
        )


def shuffled(chance: Random, rules: Ruleset) -> bytes:
    """Return the pack of a game in a random order."""
    cards = [int(card) for card in deck(rules.deal.jokers)]
    chance.shuffle(cards)
    return bytes(cards)


def random_rows(chance: Random, cards: bytes) -> tuple[bytes, bytes, bytes]:
    """Return cards in random rows of a board."""
    rows = (bytearray(), bytearray(), bytearray())
    for card in cards:
        row, _ = chance.choice([(row, size) for row, size in zip(rows, ROW_SIZES, strict=True) if len(row) < size])
        row.append(card)
    front, middle, back = map(bytes, rows)
    return front, middle, back


def order_of(rows: tuple[bytes, bytes, bytes], cards: bytes, rules: Ruleset) -> bytes:
    """Return how many cards lay in each row after each street, of cards that came in this order."""
    ends = [end for end in accumulate(step.placed for step in streets(rules)) if end <= len(cards)]
    return bytes(sum(card in cards[:end] for card in row) for end in ends for row in rows)


def open_position(chance: Random, rules: Ruleset, players: int) -> OpenPosition:
    """Return a position between streets; hands before the one to act have done one more, some are in fantasyland.

    Of half of them it is known which cards came on which street.
    """
    steps = streets(rules)
    street, me = chance.randrange(len(steps)), chance.randrange(players)
    pack = shuffled(chance, rules)
    fantasylands = fantasyland_sizes(rules)
    hands: list[Hand] = []
    orders: list[bytes] = []
    for number in range(players):
        if number != me and fantasylands and players == 2 and chance.random() < 0.15:
            hands.append((b"", b"", b"", 0, chance.choice(fantasylands), 1))
            orders.append(b"")
            continue
        done = street + (number < me)
        placed = sum(step.placed for step in steps[:done])
        rows = random_rows(chance, pack[:placed])
        hands.append((*rows, done, 0, 0))
        orders.append(order_of(rows, pack[:placed], rules))
        pack = pack[placed:]
    discarded = sum(step.discarded for step in steps[:street])  # of one's own
    cards, unseen = pack[: steps[street].dealt], pack[steps[street].dealt + discarded :]
    stacks = random_stacks(chance, rules, players) if chance.random() < 0.25 else None
    known_orders = tuple(orders) if chance.random() < 0.5 else ()
    return OpenPosition(
        street, me, cards, sum(1 << card for card in unseen), tuple(hands), stacks, orders=known_orders
    )


def land_position(chance: Random, rules: Ruleset) -> OpenPosition:
    """Return a whole fantasyland: alone, or beside boards that are finished, growing, empty or fantasylands too."""
    steps, fantasylands = streets(rules), fantasyland_sizes(rules)
    pack, size = shuffled(chance, rules), chance.choice(fantasylands)
    cards, pack = pack[:size], pack[size:]
    finished = chance.random() < 0.4
    hands: list[Hand] = [(b"", b"", b"", 0, size, chance.randint(1, 3))]
    for _ in range(chance.randint(0, 1)):
        if not finished and chance.random() < 0.3:
            hands.append((b"", b"", b"", 0, chance.choice(fantasylands), 1))
            continue
        done = len(steps) if finished else chance.randrange(len(steps))
        placed = sum(step.placed for step in steps[:done])
        hands.append((*random_rows(chance, pack[:placed]), done, 0, 0))
        pack = pack[placed:]
    me = chance.randrange(len(hands))
    hands.insert(me, hands.pop(0))
    stacks = random_stacks(chance, rules, len(hands)) if len(hands) > 1 and chance.random() < 0.25 else None
    named = tuple(random_rows(chance, bytes(chance.sample(cards, 13))) for _ in range(chance.randrange(2)))
    return OpenPosition(0, me, cards, sum(1 << card for card in pack), tuple(hands), stacks, named)


def random_stacks(chance: Random, rules: Ruleset, players: int) -> KernelStacks | None:
    """Return what the hands of a deal brought; short stacks among them."""
    chips = tuple(chance.choice((0, 3, 20, 90, 400)) for _ in range(players))
    stakes = tuple(chance.choice((1, 2)) for _ in range(players * (players - 1) // 2))
    return kernel_stacks(rules, Stacks(chips, stakes=stakes), players)
