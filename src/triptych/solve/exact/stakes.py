"""Table stakes for a best response: payments limited by stacks exactly as in scoring/settle.py (Rules §6)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from triptych import _kernel
from triptych.cards import Card
from triptych.rulesets.model import Ruleset
from triptych.scoring.showdown import ScoredHand, score_deal
from triptych.solve.errors import SolveError

if TYPE_CHECKING:
    Boards = Sequence[tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]]

MAX_STACK: Final = 1_000_000
_CAPS: Final = ("none", "min_stack_at_start", "min_current")


class Stakes(Struct, frozen=True):
    """The stacks before the deal, in points: the own stack first, then those of the boards in their order.

    `place`: how many of the boards come before the own one in position order, the button last; pairs settle in it.
    """

    stacks: tuple[float, ...]
    place: int = 0


def verify_stakes(stakes: Stakes, boards: int) -> None:
    """Raise SolveError unless there is a stack for every seat and a place among the boards."""
    if boards == 0 or len(stakes.stacks) != boards + 1:
        message = f"the own stack and one for each of {boards} boards, not {len(stakes.stacks)} stacks"
        raise SolveError("stacks.count", message, "$.stacks")
    for index, stack in enumerate(stakes.stacks):
        if not math.isfinite(stack) or not 0 <= stack <= MAX_STACK:
            raise SolveError("value.range", f"expected a number from 0 to {MAX_STACK}", f"$.stacks[{index}]")
    if not 0 <= stakes.place <= boards:
        raise SolveError("value.range", f"expected 0 to {boards}", "$.place")


def verify_settlement(rules: Ruleset, stakes: Stakes, boards: int) -> None:
    """Raise SolveError where rules beyond stacks limit payments, or the board does not play all others."""
    settlement = rules.settlement
    if settlement.loss_limit or settlement.credit:
        rule = "a loss limit" if settlement.loss_limit else "points on the book"
        raise SolveError("stacks.rules", f"{rule} is not solved beside stacks; leave the stacks out", "$.stacks")
    if rules.scoring.pairs == "banker" and boards > 1 and stakes.place != boards:
        message = (
            f"only the bank, which pays last, plays {boards} boards; give the bank's board alone, or place {boards}"
        )
        raise SolveError("stacks.rules", message, "$.place")


def set_stakes(compiled: _kernel.Objective, rules: Ruleset, stakes: Stakes, boards: Boards) -> None:
    """Set the stacks that limit the payments of an objective's boards; the dues between those boards are scored."""
    pair_points: dict[tuple[int, int], int] = {}
    if len(boards) > 1 and rules.scoring.pairs == "all":
        score = score_deal(rules, [ScoredHand((*front, *middle, *back)) for front, middle, back in boards])
        pair_points = {(pair.a + 1, pair.b + 1): pair.points for pair in score.pairs}
    order = list(range(1, len(boards) + 1))
    order.insert(stakes.place, 0)
    dues = [(a, b, float(pair_points.get((a, b), 0))) for index, a in enumerate(order) for b in order[index + 1 :]]
    rule = rules.settlement
    compiled.set_stakes(stakes.stacks, dues, _CAPS.index(rule.cap), rule.after_bust == "stop")
