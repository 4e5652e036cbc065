"""What the guide says, as it is sent. The client's types are generated from this file."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from triptych.board import Layout


class GuideLine(Struct, frozen=True):
    """One sentence: how rows are ordered, what fouls or may still foul, what brings points, or what to do next."""

    kind: Literal["order", "foul", "care", "points", "next"]
    text: str


class ReachableRoyalty(Struct, frozen=True):
    """A hand that a row can still become by its own cards, and the royalty that it would bring, in points."""

    hand: str
    points: int


class BoardReach(Struct, frozen=True):
    """Royalties in reach of one's own board as its cards lie now, row by row, the cheapest first."""

    front: tuple[ReachableRoyalty, ...]
    middle: tuple[ReachableRoyalty, ...]
    back: tuple[ReachableRoyalty, ...]


class Guide(Struct, frozen=True):
    """What the guide says to one hand's street as its cards lie now.

    `proposal`: where it would lay the cards, None where it has nothing to lay out.
    """

    hand: int
    street: int
    lines: tuple[GuideLine, ...]
    proposal: Layout | None
