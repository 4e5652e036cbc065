"""The view of a deal for one viewer: the only types in which a deal leaves the server.

Cards are text; a card that the viewer may not know is `??`. A spectator's view is the default; a seat's view
adds only what that seat may know. Bots get the same view as people. Streets count from 1.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from triptych.board import Layout, RowName
from triptych.board_svg import board_html, card_html
from triptych.redacted import RedactedStruct


class Stacks(Struct, frozen=True):
    """The stacks of a deal, by hand, in chips (outside tournaments a chip is a point).

    `chips`: before the deal, empty in ledger mode, where payments have no bounds. `point`: chips that a point is
    worth; `stakes`: the same of each pair, in deal order (0-1, 0-2, …, 1-2, …), empty: `point` for all. In a
    tournament: `prizes` by place, the first one first, of the places that are still open, and `elsewhere` the chips
    of players who are still in and sit at other tables.
    """

    chips: tuple[int, ...] = ()
    point: int = 1
    stakes: tuple[int, ...] = ()
    prizes: tuple[float, ...] = ()
    elsewhere: tuple[int, ...] = ()


class RowView(RedactedStruct, frozen=True):
    """One row: its cards (pending ones included), its name as it grows, its royalty so far.

    `warning` is set for the owner when the row can no longer be legal ("middle now beats back").
    """

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"cards"})

    cards: tuple[str, ...]
    name: str = ""
    royalty: int = 0
    warning: str = ""


class BoardView(RedactedStruct, frozen=True):
    """One hand's board as the viewer may see it.

    `pending`: cards in the rows that are not confirmed yet. `draws`: cards received and not yet in a row; for a
    board that is placed face down the others see the cards set so far here too, since the rows are hidden.
    `discards`: the owner's own; `??` for others. `fantasyland`: cards of this hand's fantasyland, 0 = none.
    `natural`: the name of the claimed natural, once the viewer may know it; its cards are in `draws`.
    `laid`: the sizes of the rows, front to back, after each confirmed street; rows keep the order of placement. It is
    empty in fantasyland, and for a board that was placed face down, except for its owner.
    """

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"draws", "pending", "discards"})

    hand: int
    seat: int
    front: RowView
    middle: RowView
    back: RowView
    street: int
    acting: bool
    done: bool
    face_down: bool
    fantasyland: int
    in_row: int
    draws: tuple[str, ...]
    pending: tuple[str, ...]
    discards: tuple[str, ...]
    natural: str = ""
    laid: tuple[tuple[int, int, int], ...] = ()
    status: Literal["playing", "set", "legal", "foul", "surrendered", "natural"] = "playing"

    def __str__(self) -> str:
        """Return the cards that the viewer may know: `Kd / 7s 7h 3c / Ah Ad 2c  + Qc 4s 9h  discarded 2d`."""
        parts = [" / ".join(" ".join(row.cards) or "-" for row in (self.front, self.middle, self.back))]
        if self.draws:
            parts.append(f"+ {' '.join(self.draws)}")
        if self.discards:
            parts.append(f"discarded {' '.join(self.discards)}")
        if self.status in ("foul", "surrendered"):
            parts.append(self.status)
        return "  ".join(parts)

    def _repr_html_(self) -> str:
        return self.html(f"hand {self.hand}")

    def html(self, name: str) -> str:
        """Return the board as HTML with its name, and the cards of the street in progress below."""
        drawn = "".join(map(card_html, self.draws))
        style = "text-align:center;border-top:1px solid #8c959f;margin-top:.3em"
        below = f'<div style="{style}">{drawn}</div>' if drawn else ""
        discards = f"discarded {' '.join(self.discards)}" if self.discards else ""
        rows = (self.front.cards, self.middle.cards, self.back.cards)
        return board_html(rows, f"{name} {discards}".rstrip(), below)


class FreeSlots(Struct, frozen=True, gc=False):
    """Free slots by row at the start of the street."""

    front: int
    middle: int
    back: int


class Task(RedactedStruct, frozen=True):
    """The current task of the viewer, for one hand.

    `place`: `place` of the street's `cards` go into rows, `discard` are left over; `layout`
    is the arrangement so far. `legal`: False when confirming it would certainly foul. `natural`: the name of the
    natural held, which may be claimed instead of placing. `rows`: rows whose royalties may be declared.
    """

    redacted_fields: ClassVar[frozenset[str]] = frozenset({"cards"})

    hand: int
    kind: Literal["place", "announce", "declare"]
    street: int
    cards: tuple[str, ...]
    place: int
    discard: int
    open: FreeSlots
    layout: Layout
    legal: bool = True
    natural: str = ""
    surrender: int = 0
    rows: tuple[RowName, ...] = ()


class DealView(Struct, frozen=True, gc=False):
    """A deal in progress, or just finished, for one viewer. `streets`: how many there are outside fantasyland.

    `stacks` is only in the views of bots; a page reads them from the table.
    """

    number: int
    game: str
    phase: Literal["placing", "announcing", "declaring", "done"]
    street: int
    streets: int
    boards: tuple[BoardView, ...]
    tasks: tuple[Task, ...] = ()
    stacks: Stacks | UnsetType = UNSET

    def __str__(self) -> str:
        """Return the visible cards, one hand a line; the repr hides all cards, since it may be logged."""
        lines = [f"hand {board.hand}{'*' if board.acting else ' '} {board}" for board in self.boards]
        return "\n".join([f"deal {self.number}, {self.phase}, street {self.street} of {self.streets}", *lines])

    def _repr_html_(self) -> str:
        return "".join(board._repr_html_() for board in self.boards)
