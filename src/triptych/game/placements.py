"""Placements of a street's cards: one as a value, and all legal ones as a lazy sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple, TypeAlias, TypeVar, cast, overload

from msgspec import Struct
from msgspec.structs import force_setattr

from triptych.arguments import ArgumentError, describe_value
from triptych.board import ROWS, Board, BoardError, Layout, board_from_layout, layout_from_board, parse_board
from triptych.board_svg import board_html
from triptych.cards import CardError, card_text, parse_cards
from triptych.deal.actions import Place
from triptych.deal.view_types import Task
from triptych.game.errors import GameError
from triptych.inputs import BoardLike, cards_from_input, rows_from_input

_T = TypeVar("_T")
# Text, a Placement, a Board, three rows, or any object with `front`, `middle` and `back`.
PlacementLike: TypeAlias = object
# The cards of each row, as indices of the tuple of placed cards.
_Places: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
_MAX_LISTED: Final = 5  # cards of a street; up to so many all placements are computed once and shared


class Placement(Struct, frozen=True, gc=False):
    """The cards of one street by row, and the discards. Cards are text.

    >>> Placement(front=("Kd",), middle=("7s", "7h"), discards=("2c",))
    <Placement Kd/7s7h/ -2c>
    """

    front: tuple[str, ...] = ()
    middle: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Convert other input: a whole placement or rows as text. Raises as `of`."""
        for name in self.__struct_fields__:
            if type(getattr(self, name)) is not tuple:
                _read_rows(self)
                return

    def __str__(self) -> str:
        """Return the cards as one word, front/middle/back, the discards behind a minus: `Kd/7s7h/ -2c`."""
        rows = "/".join("".join(row) for row in (self.front, self.middle, self.back))
        return f"{rows} -{''.join(self.discards)}" if self.discards else rows

    def __repr__(self) -> str:
        return f"<Placement {self}>"

    def _repr_html_(self) -> str:
        return board_html(
            (self.front, self.middle, self.back), " ".join(self.discards) and f"discards {' '.join(self.discards)}"
        )

    @property
    def layout(self) -> Layout:
        """The cards that go into the rows."""
        return Layout(self.front, self.middle, self.back)

    @classmethod
    def of(cls, value: PlacementLike) -> Placement:
        """Return a placement from text, a Board, three rows, or a result of a solver or an analysis.

        Raises GameError, BoardError, CardError, ArgumentError.

        >>> Placement.of("Kd/7s7h/ -2c") == Placement(("Kd",), ("7s", "7h"), (), ("2c",))
        True
        """
        layout, discards = placement_from_input(value)
        return cls(layout.front, layout.middle, layout.back, discards or ())

    def action(self, hand: int) -> Place:
        """Return the action that confirms a hand's street with this placement, as bots return it."""
        return Place(hand, self.layout)

    def on(self, board: BoardLike) -> Board:
        """Return a board with these cards added. Raises BoardError, ArgumentError.

        >>> Placement(front=("Kd",), middle=("7s", "7h")).on("Ac//2c3c")
        <Board AcKd/7s7h/2c3c>
        """
        return Board(*rows_from_input(board, "$")).merged(board_from_layout(self.layout))


def _read_rows(placement: Placement) -> None:
    """Replace the fields by tuples of cards as text. Raises as `placement_from_input`."""
    front: object = placement.front
    if isinstance(front, str) and "/" in front:
        layout, discards = _parse(front, "$.front")
        rows = layout.front, layout.middle, layout.back, discards or ()
    else:
        board = Board(*rows_from_input((placement.front, placement.middle, placement.back), "$"))
        layout = layout_from_board(board)
        discard_texts = tuple(map(card_text, cards_from_input(placement.discards, "$.discards")))
        rows = layout.front, layout.middle, layout.back, discard_texts
    for name, row in zip(placement.__struct_fields__, rows, strict=True):
        force_setattr(placement, name, row)


def placement_from_input(value: PlacementLike, path: str = "$.placement") -> tuple[Layout, tuple[str, ...] | None]:
    """Return the rows of a placement and its discards, or None where it has none.

    `value`: a Placement, text such as `Kd/7s7h/ -2c`, a Board, a Layout, three rows, or any result with `front`,
    `middle` and `back`: a Setting, a PlacementValue. Raises GameError, BoardError, CardError, ArgumentError.
    """
    if isinstance(value, Placement):
        return value.layout, value.discards or None
    if isinstance(value, Layout):
        return value, None
    if isinstance(value, str):
        return _parse(value, path)
    if isinstance(value, Board):
        return layout_from_board(value), None
    if all(hasattr(value, row) for row in ROWS):
        rows = [_texts(getattr(value, row), f"{path}.{row}") for row in ROWS]
        return Layout(*rows), _texts(getattr(value, "discards", ()), f"{path}.discards") or None
    return layout_from_board(Board(*rows_from_input(cast("BoardLike", value), path))), None


def _texts(cards: object, path: str) -> tuple[str, ...]:
    if isinstance(cards, str) or not isinstance(cards, Sequence):
        raise ArgumentError("value.type", f"expected cards, not {describe_value(cards)}", path)
    return tuple([card if isinstance(card, str) else card_text(card) for card in cards])


def _parse(text: str, path: str) -> tuple[Layout, tuple[str, ...] | None]:
    rows, minus, discard_text = text.partition("-")
    try:
        layout = layout_from_board(parse_board(rows, path=path))
        return layout, tuple(map(card_text, parse_cards(discard_text))) if minus else None
    except BoardError as error:
        if error.code != "board.rows":
            raise
        message = f"write front/middle/back, such as Kd/7s7h/ -2c, not {describe_value(text)}"
        raise GameError("placement.text", message, path) from None
    except CardError as error:
        raise GameError(error.code, error.message, f"{path}.discards[{error.index}]") from None


