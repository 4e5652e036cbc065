"""Convert the input of the public API to objects: cards, boards, budgets, stacks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from triptych.arguments import MAX_SEED, ArgumentError, describe_value, number, plain, whole_number
from triptych.board import ROWS, Board, BoardError, parse_board
from triptych.cards import Card, CardError, parse_cards
from triptych.deal.view_types import Stacks
from triptych.notation.history.model import History
from triptych.notation.history.read import parse_history
from triptych.solve.exact.setting import JOKERS_END, MAX_VALUE, FantasylandValue, Rows
from triptych.text_files import read_text


class HasCards(Protocol):
    """An object with cards: a Board, a Task."""

    @property
    def cards(self) -> Sequence[int | str]:
        """Its cards, as numbers or as text."""
        ...


class HasRows(Protocol):
    """An object with three rows of cards: a Board, a Placement, a Setting, the board of a view."""

    @property
    def front(self) -> object:
        """The front: cards, or an object with cards."""
        ...

    @property
    def middle(self) -> object:
        """The middle, as the front."""
        ...

    @property
    def back(self) -> object:
        """The back, as the front."""
        ...


CardsLike: TypeAlias = "str | Sequence[int | str] | HasCards"
BoardLike: TypeAlias = "str | Sequence[CardsLike] | HasRows"

MIN_ERROR, MAX_ERROR = 0.001, 1000  # points, as the commands take them
_CARDS_FORM: Final = "cards as text, such as AhKd2s, or a sequence of cards"
_MAX_BOARDS: Final = 4  # one more than there are opponents
_MAX_ITEMS: Final = 55  # cards: one more than there are


def cards_from_input(value: CardsLike, path: str) -> tuple[Card, ...]:
    """Return cards given as text, as a sequence of texts or numbers, or as an object with `cards`: a Board, a Task.

    Raises CardError, ArgumentError.
    """
    if isinstance(value, str):
        return parse_cards(value, unique=False)
    pieces = _items(getattr(value, "cards", value), _MAX_ITEMS, _CARDS_FORM, path)
    if pieces and {*map(type, pieces)} == {int} and 0 <= min(pieces) <= max(pieces) < JOKERS_END:
        return tuple(pieces)
    return tuple([_card(piece, index, path) for index, piece in enumerate(pieces)])


def rows_from_input(value: BoardLike, path: str) -> Rows:
    """Return the rows of a board given as text, as three rows, or as an object with `front`, `middle` and `back`.

    Such objects are a Board, a Layout, a Placement, the board of a view, a hand of a sheet, a result of a solver.
    Raises BoardError, ArgumentError.
    """
    if isinstance(value, str):
        value = parse_board(value, path=path)
    if isinstance(value, Board):
        return value.front, value.middle, value.back
    if all(hasattr(value, row) for row in ROWS):
        value = [getattr(value, row) or () for row in ROWS]
    rows = _items(value, len(ROWS) + 1, "a board as text, such as QhQd7c/QsQc9d8c2c/8c9cTcJc2d, or three rows", path)
    if len(rows) != len(ROWS):
        raise BoardError("board.rows", "a board has three rows: front, middle and back", path)
    front, middle, back = (_row(row, f"{path}.{name}") for row, name in zip(rows, ROWS, strict=True))
    return front, middle, back


def boards_from_input(value: Sequence[BoardLike], path: str) -> tuple[Rows, ...]:
    """Return the rows of several boards. Raises BoardError, ArgumentError."""
    if isinstance(value, str | Board):
        raise ArgumentError("value.type", "expected a list of boards; write one board as [board]", path)
    boards = _items(value, _MAX_BOARDS, "a list of boards", path)
    return tuple([rows_from_input(board, f"{path}[{index}]") for index, board in enumerate(boards)])


def max_error_from_input(value: object) -> float:
    """Return a standard error in points to stop at. Raises ArgumentError."""
    return number(value, "$.error", MIN_ERROR, MAX_ERROR)


def fantasyland_value_from_input(source: object, path: str) -> FantasylandValue:
    """Return the points of a next fantasyland, one number or one for each number of cards. Raises ArgumentError."""
    values = plain(source)
    if not isinstance(values, Mapping):
        return number(values, path, -MAX_VALUE, MAX_VALUE)
    return {
        whole_number(cards, path, -MAX_SEED, MAX_SEED): number(value, f"{path}.{cards}", -MAX_VALUE, MAX_VALUE)
        for cards, value in values.items()
    }


def stacks_from_input(value: object) -> Stacks | None:
    """Return the stacks of all hands, or None where payments have no bounds. Raises ArgumentError."""
    if value is None or isinstance(value, Stacks):
        return value
    chips = _items(value, _MAX_ITEMS, "a list of stacks, one for every hand", "$.stacks")
    return Stacks(
        tuple([whole_number(stack, f"$.stacks[{index}]", 0, MAX_VALUE) for index, stack in enumerate(chips)])
    )


def history_from_input(value: object) -> History:
    """Return a history given as an object, as its text or as the path of its file. Raises as `history_from_text`."""
    return value if isinstance(value, History) else history_from_text(value)


def history_from_text(value: object) -> History:
    """Return a deal's history from its text, or from the file at a path (a text that ends in `.toml` is one).

    Raises NotationError, ArgumentError; TriptychError `file.read` for a file that cannot be read.
    """
    is_name = isinstance(value, str) and value.endswith(".toml") and "\n" not in value
    if isinstance(value, str | os.PathLike) and (is_name or not isinstance(value, str)):
        value = read_text(Path(value), "$.history")
    if not isinstance(value, str):
        raise ArgumentError(
            "value.type", f"expected a history's text or its Path, not {describe_value(value)}", "$.history"
        )
    return parse_history(value)


def _row(value: CardsLike, path: str) -> tuple[Card, ...]:
    try:
        return cards_from_input(value, path)
    except CardError as error:
        raise BoardError(error.code, error.message, f"{path}[{error.index}]") from None


def _card(value: object, index: int, path: str) -> Card:
    if isinstance(value, str):
        try:
            (card,) = parse_cards(value)
        except CardError as error:
            raise CardError(error.code, error.message, index) from None
        except ValueError:
            raise CardError("card.unknown", f"{describe_value(value)} is not one card", index) from None
        return card
    return Card(whole_number(value, f"{path}[{index}]", 0, JOKERS_END - 1))


def _items(value: object, maximum: int, expected: str, path: str) -> list[Any]:
    """Return the items of an iterable, at most `maximum`. Raises ArgumentError."""
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray | memoryview | Mapping):
        try:
            return list(islice(value, maximum))
        except TypeError:  # an array without dimensions
            pass
    raise ArgumentError("value.type", f"expected {expected}, not {describe_value(value)}", path)
