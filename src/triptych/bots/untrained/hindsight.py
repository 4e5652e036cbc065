"""The baselines `hindsight` and `hindsight_all`: hindsight Monte Carlo, in the time of `strong`.

Each placement is completed many times with random cards, in the best way as if they were known at once, and the one
with the best mean is played. Values of boards, the last street and fantasyland are as in `steady`.
"""

from __future__ import annotations

from collections.abc import Sequence

from triptych import _kernel
from triptych.bots.untrained.lookahead import sample_card_count, sample_seed
from triptych.bots.untrained.steady import SteadyBot
from triptych.rulesets.model import Street
from triptych.solve.analysis.decision import Decision

_EFFORT_PER_MS = 60

# Completed boards a move: more slots, and more cards for them, make each more work. All together take the time of
# `strong`, street by street, in heads-up pineapple.
_MAX_EFFORT = 48_000
_EFFORT_PER_SLOT = 3_200
_SHARE_OF_ALL = 0.7


def hindsight_bot(_: int = 0) -> SteadyBot:
    """Return the bot whose samples use one card more than there are slots, as in `steady`.

    With all cards, twelve for eight slots on the first street, it is too optimistic and clearly weaker; with fewer,
    or with all from the third street on, it is no stronger.
    """
    return SteadyBot(name="hindsight", search=_sample_some)


def hindsight_all_bot(_: int = 0) -> SteadyBot:
    """Return the bot whose samples use all cards to come: hindsight Monte Carlo as most public bots play it."""
    return SteadyBot(name="hindsight_all", search=_sample_all)


def _sample_some(
    objective: _kernel.Objective, decision: Decision, remaining_streets: Sequence[Street], foul: float, budget_ms: int
) -> tuple[int, ...]:
    return _sampled(
        objective,
        decision,
        sample_card_count(decision.slots, remaining_streets),
        foul,
        min(_effort(decision), budget_ms * _EFFORT_PER_MS),
    )


def _sample_all(
    objective: _kernel.Objective, decision: Decision, remaining_streets: Sequence[Street], foul: float, budget_ms: int
) -> tuple[int, ...]:
    effort = min(int(_SHARE_OF_ALL * _effort(decision)), budget_ms * _EFFORT_PER_MS)
    return _sampled(objective, decision, sum(street.dealt for street in remaining_streets), foul, effort)


def _effort(decision: Decision) -> int:
    return _MAX_EFFORT - _EFFORT_PER_SLOT * decision.slots


def _sampled(
    objective: _kernel.Objective, decision: Decision, card_count: int, foul: float, effort: int
) -> tuple[int, ...]:
    estimates = _kernel.sampled_placements(
        objective,
        decision.rows,
        bytes(decision.cards),
        decision.place,
        bytes(decision.unseen_cards),
        foul,
        card_count,
        effort,
        sample_seed(decision),
    )
    return estimates[0].rows