class LegalPlacements(Sequence[Placement]):
    """All legal placements of a street, as a lazy sequence.

    `len` counts them without listing, `[n]` makes only one, so `random.choice` works even with the 171 million of a
    fantasyland of 17 cards. Cards are in the order dealt; a placement that fouls is legal.

    >>> placements = LegalPlacements(("Qc", "4s", "9h"), (2, 1, 0), 2)
    >>> placements
    <LegalPlacements 9 of Qc4s9h>
    >>> [str(placement) for placement in placements[:3]]
    ['Qc/4s/ -9h', '4s/Qc/ -9h', 'Qc4s// -9h']
    """

    def __init__(self, cards: tuple[str, ...], free: tuple[int, int, int], count: int) -> None:
        """`cards`: those of the street; `free`: slots by row; `count`: how many cards go into the rows."""
        self._cards = cards
        self._free = free
        self._count = count
        self._ways = _count_ways(count, free)

    @classmethod
    def from_task(cls, task: Task) -> LegalPlacements:
        """Return the placements for a bot's task (`task.kind == "place"`)."""
        return cls(task.cards, (task.open.front, task.open.middle, task.open.back), task.place)

    def __len__(self) -> int:
        """Return the number of placements."""
        return comb(len(self._cards), self._count) * self._ways

    @overload
    def __getitem__(self, index: int) -> Placement: ...

    @overload
    def __getitem__(self, index: slice) -> list[Placement]: ...

    def __getitem__(self, index: int | slice) -> Placement | list[Placement]:
        """Return one placement by its index, or several as a list."""
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = index if index >= 0 else index + len(self)
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} placements, none of number {index}")
        choice_number, way_number = divmod(number, self._ways)
        cards = _combination(self._cards, self._count, choice_number)
        if self._count <= _MAX_LISTED:
            return self._make(cards, _listed_ways(self._count, self._free)[way_number])
        return self._make(cards, _way(self._count, self._free, way_number))

    def __iter__(self) -> Iterator[Placement]:
        for cards in combinations(self._cards, self._count):
            for row_indices in _ways(self._count, self._free):
                yield self._make(cards, row_indices)

    def __contains__(self, value: object) -> bool:
        """Return whether a placement, in any form and with the cards of a row in any order, is legal."""
        try:
            layout, discards = placement_from_input(value)
        except ValueError:
            return False
        placed = (*layout.front, *layout.middle, *layout.back)
        if len(placed) != self._count or len({*placed}) != len(placed) or not {*placed} <= {*self._cards}:
            return False
        remaining = sorted({*self._cards} - {*placed})
        fits = all(len(getattr(layout, row)) <= free for row, free in zip(ROWS, self._free, strict=True))
        return fits and (discards is None or sorted(discards) == remaining)

    def __repr__(self) -> str:
        return f"<LegalPlacements {len(self):,} of {''.join(self._cards)}>"

    def _make(self, cards: tuple[str, ...], row_indices: _Places) -> Placement:
        front, middle, back = row_indices
        return Placement(
            tuple([cards[index] for index in front]),
            tuple([cards[index] for index in middle]),
            tuple([cards[index] for index in back]),
            tuple([card for card in self._cards if card not in cards]) if len(cards) < len(self._cards) else (),
        )


class _Split(NamedTuple):
    """The number of cards in front and middle (the others go into the back), and in how many ways."""

    front: int
    middle: int
    ways: int


@lru_cache(maxsize=1024)
def _splits(count: int, free: tuple[int, int, int]) -> tuple[_Split, ...]:
    front, middle, back = free
    return tuple(
        _Split(first, second, comb(count, first) * comb(count - first, second))
        for first in range(min(front, count) + 1)
        for second in range(min(middle, count - first) + 1)
        if count - first - second <= back
    )


@lru_cache(maxsize=1024)
def _count_ways(count: int, free: tuple[int, int, int]) -> int:
    return sum(split.ways for split in _splits(count, free))


def _ways(count: int, free: tuple[int, int, int]) -> Iterator[_Places]:
    """Yield every way to put `count` cards into free slots, in the order of `_way`."""
    indices = tuple(range(count))
    for split in _splits(count, free):
        for front in combinations(indices, split.front):
            remaining = tuple([index for index in indices if index not in front])
            for middle in combinations(remaining, split.middle):
                yield front, middle, tuple([index for index in remaining if index not in middle])


@lru_cache(maxsize=1024)
def _listed_ways(count: int, free: tuple[int, int, int]) -> tuple[_Places, ...]:
    return tuple(_ways(count, free))


def _way(count: int, free: tuple[int, int, int], number: int) -> _Places:
    """Return the way with this number, without listing those before it."""
    indices = tuple(range(count))
    for split in _splits(count, free):
        if number < split.ways:
            break
        number -= split.ways
    front_number, middle_number = divmod(number, comb(count - split.front, split.middle))
    front = _combination(indices, split.front, front_number)
    remaining = tuple([index for index in indices if index not in front])
    middle = _combination(remaining, split.middle, middle_number)
    return front, middle, tuple([index for index in remaining if index not in middle])


def _combination(items: tuple[_T, ...], size: int, number: int) -> tuple[_T, ...]:
    """Return the combination with this number in the order of `itertools.combinations`."""
    if size == len(items):
        return items
    chosen: list[_T] = []
    index = 0
    for missing in range(size, 0, -1):
        while (ways := comb(len(items) - index - 1, missing - 1)) <= number:
            number -= ways
            index += 1
        chosen.append(items[index])
        index += 1
    return tuple(chosen)
