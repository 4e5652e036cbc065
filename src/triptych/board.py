"""A board: the thirteen cards of one hand in three rows, and its text form.

`QhQd7c/QsQc9d8c2c/8c9cTcJc2c` is front/middle/back; rows may be short or empty (Rules §1).
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from triptych.arguments import ArgumentError, describe_value, plain, whole_number
from triptych.board_svg import board_html
from triptych.cards import JOKERS, Card, CardError, card_text, cards_text, parse_card, parse_cards
from triptych.errors import TriptychError
from triptych.redacted import RedactedStruct

RowName = Literal["front", "middle", "back"]
ROWS: Final[tuple[RowName, RowName, RowName]] = ("front", "middle", "back")
ROW_CAPACITY: Final[dict[RowName, int]] = {"front": 3, "middle": 5, "back": 5}
ROW_SIZES: Final = tuple(ROW_CAPACITY.values())
BOARD_CARDS: Final = sum(ROW_SIZES)


class BoardError(TriptychError):
    """A text that is not a board: `board.rows`, `row.size`, `card.unknown`, `card.duplicate`."""


class Layout(RedactedStruct, frozen=True, forbid_unknown_fields=True):
    """Cards of the current street by row as text, in the order of their slots."""

    redacted_fields: ClassVar[frozenset[str]] = frozenset(ROWS)

    front: tuple[str, ...] = ()
    middle: tuple[str, ...] = ()
    back: tuple[str, ...] = ()


class Board(Struct, frozen=True, gc=False):
    """Cards by row, in the order of their slots; also used for the cards of one street.

    Its rows are cards as numbers (`triptych.cards`), which can be given as text; `str(board)` is the text that every
    function takes. Structs of the server that hold boards hide them in their own repr.

    >>> board = Board.from_text("QhQd7c/KsKc/Ac")
    >>> board, str(board)
    (<Board QhQd7c/KsKc/Ac>, 'QhQd7c/KsKc/Ac')
    >>> board == Board("QhQd7c", "KsKc", "Ac")
    True
    """

    front: tuple[Card, ...] = ()
    middle: tuple[Card, ...] = ()
    back: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        """Convert other input: a whole board or rows as text, rows as lists. Raises as `from_text`."""
        for row in (self.front, self.middle, self.back):
            if type(row) is not tuple or (row and type(row[0]) is not int):
                _read_rows(self)
                return

    @classmethod
    def from_text(cls, text: str) -> Board:
        """Read a board: front/middle/back. Raises BoardError, ArgumentError."""
        return parse_board(text)

    def __str__(self) -> str:
        return board_text(self)

    def __repr__(self) -> str:
        return f"<Board {self}>"

    def _repr_html_(self) -> str:
        return board_html([[card_text(card) for card in self.row(row)] for row in ROWS])

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards: front, middle, back."""
        return self.front + self.middle + self.back

    def row(self, name: RowName) -> tuple[Card, ...]:
        """Return one row's cards."""
        cards: tuple[Card, ...] = getattr(self, name)
        return cards

    def free_slots(self, name: RowName) -> int:
        """Return how many slots of a row are empty."""
        return ROW_CAPACITY[name] - len(self.row(name))

    def merged(self, other: Board) -> Board:
        """Return the board with another's cards appended, row by row."""
        if other is EMPTY:
            return self
        return Board(self.front + other.front, self.middle + other.middle, self.back + other.back)


EMPTY = Board()


def board_from_layout(layout: Layout) -> Board:
    """Return a layout's cards as a board. Raises CardError when a text is not a card."""
    front, middle, back = layout.front, layout.middle, layout.back
    return Board(tuple(map(parse_card, front)), tuple(map(parse_card, middle)), tuple(map(parse_card, back)))


def layout_from_board(board: Board) -> Layout:
    """Return a board's cards as text by row."""
    front, middle, back = board.front, board.middle, board.back
    return Layout(tuple(map(card_text, front)), tuple(map(card_text, middle)), tuple(map(card_text, back)))


def fill_in_order(board: Board, cards: tuple[Card, ...], order: tuple[RowName, ...]) -> Board:
    """Return the layout that fills the free slots row after row, in `order`, with `cards` in the order given.

    Cards for which no slot is free are left out.
    """
    rows: dict[str, tuple[Card, ...]] = {}
    for row in order:
        rows[row], cards = cards[: board.free_slots(row)], cards[board.free_slots(row) :]
    return Board(**rows)


def board_text(board: Board) -> str:
    """Return a board as text; `//` is the empty one."""
    return "/".join(cards_text(board.row(row)) for row in ROWS)


def parse_board(text: str, *, full: bool = False, path: str = "$") -> Board:
    """Read a board; with `full`, one of 13 cards.

    Raises BoardError: `board.rows`, `row.size`, `card.unknown`, `card.duplicate`, with the card's place.
    """
    if not isinstance(text, str):
        raise ArgumentError("value.type", f"expected a board as text, not {describe_value(text)}", path)
    parts = text.split("/")
    if len(parts) != len(ROWS):
        raise BoardError("board.rows", "write front/middle/back, such as QhQd7c/QsQc9d8c2c/8c9cTcJc2c", path)
    board = Board(*(_row(part, f"{path}.{row}") for row, part in zip(ROWS, parts, strict=True)))
    known_cards: set[Card] = set()
    for row in ROWS:
        cards = board.row(row)
        if len(cards) > ROW_CAPACITY[row] or (full and len(cards) < ROW_CAPACITY[row]):
            message = f"the {row} holds {ROW_CAPACITY[row]} cards; {len(cards)} are written"
            raise BoardError("row.size", message, f"{path}.{row}")
        for index, card in enumerate(cards):
            if card in known_cards:
                raise BoardError("card.duplicate", "this card is written twice", f"{path}.{row}[{index}]")
            known_cards.add(card)
    return board


def _read_rows(board: Board) -> None:
    """Replace the given rows of a board by cards. Raises BoardError, CardError, ArgumentError."""
    rows: tuple[object, object, object] = board.front, board.middle, board.back
    if isinstance(rows[0], str) and "/" in rows[0] and rows[1:] == ((), ()):
        parsed = parse_board(rows[0])
        rows = parsed.front, parsed.middle, parsed.back
    for name, row in zip(ROWS, rows, strict=True):
        force_setattr(board, name, _cards(row, f"$.{name}"))


def _cards(value: object, path: str) -> tuple[Card, ...]:
    if isinstance(value, str):
        return _row(value, path)
    cards = plain(value)
    if not isinstance(cards, list):
        raise ArgumentError("value.type", f"expected cards, not {describe_value(value)}", path)
    return tuple(
        [
            parse_card(card) if isinstance(card, str) else Card(whole_number(card, f"{path}[{index}]", 0, JOKERS[-1]))
            for index, card in enumerate(cards)
        ]
    )


def _row(text: str, path: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text, unique=False)
    except CardError as error:
        raise BoardError(error.code, error.message, f"{path}[{error.index}]") from None
