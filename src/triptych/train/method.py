"""The two training methods of self-play (native/include/triptych/learn/self_play.hpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from triptych import _kernel

_FANTASYLAND_OUTCOMES = slice(4, 9)  # where the kernel's outcomes have the fantasylands, by cards
_FOUL_OUTCOME = 3


class TrainingMethod(Struct, frozen=True):
    """The parameters of a training method.

    `lambda_start`, `lambda_end`: lambda of TD. `exploration_noise`: noise in points on the choice that is played,
    which fades out until the fraction `noise_until` of the training. `resamples`: how often the rest of the deal is
    drawn for a placement. `extra_candidates`: placements that are learned besides the chosen one, picked with the
    noise `candidate_noise` in points. `fantasyland_bonus`, `foul_discount`: factors on the value of fantasyland and
    the cost of a foul in self-play's choices, which fade out until `shaping_until`. They change which boards occur,
    not what is learned: a board's real outcomes.
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

    def play(self, learner: _kernel.Learner, deals: int, progress: float) -> None:
        """Play and learn `deals` deals when the fraction `progress` of the training is done."""
        learner.play(
            deals,
            learning=True,
            rate=self.learning_rate,
            decay=self.lambda_start + (self.lambda_end - self.lambda_start) * progress,
            noise=self.exploration_noise * max(0.0, 1 - progress / self.noise_until),
            draws=self.resamples,
            others=self.extra_candidates,
            spread=self.candidate_noise,
        )

    def exploration_weights(self, weights: Sequence[float], progress: float) -> list[float]:
        """Return the outcomes' points for self-play's choices; `progress` is the finished fraction of training."""
        shaping = max(0.0, 1 - progress / self.shaping_until)
        points = list(weights)
        points[_FOUL_OUTCOME] *= 1 - (1 - self.foul_discount) * shaping
        points[_FANTASYLAND_OUTCOMES] = [
            value * (1 + (self.fantasyland_bonus - 1) * shaping) for value in points[_FANTASYLAND_OUTCOMES]
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
    # The method of the frozen level `base`.
    "td": TrainingMethod(
        learning_rate=1.0, lambda_start=0.7, lambda_end=0.7, exploration_noise=0.3, noise_until=0.75
    ),
}
