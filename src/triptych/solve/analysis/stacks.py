"""The stacks of a deal in the form of the kernel's search: bounds of payments, and prizes of places."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from triptych import _kernel
from triptych.deal.view_types import Stacks
from triptych.rulesets.model import Ruleset
from triptych.scoring.settle import Due, settle
from triptych.scoring.showdown import play_each_other
from triptych.solve.errors import SolveError

MAX_CHIPS: Final = 1_000_000_000
MAX_ICM_PLAYERS: Final = 12  # players whose places are counted; with more, chips count alone
_CAPS: Final = ("none", "min_stack_at_start", "min_current")


class KernelStacks(NamedTuple):
    """The bounds and weights of a deal's payments, in the kernel's order (native/bind).

    `chips` by hand and `stakes` by pair, in chips a point; `point`: chips a point, the unit of all values; `cap`: an
    index of `_CAPS`; `bust_stops`: a player without chips collects nothing; `loss_limit`: the most chips that a
    player can lose; `prizes` by place; `elsewhere`: chips of players at other tables.
    """

    chips: Sequence[float]
    stakes: Sequence[float]
    point: float
    cap: int
    bust_stops: bool
    loss_limit: float
    prizes: Sequence[float] = ()
    elsewhere: Sequence[float] = ()


def kernel_stacks(rules: Ruleset, stacks: Stacks | None, hands: int) -> KernelStacks | None:
    """Return the bounds and weights of a deal's payments for the kernel; None where there are none.

    Raises SolveError (`stacks.count`, `value.range`). Rule: Rules §4, 6; scoring/settle.py.
    """
    rule = rules.settlement
    if stacks is None and not rule.loss_limit:
        return None
    pairs = hands * (hands - 1) // 2
    point = 1 if stacks is None else stacks.point
    chips = () if stacks is None or rule.credit else stacks.chips
    stakes = (point,) * pairs if stacks is None or not stacks.stakes else stacks.stakes
    if (chips and len(chips) != hands) or len(stakes) != pairs:
        message = f"a stack for each of {hands} hands, and a stake for each pair or none"
        raise SolveError("stacks.count", message, "$.stacks")
    prizes, elsewhere = ((), ()) if stacks is None or not chips else (stacks.prizes, stacks.elsewhere)
    _verify_numbers((point, *stakes), 1)
    _verify_numbers((*chips, *prizes, *elsewhere), 0)
    if hands + len(elsewhere) > MAX_ICM_PLAYERS or not any(prizes):
        prizes, elsewhere = (), ()
    if not (chips or rule.loss_limit) and all(stake == point for stake in stakes):
        return None
    return KernelStacks(
        chips or (math.inf,) * hands,
        stakes,
        point,
        _CAPS.index(rule.cap),
        rule.after_bust == "stop",
        rule.loss_limit * point if rule.loss_limit else math.inf,
        prizes,
        elsewhere,
    )


def limit_learner(
    learner: _kernel.Learner, stacks: KernelStacks, me: int, fantasyland_values: Sequence[float]
) -> _kernel.Learner:
    """Return a learner that values fantasylands as far as the stacks of hand `me` and its opponents reach now.

    Where they reach it is the learner itself; else one with values rounded to half a point, cached.
    """
    limited = limited_fantasyland_values(stacks, me, fantasyland_values)
    return learner if limited is None else _with_fantasyland_values(learner, limited)


def limited_fantasyland_values(
    stacks: KernelStacks, me: int, fantasyland_values: Sequence[float]
) -> tuple[float, ...] | None:
    """Return the values of fantasylands limited by the stacks, to half a point; None where nothing is limited."""
    values = list(fantasyland_values)
    limited = _kernel.limited_fantasyland_values(stacks, me, values)
    return None if limited == values else tuple(round(2 * value) / 2 for value in limited)


def payable_points(
    rules: Ruleset, stacks: KernelStacks, pairs: Sequence[float], fantasyland_values: Sequence[float]
) -> tuple[float, ...]:
    """Return the points of each hand in a finished deal: payments, and fantasylands as far as they can be paid.

    `pairs`: points that the first of each pair receives, in deal order; `fantasyland_values`: by hand the value of
    its next fantasyland, from each opponent. Places are not counted.
    """
    hands = len(stacks.chips)
    hand_pairs = list(combinations(range(hands), 2))
    dues = [Due(a, b, points * stake) for (a, b), points, stake in zip(hand_pairs, pairs, stacks.stakes, strict=True)]
    settled = settle(dues, stacks.chips, rules.settlement, point=int(stacks.point))
    after = [stack or 0 for stack in settled.stacks]
    won = [0.0] * hands
    for (a, b), moved, stake in zip(hand_pairs, settled.paid, stacks.stakes, strict=True):
        value = fantasyland_values[a] - fantasyland_values[b] if play_each_other(rules, a, b, hands - 1) else 0.0
        own, other = (a, b) if value > 0 else (b, a)
        pair_stacks = stacks._replace(chips=(after[own], after[other]), stakes=(stake,), prizes=(), elsewhere=())
        (paid,) = _kernel.limited_fantasyland_values(pair_stacks, 0, [abs(value)])
        gain = moved / stacks.point + (paid if value > 0 else -paid) * (stake / stacks.point)
        won[a] += gain
        won[b] -= gain
    return tuple(won)


def stacks_bytes(stacks: KernelStacks | None) -> bytes:
    """Return the last part of a position for the browsers' kernel (native/web/learn.cpp). Places are not counted."""
    if stacks is None:
        return struct.pack("<I", 0)
    bounds = [-1.0 if math.isinf(chips) else chips for chips in stacks.chips]
    numbers = (*bounds, *stacks.stakes, stacks.point)
    limit = -1.0 if math.isinf(stacks.loss_limit) else stacks.loss_limit
    return struct.pack(f"<I{len(numbers)}dIId", 1, *numbers, stacks.cap, stacks.bust_stops, limit)


@lru_cache(maxsize=16)
def _with_fantasyland_values(learner: _kernel.Learner, values: tuple[float, ...]) -> _kernel.Learner:
    return learner.with_fantasyland_values(values)


def _verify_numbers(numbers: Sequence[float], minimum: int) -> None:
    for number in numbers:
        if not minimum <= number <= MAX_CHIPS:
            raise SolveError("value.range", f"expected a number from {minimum} to {MAX_CHIPS}", "$.stacks")
