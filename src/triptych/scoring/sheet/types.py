"""The score sheet: every number of a scored deal with its reason.

Hands are numbered in deal order, 0 = left of the button, the last one the button. Points are before stakes and
caps unless a field says otherwise. `why` is one plain sentence. Stored texts become messages again.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from triptych.board_svg import board_html, table_html
from triptych.i18n.stored import restore_text
from triptych.scoring.money import PointPrice
from triptych.scoring.settle import Amount


class Cell(Struct, frozen=True, gc=False):
    """One number of the sheet and its reason."""

    points: int
    why: str

    def __post_init__(self) -> None:
        force_setattr(self, "why", restore_text(self.why))


class SheetTransfer(Struct, frozen=True, gc=False):
    """The amount that changed hands and its reason; a whole number where stakes and stacks are."""

    points: Amount
    why: str

    def __post_init__(self) -> None:
        force_setattr(self, "why", restore_text(self.why))


class SheetRow(Struct, frozen=True, gc=False):
    """One row of a board as it was scored; `cards` as text."""

    cards: tuple[str, ...]
    name: str
    royalty: int

    def __post_init__(self) -> None:
        force_setattr(self, "name", restore_text(self.name))


class SheetHand(Struct, frozen=True, gc=False):
    """One board: its rows, its points over all pairs, and the fantasyland it brings (cards, 0 = none)."""

    hand: int
    seat: int
    player: str
    status: Literal["legal", "foul", "surrendered", "natural"]
    front: SheetRow | None
    middle: SheetRow | None
    back: SheetRow | None
    natural: str
    royalties: int
    points: int
    fantasyland: int
    fantasyland_why: str

    def __post_init__(self) -> None:
        force_setattr(self, "natural", restore_text(self.natural))
        force_setattr(self, "fantasyland_why", restore_text(self.fantasyland_why))


class SheetPair(Struct, frozen=True, gc=False):
    """One pair: what `a` receives from `b` (negative: pays).

    `won`: +1, 0, -1 for front, middle, back as `a` sees them, also where rows have no points of their own (a match);
    `points` is the sum of the cells; `moved` is what changed hands after stake and caps (equal to `points`
    without them).
    """

    a: int
    b: int
    front: Cell
    middle: Cell
    back: Cell
    scoop: Cell
    royalties: Cell
    other: Cell
    points: int
    stake: Amount
    moved: SheetTransfer
    won: tuple[int, int, int] = (0, 0, 0)


class SheetStack(Struct, frozen=True, gc=False, omit_defaults=True):
    """A seat's stack before and after the deal, in points.

    `prize`: what the match that ended with the deal paid besides `change`, negative for the player who paid it.
    """

    seat: int
    player: str
    before: Amount
    change: Amount
    after: Amount
    prize: int = 0


class ScoreSheet(Struct, frozen=True, gc=False, omit_defaults=True):
    """A deal's whole sheet, in position order; `stacks` is empty until the table has settled it.

    `price`: what a point of this deal was worth, None where points are only points.
    """

    deal: int
    hands: tuple[SheetHand, ...]
    pairs: tuple[SheetPair, ...]
    stacks: tuple[SheetStack, ...]
    price: PointPrice | None = None

    def _repr_html_(self) -> str:
        boards = "".join(
            board_html(
                [row.cards if row else () for row in (hand.front, hand.middle, hand.back)],
                f"{hand.player} {hand.points:+d}",
            )
            for hand in self.hands
        )
        reasons = [
            (f"{self.hands[pair.a].player} – {self.hands[pair.b].player}", f"{cell.points:+d}", cell.why)
            for pair in self.pairs
            for cell in (pair.front, pair.middle, pair.back, pair.scoop, pair.royalties, pair.other)
            if cell.points
        ]
        return boards + table_html(("pair", "points", "why"), reasons)
