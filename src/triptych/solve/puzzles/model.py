"""A puzzle as a line of JSON: a position in which one placement is clearly best, and facts about it.

A file of puzzles is a collection; `docs/reference/files.md` describes each key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import permutations
from typing import Any, Final

import msgspec
from msgspec import Struct

from triptych.board import ROWS, Layout
from triptych.errors import TriptychError
from triptych.json_input import JsonInputError, decode_as
from triptych.notation.position import Position, parse_position
from triptych.solve.analysis.analyse import PlacementValue
from triptych.solve.value.weights import installed_files

SUFFIX: Final = ".puzzles.jsonl"
_DIGITS: Final = 2  # of points; their errors are larger than the rounding
_SUITS: Final = "cdhs"
_ID_LENGTH: Final = 12  # characters of a name


class PuzzleError(TriptychError):
    """A line that is not a puzzle (`puzzle.line`), or a collection of other rules (`puzzle.rules`)."""


class Choice(Struct, frozen=True, array_like=True):
    """A placement, as `Analysis` shows it: `Qc/9h/ -4s`, points, standard error, the parts of the points, chances."""

    text: str
    value: float
    error: float
    rows: float
    royalties: float
    fouls: float
    fantasyland: float
    foul: float
    enters: float

    @classmethod
    def from_value(cls, placement: PlacementValue) -> Choice:
        """Return a measured placement, rounded."""
        numbers = (
            placement.value,
            placement.error,
            placement.rows,
            placement.royalties,
            placement.fouls,
            placement.fantasyland,
            placement.foul,
            placement.enters,
        )
        return cls(placement.text, *(round(number, _DIGITS) for number in numbers))

    @property
    def layout(self) -> Layout:
        """The placed cards by row."""
        return Layout(*(_cards(row) for row in self.text.partition(" ")[0].split("/")))


class Puzzle(Struct, frozen=True, omit_defaults=True):
    """One puzzle. `choices`: the best first, then by points; other placements were measured as worse.

    `lead`: points by which the best is ahead of every other, `error` its standard error. `tempting`: the number of
    the choice that the level `fast` takes. `missed`: by level the share of attempts that missed the best;
    `rating` follows from these. `deal`: the seed and the number of the deal that it is from. `engine`: the version of
    the engine that measured it; empty where unknown.
    """

    id: str
    rules: dict[str, Any]
    position: str
    street: int
    choices: tuple[Choice, ...]
    tempting: int
    lead: float
    error: float
    missed: dict[str, float]
    rating: int
    themes: tuple[str, ...]
    deal: tuple[int, int]
    engine: str = ""

    @property
    def best(self) -> Choice:
        """The best placement."""
        return self.choices[0]


def puzzle_id(rules: dict[str, Any], position: Position) -> str:
    """Return an id that equal positions share, whatever the order of cards within a row and the names of suits."""
    acting = position.acting
    shapes = []
    for suits in permutations(_SUITS):
        renamed = str.maketrans(_SUITS, "".join(suits))
        hands = [
            [sorted(card[0] + card[1:].translate(renamed) for card in getattr(hand, key)) for key in _HAND_PARTS]
            for hand in position.hands
        ]
        shapes.append(repr(hands))
    text = repr((sorted(rules.items()), acting, min(shapes)))
    return hashlib.sha256(text.encode()).hexdigest()[:_ID_LENGTH]


_HAND_PARTS: Final = (*ROWS, "drawn", "discards")
_DECODER: Final = msgspec.json.Decoder(Puzzle)


def puzzle_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of a file, without its end."""
    return msgspec.json.encode(puzzle).decode()


def read_puzzles(lines: Iterable[str], spec: dict[str, Any]) -> Iterator[Puzzle]:
    """Yield the puzzles of a collection. Raises PuzzleError for a line that is not a puzzle or has other rules."""
    for number, line in enumerate(lines, 1):
        path = f"$[{number}]"
        try:
            puzzle = decode_as(line, _DECODER)
            parse_position(puzzle.position)
        except JsonInputError as error:
            raise PuzzleError("puzzle.line", f"line {number} is not a puzzle: {error.message}", path) from None
        except TriptychError as error:
            raise PuzzleError("puzzle.line", f"line {number}: {error.message}", f"{path}.position") from None
        if puzzle.rules != spec:
            message = f"line {number} is a puzzle of other rules: {msgspec.json.encode(puzzle.rules).decode()}"
            raise PuzzleError("puzzle.rules", message, f"{path}.rules")
        yield puzzle


def _cards(row: str) -> tuple[str, ...]:
    return tuple(row[start : start + 2] for start in range(0, len(row), 2))


class Collection(Struct, frozen=True):
    """One file: the rules and number of its puzzles, and its content."""

    spec: dict[str, Any]
    count: int
    content: bytes


class _Head(Struct):
    rules: dict[str, Any]


@lru_cache(maxsize=1)
def collections() -> tuple[Collection, ...]:
    """Return the installed collections in the order of their names; read once a process."""
    files = sorted((file for file in installed_files() if file.name.endswith(SUFFIX)), key=lambda file: file.name)
    contents = (file.read_bytes() for file in files)
    return tuple(
        Collection(msgspec.json.decode(content.partition(b"\n")[0], type=_Head).rules, content.count(b"\n"), content)
        for content in contents
        if content
    )
