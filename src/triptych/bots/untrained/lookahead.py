"""Which placement of an open street is best: exact when the kernel can, sampled before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from triptych import _kernel
from triptych.board import BOARD_CARDS
from triptych.rulesets.model import Street

if TYPE_CHECKING:
    from triptych.solve.analysis.decision import Decision

_EXACT_SLOTS = 2


def best_placement(  # noqa: PLR0913, PLR0917 - a position has so many parts
    aim: _kernel.Goal,
    rows: Sequence[bytes],
    cards: bytes,
    place: int,
    unseen: bytes,
    left: Sequence[Street],
    foul: float,
    effort: int,
    seed: int,
) -> tuple[int, ...]:
    """Return the row of each card of the street (3 = discard) that leads to the most points.

    `left`: the streets after this one, at least one. `effort`: how many boards a sampled look-ahead finishes.
    """
    slots = BOARD_CARDS - sum(map(len, rows)) - place
    one_by_one = all(street.dealt == 1 for street in left)
    if slots <= _EXACT_SLOTS and (len(left) == 1 or one_by_one):
        estimates = _kernel.exact_placements(aim, rows, cards, place, unseen, foul, left[0].dealt, one_by_one)
    else:
        later = cards_shown(slots, left)
        estimates = _kernel.sampled_placements(aim, rows, cards, place, unseen, foul, later, effort, seed)
    return estimates[0].rows


def cards_shown(slots: int, left: Sequence[Street]) -> int:
    """Return how many of the cards to come a sample uses at once.

    All of them before the last street; earlier fewer, because play street by street cannot pick from all.
    """
    dealt = sum(street.dealt for street in left)
    return dealt if len(left) == 1 else min(dealt, slots + 1)


def sample_seed(here: Decision) -> int:
    """Return the seed of a decision's samples: the answer follows from what the hand sees, and can be repeated."""
    return crc32(bytes(here.cards) + bytes(here.unseen_cards))
