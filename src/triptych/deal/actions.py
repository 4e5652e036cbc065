"""The actions of a player in a deal: imperative, plain data. JSON tag: `do`.

`hand` is the board's number in the deal (0 = left of the button, last = the button). Cards are text ("Ah").
"""

from __future__ import annotations

from msgspec import Struct

from triptych.board import Layout, RowName


class Arrange(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="arrange"):
    """Arrange the cards of this street; it may change until `Place`."""

    hand: int
    layout: Layout


class Place(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="place"):
    """Confirm the street. The cards of the street that are not in `layout` are the discards."""

    hand: int
    layout: Layout


class Announce(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="announce"):
    """Closed game: play the board (`True`) or surrender it."""

    hand: int
    play: bool


class ClaimNatural(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="natural"):
    """Closed game: claim the natural of the 13 cards instead of setting them."""

    hand: int


class Declare(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="declare"):
    """Closed game with `royalties.declare = must`: the rows whose royalties are claimed."""

    hand: int
    rows: tuple[RowName, ...]


class Forfeit(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="forfeit"):
    """The action of the clock under `timeout.layout = foul`; no player can request it."""

    hand: int


Action = Arrange | Place | Announce | ClaimNatural | Declare
ClockAction = Action | Forfeit
