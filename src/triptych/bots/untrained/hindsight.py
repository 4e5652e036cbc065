"""The yardsticks `hindsight` and `hindsight_all`: hindsight Monte Carlo, in the time of `strong`.

Each placement is finished many times with cards drawn at random, in the best way as if they had been known at once,
and the best mean is played. What a board is worth, the last street and fantasyland are as in `steady`. Nothing is
learned.
"""

from __future__ import annotations

from collections.abc import Sequence

from triptych import _kernel
from triptych.bots.untrained.lookahead import cards_shown, sample_seed
from triptych.bots.untrained.steady import SteadyBot
from triptych.rulesets.model import Street
from triptych.solve.analysis.decision import Decision

_EFFORT_PER_MS = 60

# Finished boards a move: the more slots, and the more cards for them, the more work is one. Together they take what
# `strong` takes, street by street, in heads-up pineapple.
_MAX_EFFORT = 48_000
_EFFORT_PER_SLOT = 3_200
_SHARE_OF_ALL = 0.7


def hindsight_bot(_: int = 0) -> SteadyBot:
    """Return the bot that lets each sample use one card more than there are slots, by the rule of `steady`.

    With all of them, twelve for eight slots on the first street, it waits for miracles and loses clearly to this one;
    with fewer, or with all from the third street on, it plays no better.
    """
    return SteadyBot(name="hindsight", look=_sample_some)


def hindsight_all_bot(_: int = 0) -> SteadyBot:
    """Return the bot whose samples use all cards to come: hindsight Monte Carlo as most public bots play it."""
    return SteadyBot(name="hindsight_all", look=_sample_all)


def _sample_some(
    aim: _kernel.Goal, here: Decision, left: Sequence[Street], foul: float, budget_ms: int
) -> tuple[int, ...]:
    return _sampled(aim, here, cards_shown(here.slots, left), foul, min(_effort(here), budget_ms * _EFFORT_PER_MS))


def _sample_all(
    aim: _kernel.Goal, here: Decision, left: Sequence[Street], foul: float, budget_ms: int
) -> tuple[int, ...]:
    effort = min(int(_SHARE_OF_ALL * _effort(here)), budget_ms * _EFFORT_PER_MS)
    return _sampled(aim, here, sum(street.dealt for street in left), foul, effort)


def _effort(here: Decision) -> int:
    return _MAX_EFFORT - _EFFORT_PER_SLOT * here.slots


def _sampled(aim: _kernel.Goal, here: Decision, shown: int, foul: float, effort: int) -> tuple[int, ...]:
    estimates = _kernel.sampled_placements(
        aim,
        here.rows,
        bytes(here.cards),
        here.place,
        bytes(here.unseen_cards),
        foul,
        shown,
        effort,
        sample_seed(here),
    )
    return estimates[0].rows
