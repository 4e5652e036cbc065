"""The bodies of the guide. The client's types are generated from this file."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from triptych.board import Layout


class GuideLine(Struct, frozen=True):
    """A sentence about the order of rows, a foul or the risk of one (`care`), points, or what to do next."""

    kind: Literal["order", "foul", "care", "points", "next"]
    text: str


class ReachableRoyalty(Struct, frozen=True):
    """A hand that a row can still become with its cards, and its royalty in points."""

    hand: str
    points: int


class BoardReach(Struct, frozen=True):
    """The royalties that each row of your own board can still earn, the smallest first."""

    front: tuple[ReachableRoyalty, ...]
    middle: tuple[ReachableRoyalty, ...]
    back: tuple[ReachableRoyalty, ...]


class Guide(Struct, frozen=True):
    """The guide's advice for a hand's street.

    `proposal`: the placement that it recommends, None if there is nothing to place.
    """

    hand: int
    street: int
    lines: tuple[GuideLine, ...]
    proposal: Layout | None
