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
        message = "mark the one hand to act with * before its front"
        raise SolveError("position.acting", message, "$.position")
    return position.acting[0]
