"""Placements of a street's cards: one as a value, and all the legal ones, each made when it is asked for."""

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
# Where cards of a street go, as places in the tuple of those that are kept.
_Places: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
_MAX_LISTED: Final = 5  # cards of a street whose placements are worked out once for all hands


class Placement(Struct, frozen=True, gc=False):
    """The cards of one street by row, and those that are left over. Cards are text.

    >>> Placement(front=("Kd",), middle=("7s", "7h"), discards=("2c",))
    <Placement Kd/7s7h/ -2c>
    """

    front: tuple[str, ...] = ()
    middle: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Read what is given in another form: a whole placement or rows as text. Raises as `of`."""
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
        """Return a placement from text, a Board, three rows, or what a solver or an analysis returns.

        Raises GameError, BoardError, CardError, ArgumentError.

        >>> Placement.of("Kd/7s7h/ -2c") == Placement(("Kd",), ("7s", "7h"), (), ("2c",))
        True
        """
        layout, discards = placement_from_input(value)
        return cls(layout.front, layout.middle, layout.back, discards or ())

    def action(self, hand: int) -> Place:
        """Return the action that confirms a hand's street so: what a bot answers."""
        return Place(hand, self.layout)

    def on(self, board: BoardLike) -> Board:
        """Return a board with these cards laid on it. Raises BoardError, ArgumentError.

        >>> Placement(front=("Kd",), middle=("7s", "7h")).on("Ac//2c3c")
        <Board AcKd/7s7h/2c3c>
        """
        return Board(*rows_from_input(board, "$")).merged(board_from_layout(self.layout))


def _read_rows(placement: Placement) -> None:
    """Put the texts of cards in the place of what was given. Raises as `placement_from_input`."""
    front: object = placement.front
    if isinstance(front, str) and "/" in front:
        layout, discards = _parse(front, "$.front")
        rows = layout.front, layout.middle, layout.back, discards or ()
    else:
        board = Board(*rows_from_input((placement.front, placement.middle, placement.back), "$"))
        layout = layout_from_board(board)
        rest = tuple(map(card_text, cards_from_input(placement.discards, "$.discards")))
        rows = layout.front, layout.middle, layout.back, rest
    for name, row in zip(placement.__struct_fields__, rows, strict=True):
        force_setattr(placement, name, row)


def placement_from_input(value: PlacementLike, path: str = "$.placement") -> tuple[Layout, tuple[str, ...] | None]:
    """Return the rows of a placement and its discards, None where it names none.

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
    rows, minus, left = text.partition("-")
    try:
        layout = layout_from_board(parse_board(rows, path=path))
        return layout, tuple(map(card_text, parse_cards(left))) if minus else None
    except BoardError as error:
        if error.code != "board.rows":
            raise
        message = f"write front/middle/back, such as Kd/7s7h/ -2c, not {describe_value(text)}"
        raise GameError("placement.text", message, path) from None
    except CardError as error:
        raise GameError(error.code, error.message, f"{path}.discards[{error.index}]") from None


class LegalPlacements(Sequence[Placement]):
    """All placements of a street that can be confirmed, as a sequence: none is made before it is asked for.

    `len` counts them at once, `[n]` makes one alone, so `random.choice` works with the 171 million of a fantasyland
    of 17 cards too. Cards lie in the order in which they came; a placement that fouls is legal.

    >>> found = LegalPlacements(("Qc", "4s", "9h"), (2, 1, 0), 2)
    >>> found
    <LegalPlacements 9 of Qc4s9h>
    >>> [str(placement) for placement in found[:3]]
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
        """Return the placements of what a bot is asked (`task.kind == "place"`)."""
        return cls(task.cards, (task.open.front, task.open.middle, task.open.back), task.place)

    def __len__(self) -> int:
        """Return how many there are."""
        return comb(len(self._cards), self._count) * self._ways

    @overload
    def __getitem__(self, index: int) -> Placement: ...

    @overload
    def __getitem__(self, index: slice) -> list[Placement]: ...

    def __getitem__(self, index: int | slice) -> Placement | list[Placement]:
        """Return one of them by its number from 0, or several as a list."""
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = index if index >= 0 else index + len(self)
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} placements, none of number {index}")
        which, way = divmod(number, self._ways)
        cards = _combination(self._cards, self._count, which)
        if self._count <= _MAX_LISTED:
            return self._make(cards, _listed_ways(self._count, self._free)[way])
        return self._make(cards, _way(self._count, self._free, way))

    def __iter__(self) -> Iterator[Placement]:
        """Yield them in order."""
        for cards in combinations(self._cards, self._count):
            for places in _ways(self._count, self._free):
                yield self._make(cards, places)

    def __contains__(self, value: object) -> bool:
        """Return whether a placement, in any form and with the cards of a row in any order, is one of them."""
        try:
            layout, discards = placement_from_input(value)
        except ValueError:
            return False
        laid = (*layout.front, *layout.middle, *layout.back)
        if len(laid) != self._count or len({*laid}) != len(laid) or not {*laid} <= {*self._cards}:
            return False
        left = sorted({*self._cards} - {*laid})
        fits = all(len(getattr(layout, row)) <= free for row, free in zip(ROWS, self._free, strict=True))
        return fits and (discards is None or sorted(discards) == left)

    def __repr__(self) -> str:
        return f"<LegalPlacements {len(self):,} of {''.join(self._cards)}>"

    def _make(self, cards: tuple[str, ...], places: _Places) -> Placement:
        front, middle, back = places
        return Placement(
            tuple([cards[at] for at in front]),
            tuple([cards[at] for at in middle]),
            tuple([cards[at] for at in back]),
            tuple([card for card in self._cards if card not in cards]) if len(cards) < len(self._cards) else (),
        )


class _Split(NamedTuple):
    """How many cards go into front and middle, the others into the back, and in how many ways that can be."""

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
    """Yield every way to lay so many cards into free slots, in the order in which `_way` counts them."""
    everything = tuple(range(count))
    for split in _splits(count, free):
        for front in combinations(everything, split.front):
            rest = tuple([place for place in everything if place not in front])
            for middle in combinations(rest, split.middle):
                yield front, middle, tuple([place for place in rest if place not in middle])


@lru_cache(maxsize=1024)
def _listed_ways(count: int, free: tuple[int, int, int]) -> tuple[_Places, ...]:
    return tuple(_ways(count, free))


def _way(count: int, free: tuple[int, int, int], number: int) -> _Places:
    """Return the way of a number, without going through those before it."""
    everything = tuple(range(count))
    for split in _splits(count, free):
        if number < split.ways:
            break
        number -= split.ways
    which, within = divmod(number, comb(count - split.front, split.middle))
    front = _combination(everything, split.front, which)
    rest = tuple([place for place in everything if place not in front])
    middle = _combination(rest, split.middle, within)
    return front, middle, tuple([place for place in rest if place not in middle])


def _combination(items: tuple[_T, ...], size: int, number: int) -> tuple[_T, ...]:
    """Return the combination of a number in the order of `itertools.combinations`."""
    if size == len(items):
        return items
    chosen: list[_T] = []
    at = 0
    for left in range(size, 0, -1):
        while (ways := comb(len(items) - at - 1, left - 1)) <= number:
            number -= ways
            at += 1
        chosen.append(items[at])
        at += 1
    return tuple(chosen)
