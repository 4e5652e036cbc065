"""The events of a deal: past tense, plain data. JSON tag: `e`. Cards are text, streets count from 1.

Its wrapper (`visibility.py`) decides who may see an event; the repr of an event shows no card.
"""

from __future__ import annotations

from typing import ClassVar

from triptych.board import Layout, RowName
from triptych.deal.state import HandStart
from triptych.deal.visibility import Private, Public, Sealed
from triptych.redacted import RedactedStruct
from triptych.rulesets.model import Ruleset


class DealStarted(RedactedStruct, frozen=True, tag_field="e", tag="deal_started"):
    """A deal began under `rules`; `hands` from the button's left, the button last."""

    number: int
    rules: Ruleset
    hands: tuple[HandStart, ...]


class DeckShuffled(RedactedStruct, frozen=True, tag_field="e", tag="deck_shuffled"):
    """The whole deck, the top card first. Only ever `Sealed`."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"cards"})
    cards: tuple[str, ...]


class Dealt(RedactedStruct, frozen=True, tag_field="e", tag="dealt"):
    """A hand received the cards of a street, in this order."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"cards"})
    hand: int
    street: int
    cards: tuple[str, ...]


class DealtFaceDown(RedactedStruct, frozen=True, tag_field="e", tag="dealt_face_down"):
    """The others' part of `Dealt`: the number of cards."""

    hand: int
    street: int
    count: int


class Arranged(RedactedStruct, frozen=True, tag_field="e", tag="arranged"):
    """The player's arrangement of the street so far; replaces the previous one."""

    hand: int
    layout: Layout


class Discarded(RedactedStruct, frozen=True, tag_field="e", tag="discarded"):
    """The discards of a street, visible only to their owner."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"cards"})
    hand: int
    street: int
    cards: tuple[str, ...]


class Placed(RedactedStruct, frozen=True, tag_field="e", tag="placed"):
    """A street was confirmed; its cards can no longer move."""

    hand: int
    street: int
    layout: Layout


class PlacedFaceDown(RedactedStruct, frozen=True, tag_field="e", tag="placed_face_down"):
    """The others' part of a street confirmed face down: neither cards nor rows."""

    hand: int
    street: int


class Forfeited(RedactedStruct, frozen=True, tag_field="e", tag="went_dead"):
    """The clock ran out under `timeout.layout = foul`: the board counts as a foul."""

    hand: int


class NaturalClaimed(RedactedStruct, frozen=True, tag_field="e", tag="natural_claimed"):
    """A hand claimed its natural instead of setting its cards; shown to the others when all are set."""

    hand: int
    natural: str


class NaturalShown(RedactedStruct, frozen=True, tag_field="e", tag="natural_shown"):
    """A natural and its thirteen cards, shown before anyone may surrender. Rule: Rules §4; source 003 L41."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"cards"})
    hand: int
    natural: str
    cards: tuple[str, ...]


class Announced(RedactedStruct, frozen=True, tag_field="e", tag="announced"):
    """A closed hand is played, or surrendered."""

    hand: int
    play: bool


class Declared(RedactedStruct, frozen=True, tag_field="e", tag="declared"):
    """The rows whose royalties a hand claims."""

    hand: int
    rows: tuple[RowName, ...]


class BoardShown(RedactedStruct, frozen=True, tag_field="e", tag="board_shown"):
    """A board that lay face down was shown."""

    hand: int
    layout: Layout


class Hinted(RedactedStruct, frozen=True, tag_field="e", tag="hinted"):
    """The player of a hand asked for a hint where the table allows it; public, so the deal's record has it."""

    hand: int


class DealEnded(RedactedStruct, frozen=True, tag_field="e", tag="deal_ended"):
    """Every board is set and shown; the deal can be scored."""


Event = (
    DealStarted
    | DeckShuffled
    | Dealt
    | DealtFaceDown
    | Arranged
    | Discarded
    | Placed
    | PlacedFaceDown
    | Forfeited
    | NaturalClaimed
    | NaturalShown
    | Announced
    | Declared
    | BoardShown
    | Hinted
    | DealEnded
)
DealEvent = Public[Event] | Private[Event] | Sealed[Event]
