"""A chart of the rules: an example of each hand, and its royalties by row. Cards are text."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from triptych.cards import RANKS
from triptych.i18n.messages import Message
from triptych.rulesets.describe.fantasyland import describe_condition
from triptych.rulesets.model import FiveRoyalties, Ruleset, is_closed


class ExampleHand(Struct, frozen=True):
    """The name of a hand, and an example of its cards."""

    name: str
    cards: tuple[str, ...]


class FiveCardRoyalty(Struct, frozen=True):
    """A five-card hand and its royalties in points; 0 for none, None if the middle is a low."""

    hand: ExampleHand
    middle: int | None
    back: int


class Royalty(Struct, frozen=True):
    """A hand of one row and its royalty in points."""

    hand: ExampleHand
    points: int


class EntryDescription(Struct, frozen=True):
    """A condition for fantasyland in words, and the fantasyland's cards."""

    words: str
    cards: int


class Chart(Struct, frozen=True):
    """Hands from the best down.

    `ranking`: all hands of five cards. `fives`, `lows` (in the middle) and `front`: those with royalties.
    `fantasyland`: the conditions of entry.
    """

    ranking: tuple[ExampleHand, ...]
    fives: tuple[FiveCardRoyalty, ...]
    lows: tuple[Royalty, ...]
    front: tuple[Royalty, ...]
    fantasyland: tuple[EntryDescription, ...]


FIVE_CARD_HANDS: Final = {
    "five_of_a_kind": (Message("hand_kind.five_of_a_kind"), "AsAhAdAcX1"),
    "royal_flush": (Message("hand_kind.royal_flush"), "AsKsQsJsTs"),
    "straight_flush": (Message("hand_kind.straight_flush"), "9h8h7h6h5h"),
    "quads": (Message("hand_kind.quads"), "QsQhQdQc7d"),
    "full_house": (Message("hand_kind.full_house"), "KdKhKc4s4d"),
    "flush": (Message("hand_kind.flush"), "AdJd9d6d2d"),
    "straight": (Message("hand_kind.straight"), "9c8d7s6h5c"),
    "trips": (Message("hand_kind.trips"), "8h8d8cKs3d"),
}
UNPAID_HANDS: Final = {
    "two_pair": (Message("hand_kind.two_pair"), "JdJc5h5sAc"),
    "pair": (Message("hand_kind.pair"), "TdTcAh7s4c"),
    "high_card": (Message("hand_kind.high_card"), "AcQd9h6s3c"),
}
LOW_HANDS: Final = {
    "best": (Message("hand_kind.low_best"), "7c5d4h3s2d"),
    "seven": (Message("hand_kind.low_seven"), "7c6d4h3s2d"),
    "eight": (Message("hand_kind.low_eight"), "8c6d4h3s2d"),
    "nine": (Message("hand_kind.low_nine"), "9c7d5h4s2d"),
}


def chart(rules: Ruleset) -> Chart:
    """Return the chart of a ruleset."""
    table = rules.royalties.table
    low = rules.rows.middle == "deuce_to_seven"
    fives = _five_card_hands(rules)
    royalties = (
        FiveCardRoyalty(
            _example_hand(*FIVE_CARD_HANDS[kind]),
            None if low else five_card_royalty(table.middle, kind),
            five_card_royalty(table.back, kind),
        )
        for kind in fives
    )
    return Chart(
        ranking=tuple(
            _example_hand(*hand) for hand in (*(FIVE_CARD_HANDS[kind] for kind in fives), *UNPAID_HANDS.values())
        ),
        fives=tuple(five for five in royalties if five.middle or five.back),
        lows=tuple(
            Royalty(_example_hand(*hand), points)
            for kind, hand in LOW_HANDS.items()
            if low and (points := getattr(table.low, kind))
        ),
        front=(*_front(table.front.trips, 3), *_front(table.front.pair, 2)),
        fantasyland=()
        if is_closed(rules)
        else tuple(EntryDescription(describe_condition(entry), entry.cards) for entry in rules.fantasyland.entry),
    )


def _five_card_hands(rules: Ruleset) -> list[str]:
    """Return the five-card hands of these rules from three of a kind up, the best first."""
    return [
        kind
        for kind in FIVE_CARD_HANDS
        if kind != "five_of_a_kind" or (rules.deal.jokers and rules.rows.five_of_a_kind)
    ]


def five_card_royalty(row: FiveRoyalties, kind: str) -> int:
    """Return the royalty of a five-card hand in a row, by its key in `FIVE_CARD_HANDS`."""
    price: int | str = getattr(row, kind)
    return row.royal_flush if isinstance(price, str) else price


def _example_hand(name: str, cards: str) -> ExampleHand:
    return ExampleHand(name, tuple(cards[i : i + 2] for i in range(0, len(cards), 2)))


def _front(points: tuple[int, ...], count: int) -> list[Royalty]:
    """Return the pairs or trips of the front that have royalties, the best first."""
    royalties = [(rank, price) for rank, price in zip(RANKS, points, strict=True) if price]
    return [
        Royalty(ExampleHand(rank * count, tuple(rank + suit for suit in "shd"[:count])), price)
        for rank, price in royalties[::-1]
    ]
