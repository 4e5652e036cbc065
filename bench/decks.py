"""Decks played one by one, over processes: the same figures however many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from triptych.parallel import Parallelism, Pool

if TYPE_CHECKING:
    from collections.abc import Callable

Options = TypeVar("Options")
Result = TypeVar("Result")
BLOCK: Final = 5  # decks at once


def each_deck(play: Callable[[Options, int], Result], options: Options, decks: int, jobs: int) -> list[Result]:
    """Return what `play` makes of each deck by its number, in order; `play` is a function of a module."""
    blocks = ((play, options, first, min(BLOCK, decks - first)) for first in range(0, decks, BLOCK))
    with Pool(Parallelism(jobs)) as pool:
        return [deck for block in pool.map(_block, blocks) for deck in block]


def _block(play: Callable[[Options, int], Result], options: Options, first: int, count: int) -> list[Result]:
    return [play(options, number) for number in range(first, first + count)]
