"""The value of stacks in a tournament that pays places: the independent chip model (Malmuth-Harville)."""

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
    """Return each player's expected prize, `prizes` from the first place on; exact under the model.

    The chance of the first place is proportional to the chips, that of the next to the chips of the remaining
    players, and so on (Harville 1973; Malmuth 1987). Players without chips are out, placed behind all others by the
    chips `before` the deal (default: those now); with equal chips they share their prizes (Rules §6, tournament).
    Raises SolveError (`stacks.count`, `value.range`).
    """
    before_chips = chips if before is None else before
    if not 1 <= len(chips) <= MAX_PLAYERS or len(before_chips) != len(chips):
        raise SolveError("stacks.count", f"1 to {MAX_PLAYERS} players' chips, and as many from before", "$.stacks")
    for number in (*chips, *before_chips, *prizes):
        if not 0 <= number <= MAX_CHIPS:
            raise SolveError("value.range", f"expected a number from 0 to {MAX_CHIPS}", "$.stacks")
    return tuple(_kernel.icm_values(list(chips), list(before_chips), list(prizes)))
