"""The best placement of an open street: exact where the kernel can solve it, else sampled."""

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


def best_placement(  # noqa: PLR0913, PLR0917 - the parts of a position
    objective: _kernel.Objective,
    rows: Sequence[bytes],
    cards: bytes,
    place: int,
    unseen: bytes,
    remaining_streets: Sequence[Street],
    foul: float,
    effort: int,
    seed: int,
) -> tuple[int, ...]:
    """Return the row of each card of the street (3 = discard) that leads to the most points.

    `remaining_streets`: those after this one, at least one. `effort`: how many boards a sampled look-ahead completes.
    """
    slots = BOARD_CARDS - sum(map(len, rows)) - place
    one_by_one = all(street.dealt == 1 for street in remaining_streets)
    if slots <= _EXACT_SLOTS and (len(remaining_streets) == 1 or one_by_one):
        estimates = _kernel.exact_placements(
            objective, rows, cards, place, unseen, foul, remaining_streets[0].dealt, one_by_one
        )
    else:
        later = sample_card_count(slots, remaining_streets)
        estimates = _kernel.sampled_placements(objective, rows, cards, place, unseen, foul, later, effort, seed)
    return estimates[0].rows


def sample_card_count(slots: int, remaining_streets: Sequence[Street]) -> int:
    """Return how many of the cards to come a sample uses at once.

    All of them before the last street; earlier fewer, because street by street not all can be chosen from.
    """
    dealt = sum(street.dealt for street in remaining_streets)
    return dealt if len(remaining_streets) == 1 else min(dealt, slots + 1)


def sample_seed(decision: Decision) -> int:
    """Return the seed of a decision's samples, computed from what the hand sees, so that results repeat."""
    return crc32(bytes(decision.cards) + bytes(decision.unseen_cards))
