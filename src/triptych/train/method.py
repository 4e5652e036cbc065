"""How a training learns: the two ways of self-play (native/include/triptych/learn/selfplay.hpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triptych import _kernel

_LAND = slice(4, 9)  # where the kernel's outcomes have the fantasylands, by cards
_FOUL = 3


class Method(Struct, frozen=True):
    """One way to learn. Points that fade out do so over the first `fades` of the training.

    `rate`: of the tables. `decay`: lambda of TD, at first and `decay_at_end`. `noise`: points by which the choice
    that is played is blurred. `draws`: how often the rest of the deal is drawn for a placement; `others`: placements
    looked at beside the chosen one, blurred by `spread` points. `eager`: how much more fantasyland counts when
    self-play chooses, at first, and `daring`: the share of a foul's cost that it minds. They only choose which boards
    are met: what is learned of a board are its real outcomes.
    """

    rate: float
    decay: float
    decay_at_end: float
    noise: float
    fades: float
    draws: int = 0
    others: int = 0
    spread: float = 0.0
    eager: float = 1.0
    daring: float = 1.0
    eager_until: float = 0.3

    def play(self, learner: _kernel.Learner, deals: int, part: float) -> None:
        """Self-play with learning, `part` of the training being done."""
        learner.play(
            deals,
            learning=True,
            rate=self.rate,
            decay=self.decay + (self.decay_at_end - self.decay) * part,
            noise=self.noise * max(0.0, 1 - part / self.fades),
            draws=self.draws,
            others=self.others,
            spread=self.spread,
        )

    def tempted(self, weights: Sequence[float], part: float) -> list[float]:
        """Return the points by which self-play chooses, `part` of the training being done."""
        left = max(0.0, 1 - part / self.eager_until)
        points = list(weights)
        points[_FOUL] *= 1 - (1 - self.daring) * left
        points[_LAND] = [value * (1 + (self.eager - 1) * left) for value in points[_LAND]]
        return points


METHODS: Final = {
    "draws": Method(
        rate=1.0,
        decay=0.4,
        decay_at_end=0.6,
        noise=0.3,
        fades=0.75,
        draws=2,
        others=3,
        spread=3.0,
        eager=2.0,
        daring=0.5,
    ),
    # As the frozen `base` was made.
    "td": Method(rate=1.0, decay=0.7, decay_at_end=0.7, noise=0.3, fades=0.75),
}
