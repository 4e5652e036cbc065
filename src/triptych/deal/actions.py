"""What a player may do inside a deal: imperative, plain data. JSON tag: `do`.

`hand` is the board's number in the deal (0 = left of the button, last = the button). Cards are text ("Ah").
"""

from __future__ import annotations

from msgspec import Struct

from triptych.board import Layout, RowName


class Arrange(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="arrange"):
    """Show where the cards of this street lie so far; free to change until `Place`."""

    hand: int
    layout: Layout


class Place(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="place"):
    """Ready: confirm the street. The cards received and not in `layout` are the discards."""

    hand: int
    layout: Layout


class Announce(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="announce"):
    """Closed game: play the board (`True`) or surrender it."""

    hand: int
    play: bool


class ClaimNatural(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="natural"):
    """Closed game: take the natural that the 13 cards hold instead of setting them."""

    hand: int


class Declare(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="declare"):
    """Closed game with `royalties.declare = must`: the rows whose royalties are claimed."""

    hand: int
    rows: tuple[RowName, ...]


class Forfeit(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="forfeit"):
    """The clock's own action under `timeout.layout = foul`; no player can ask for it."""

    hand: int


Action = Arrange | Place | Announce | ClaimNatural | Declare
ClockAction = Action | Forfeit
