"""The hand to act in a position."""

from __future__ import annotations

from triptych.notation.position import Position
from triptych.solve.errors import SolveError


def hand_to_act(position: Position, hand: int | None) -> int:
    """Return the hand to act: `hand` if given, else the one with a star. Raises SolveError."""
    if hand is not None:
        if not 0 <= hand < len(position.hands):
            raise SolveError("position.acting", f"there is no hand {hand}", "$.hand")
        return hand
    if len(position.acting) != 1:
        raise SolveError("position.acting", "mark the one hand to act with * before its front", "$.position")
    return position.acting[0]
