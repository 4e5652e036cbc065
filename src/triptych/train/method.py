"""How a training learns: the two ways of self-play (native/include/triptych/learn/selfplay.hpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from triptych import _kernel

_FANTASYLAND_OUTCOMES = slice(4, 9)  # where the kernel's outcomes have the fantasylands, by cards
_FOUL_OUTCOME = 3


class TrainingMethod(Struct, frozen=True):
    """One way to learn. Points that fade out do so over the first `fades` of the training.

    `rate`: of the tables. `decay`: lambda of TD, at first and `decay_at_end`. `noise`: points by which the choice
    that is played is blurred. `draws`: how often the rest of the deal is drawn for a placement; `others`: placements
    looked at beside the chosen one, blurred by `spread` points. `eager`: how much more fantasyland counts when
    self-play chooses, at first, and `daring`: the share of a foul's cost that it minds. They only choose which boards
    are met: what is learned of a board are its real outcomes.
    """

    learning_rate: float
    lambda_start: float
    lambda_end: float
    exploration_noise: float
    noise_until: float
    resamples: int = 0
    extra_candidates: int = 0
    candidate_noise: float = 0.0
    fantasyland_bonus: float = 1.0
    foul_discount: float = 1.0
    shaping_until: float = 0.3

    def play(self, learner: _kernel.Learner, deals: int, part: float) -> None:
        """Self-play with learning, `part` of the training being done."""
        learner.play(
            deals,
            learning=True,
            rate=self.learning_rate,
            decay=self.lambda_start + (self.lambda_end - self.lambda_start) * part,
            noise=self.exploration_noise * max(0.0, 1 - part / self.noise_until),
            draws=self.resamples,
            others=self.extra_candidates,
            spread=self.candidate_noise,
        )

    def exploration_weights(self, weights: Sequence[float], part: float) -> list[float]:
        """Return the points by which self-play chooses, `part` of the training being done."""
        left = max(0.0, 1 - part / self.shaping_until)
        points = list(weights)
        points[_FOUL_OUTCOME] *= 1 - (1 - self.foul_discount) * left
        points[_FANTASYLAND_OUTCOMES] = [
            value * (1 + (self.fantasyland_bonus - 1) * left) for value in points[_FANTASYLAND_OUTCOMES]
        ]
        return points


METHODS: Final = {
    "draws": TrainingMethod(
        learning_rate=1.0,
        lambda_start=0.4,
        lambda_end=0.6,
        exploration_noise=0.3,
        noise_until=0.75,
        resamples=2,
        extra_candidates=3,
        candidate_noise=3.0,
        fantasyland_bonus=2.0,
        foul_discount=0.5,
    ),
    # As the frozen `base` was made.
    "td": TrainingMethod(
        learning_rate=1.0, lambda_start=0.7, lambda_end=0.7, exploration_noise=0.3, noise_until=0.75
    ),
}
