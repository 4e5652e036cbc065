"""What stacks are worth in a tournament that pays places: Malmuth-Harville, the independent chip model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from triptych import _kernel
from triptych.solve.errors import SolveError

MAX_PLAYERS: Final = 12
MAX_CHIPS: Final = 1_000_000_000


def icm_value(
    chips: Sequence[float], prizes: Sequence[float], before: Sequence[float] | None = None
) -> tuple[float, ...]:
    """Return what each player may expect of the prizes by place, the first place first; exact under the model.

    The chance of the first place goes by the chips, that of the next by the chips of those who are left, and so on
    (Harville 1973; Malmuth 1987). Who has no chips is out, placed behind all who have some by the chips `before` the
    deal (default: those now); who had equal chips share what their places bring (Rules §6, tournament).
    Raises SolveError (`stacks.count`, `value.range`).
    """
    began = chips if before is None else before
    if not 1 <= len(chips) <= MAX_PLAYERS or len(began) != len(chips):
        message = f"1 to {MAX_PLAYERS} players' chips, and as many from before"
        raise SolveError("stacks.count", message, "$.stacks")
    for number in (*chips, *began, *prizes):
        if not 0 <= number <= MAX_CHIPS:
            raise SolveError("value.range", f"expected a number from 0 to {MAX_CHIPS}", "$.stacks")
    return tuple(_kernel.place_worth(list(chips), list(began), list(prizes)))
