"""What the guide says, as it is sent. The client's types are generated from this file."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from triptych.board import Layout


class GuideLine(Struct, frozen=True):
    """One sentence: how rows are ordered, what fouls or may still foul, what brings points, or what to do next."""

    kind: Literal["order", "foul", "care", "points", "next"]
    text: str


class Guide(Struct, frozen=True):
    """What the guide says to one hand's street as its cards lie now.

    `proposal`: where it would lay the cards, None where it has nothing to lay out; who always follows it ends with a
    legal board as far as cards allow.
    """

    hand: int
    street: int
    lines: tuple[GuideLine, ...]
    proposal: Layout | None
