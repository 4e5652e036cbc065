"""Every setting of a fantasyland, scored by the scorer alone: what the solvers' answers are held against."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from triptych import _kernel
from triptych.rulesets.compile import compile_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from triptych.cards import Card
    from triptych.rulesets.model import Ruleset
    from triptych.solve.exact.setting import Rows


@lru_cache(maxsize=1)
def every_setting() -> NDArray[np.intp]:
    """Positions of the cards of all settings of 13, front first, (72072, 13)."""
    settings = []
    for front in combinations(range(13), 3):
        rest = [place for place in range(13) if place not in front]
        settings += [
            (*front, *middle, *(place for place in rest if place not in middle)) for middle in combinations(rest, 5)
        ]
    return np.array(settings)


def scored(
    rules: Ruleset, cards: Sequence[Card], boards: Sequence[Rows]
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.bool_], NDArray[np.uint8]]]:
    """Yield by choice of 13 cards: points from each board (settings, boards), what is legal, cards of the next."""
    table = compile_rules(rules)
    for choice in combinations(cards, 13):
        deals = np.empty((len(every_setting()), len(boards) + 1, 13), dtype=np.uint8)
        deals[:, 0] = np.array(choice, dtype=np.uint8)[every_setting()]
        theirs = [[card for row in rows for card in row] for rows in boards]
        deals[:, 1:] = np.array(theirs, dtype=np.uint8)
        fantasylands = np.zeros((len(deals), len(boards) + 1, 2), dtype=np.uint8)
        fantasylands[:, 0] = (len(cards), 1)
        pairs, _, legal, following = _kernel.score_batch(table, deals, fantasylands)
        yield pairs[:, : len(boards)], legal[:, 0], following[:, 0]
