"""Move points between stacks, in position order: table stakes, the loss limit (Rules §4, 6; source 002 L7, L53)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Literal

from msgspec import Struct

from triptych.errors import TriptychError
from triptych.rulesets.model import Settlement

Amount = int | float
Bound = Literal["", "payer", "smaller", "taker"]


def plain_amount(amount: Amount) -> Amount:
    """Return a whole amount as an int; others without the noise of binary fractions."""
    return amount if isinstance(amount, int) else int(amount) if amount.is_integer() else round(amount, 9)


class SettlementError(TriptychError):
    """Dues or stacks that cannot be settled."""


class Due(Struct, frozen=True):
    """The amount that seat `a` receives from seat `b` (negative: pays), after stakes and before caps.

    `natural`: a payment for a natural, made before all other dues of the deal.
    """

    a: int
    b: int
    amount: Amount
    natural: bool = False


class Settled(Struct, frozen=True):
    """Stacks after the settlement, and the amount that each due really moved to its `a`.

    `capped`: by due, whether the loss limit cut it. `bounds`: by due, the table stakes that cut it: the payer's
    remaining stack, the smaller of the two stacks, or the taker's empty stack; empty where nothing did, or the dues
    of several boards were netted.
    """

    stacks: tuple[Amount | None, ...]
    paid: tuple[Amount, ...]
    capped: tuple[bool, ...]
    bounds: tuple[Bound, ...]


class _Transfer(Struct):
    """The net payment of two seats in one deal, and the indices of its dues."""

    payer: int
    taker: int
    amount: Amount
    dues: list[int]
    bound: Bound = ""


def settle(dues: Iterable[Due], stacks: Sequence[Amount | None], rule: Settlement, *, point: int = 1) -> Settled:
    """Pay every due in the given order, which is position order, naturals first; return the new stacks.

    `stacks` by seat, in the unit of the dues; None = a seat without a stack, which has no limit. Several dues of
    two seats (criss-cross) are netted first, at the place of the first of them: table stakes hold between players.
    A payer pays from the remaining stack, up to the cap; a seat with nothing left neither pays nor, under
    `after_bust = stop`, collects. Under `credit` payments have no bounds. Then the `loss_limit`, in points worth
    `point` units each: a seat that would lose more pays less, the last transfers cut first. No stack becomes
    negative without `credit`, and the sum of the stacks changes only by payments of seats without one.
    Raises SettlementError. Rule: Rules §4, 6; sources 002 L7, L53 and 003 L41.
    """
    due_list = list(dues)
    start = [math.inf if stack is None or rule.credit else stack for stack in stacks]
    if any(stack < 0 for stack in start):
        raise SettlementError("settlement.stack", "a stack is zero or more")
    transfers = _net_transfers(due_list, len(start))
    _cap_all(transfers, start, rule)
    capped = [transfer.amount for transfer in transfers]
    if rule.loss_limit:
        _apply_loss_limit(transfers, [min(stack, rule.loss_limit * point) for stack in start])
    paid: list[Amount] = [0] * len(due_list)
    is_limited = [False] * len(due_list)
    bounds: list[Bound] = [""] * len(due_list)
    change: list[Amount] = [0] * len(start)
    for transfer, before in zip(transfers, capped, strict=True):
        change[transfer.payer] -= transfer.amount
        change[transfer.taker] += transfer.amount
        for index, amount in _split_by_due(transfer, due_list):
            paid[index] = amount
            is_limited[index] = transfer.amount < before and amount != due_list[index].amount
            bounds[index] = transfer.bound if len(transfer.dues) == 1 else ""
    final_stacks = tuple(
        [None if stack is None else stack + gain for stack, gain in zip(stacks, change, strict=True)]
    )
    return Settled(final_stacks, tuple(paid), tuple(is_limited), tuple(bounds))


def _net_transfers(dues: Sequence[Due], seats: int) -> list[_Transfer]:
    """Return one transfer for every two seats that owe each other: naturals first, then by their first dues."""
    between: dict[tuple[int, int], _Transfer] = {}
    for index in sorted(range(len(dues)), key=lambda index: not dues[index].natural):
        due = dues[index]
        if due.a == due.b or not (0 <= due.a < seats and 0 <= due.b < seats):
            raise SettlementError("settlement.pair", f"no pair of seats {due.a} and {due.b}")
        low, high = min(due.a, due.b), max(due.a, due.b)
        result = between.setdefault((low, high), _Transfer(low, high, 0, []))
        result.amount += -due.amount if due.a == low else due.amount
        result.dues.append(index)
    for result in between.values():
        if result.amount < 0:
            result.payer, result.taker, result.amount = result.taker, result.payer, -result.amount
    return list(between.values())


def _cap_all(transfers: Sequence[_Transfer], start: Sequence[Amount], rule: Settlement) -> None:
    """Reduce each transfer to the payer's remaining stack and the table stakes."""
    current = list(start)
    for transfer in transfers:
        payer, taker = transfer.payer, transfer.taker
        cap = _cap(rule, start, current, payer, taker)
        if rule.after_bust == "stop" and current[taker] == 0:
            cap = 0
        amount = min(transfer.amount, current[payer], cap)
        if amount < transfer.amount:
            transfer.bound = "payer" if amount == current[payer] else "smaller" if amount else "taker"
        current[payer] -= amount
        current[taker] += amount
        transfer.amount = amount


def _cap(rule: Settlement, start: Sequence[Amount], current: Sequence[Amount], payer: int, taker: int) -> Amount:
    """Return the most that one of two seats may pay the other in this deal."""
    if rule.cap == "min_stack_at_start":
        return min(start[payer], start[taker])
    if rule.cap == "min_current":
        return min(current[payer], current[taker])
    return math.inf


def _apply_loss_limit(transfers: Sequence[_Transfer], limits: Sequence[Amount]) -> None:
    """Cut transfers so that no seat loses more than its limit; each in turn stays as large as the later ones allow.

    So the last ones are cut first. Whether the later ones can still balance a transfer is a flow problem: for every
    group of seats with the payer, its remaining limits and the payments into it must cover the payments out of it.
    """
    remaining = list(limits)
    for index, transfer in enumerate(transfers):
        later = transfers[index + 1 :]
        bound = transfer.amount
        others = [seat for seat in range(len(remaining)) if seat not in (transfer.payer, transfer.taker)]
        for count in range(len(others) + 1):
            for members in combinations(others, count):
                group = {transfer.payer, *members}
                income = sum(other.amount for other in later if other.taker in group and other.payer not in group)
                bound = min(bound, sum(remaining[seat] for seat in group) + income)
        transfer.amount = max(bound, 0)
        remaining[transfer.payer] -= transfer.amount
        remaining[transfer.taker] += transfer.amount


def _split_by_due(transfer: _Transfer, dues: Sequence[Due]) -> list[tuple[int, Amount]]:
    """Return what each due of a transfer moves to its `a`; unpaid amounts are missing from the last ones."""
    missing = -transfer.amount
    for index in transfer.dues:
        due = dues[index]
        missing += -due.amount if due.a == transfer.payer else due.amount
    result: list[tuple[int, Amount]] = []
    for index in reversed(transfer.dues):
        due = dues[index]
        sign = -1 if due.a == transfer.payer else 1  # so that the payer's payments count above 0
        amount = sign * due.amount
        unpaid = min(max(amount, 0), missing)
        missing -= unpaid
        result.append((index, sign * (amount - unpaid)))
    return result
