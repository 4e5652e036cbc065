"""Moves points between stacks: table stakes, pair by pair in position order (RULEBOOK 6; seed 002 L7, L53)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec import Struct

from triptych.errors import TriptychError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triptych.rules.model import Settlement

Amount = int | float


class SettlementError(TriptychError):
    """Dues or stacks that cannot be settled."""


class Due(Struct, frozen=True):
    """What seat `a` is to receive from seat `b` (negative: pays), after stakes and before caps."""

    a: int
    b: int
    amount: Amount


class Settled(Struct, frozen=True):
    """Stacks after the settlement, and what each due really moved to its `a`."""

    stacks: tuple[Amount | None, ...]
    moved: tuple[Amount, ...]


def settle(dues: Iterable[Due], stacks: Sequence[Amount | None], rule: Settlement) -> Settled:
    """Pay every due in the given order, which is position order, and return the new stacks.

    `stacks` by seat, in the unit of the dues; None = a seat whose stack is not kept and has no limit. The cap of two
    seats holds for all dues between them together. A payer pays what is left; a seat with nothing left neither pays
    nor, under `after_bust = stop`, collects. No stack becomes negative, and the sum of kept stacks changes only by
    what seats without one pay or receive. Raises SettlementError. Rule: RULEBOOK 6; seed 002 L7, L53.
    """
    start = [math.inf if stack is None else stack for stack in stacks]
    if any(stack < 0 for stack in start):
        raise SettlementError("settlement.stack", "a stack is zero or more")
    now = list(start)
    between: dict[tuple[int, int], Amount] = {}
    moved: list[Amount] = []
    for due in dues:
        if due.a == due.b or not (0 <= due.a < len(now) and 0 <= due.b < len(now)):
            raise SettlementError("settlement.pair", f"no pair of seats {due.a} and {due.b}")
        key = (min(due.a, due.b), max(due.a, due.b))
        payer, taker = (due.a, due.b) if due.amount < 0 else (due.b, due.a)
        # What the two have moved so far, as the payer sees it: a swing back is not limited by the cap alone.
        paid = between.get(key, 0) if payer == key[0] else -between.get(key, 0)
        amount = min(abs(due.amount), now[payer], _cap(rule, start, now, payer, taker) - paid)
        if rule.after_bust == "stop" and now[taker] == 0:
            amount = 0
        amount = max(amount, 0)
        now[payer] -= amount
        now[taker] += amount
        between[key] = between.get(key, 0) + (amount if payer == key[0] else -amount)
        moved.append(amount if taker == due.a else -amount)
    kept = tuple([None if stack is None else left for stack, left in zip(stacks, now, strict=True)])
    return Settled(kept, tuple(moved))


def _cap(rule: Settlement, start: Sequence[Amount], now: Sequence[Amount], payer: int, taker: int) -> Amount:
    """Return the most that one of two seats may pay the other in this deal."""
    if rule.cap == "min_stack_at_start":
        return min(start[payer], start[taker])
    if rule.cap == "min_current":
        return min(now[payer], now[taker])
    return math.inf
