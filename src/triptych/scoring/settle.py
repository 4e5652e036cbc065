"""Moves points between stacks, in position order: table stakes, the loss limit (Rules §4, 6; source 002 L7, L53)."""

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
    """What seat `a` is to receive from seat `b` (negative: pays), after stakes and before caps.

    `natural`: it is paid for a natural, so before every other due of the deal.
    """

    a: int
    b: int
    amount: Amount
    natural: bool = False


class Settled(Struct, frozen=True):
    """Stacks after the settlement, and what each due really moved to its `a`.

    `limited`: by due, whether the loss limit cut it. `bounds`: by due, what table stakes cut it by: what its payer
    had left, the smaller of the two stacks, or that its taker had nothing; empty where nothing did, or the dues of
    several boards were netted.
    """

    stacks: tuple[Amount | None, ...]
    paid: tuple[Amount, ...]
    capped: tuple[bool, ...]
    bounds: tuple[Bound, ...]


class _Transfer(Struct):
    """All that two seats owe each other in one deal: the dues by index, and what the payer is to pay."""

    payer: int
    taker: int
    amount: Amount
    dues: list[int]
    bound: Bound = ""


def settle(dues: Iterable[Due], stacks: Sequence[Amount | None], rule: Settlement, *, point: int = 1) -> Settled:
    """Pay every due in the given order, which is position order, naturals first; return the new stacks.

    `stacks` by seat, in the unit of the dues; None = a seat whose stack is not kept and has no limit. Several dues of
    two seats (criss-cross) are netted first, at the place of the first of them: table stakes hold between players.
    A payer pays what is left, up to the cap; a seat with nothing left neither pays nor, under `after_bust = stop`,
    collects. Under `credit` nothing bounds a payment. Then the `loss_limit`, in points worth `point` units each: who
    would lose more pays less, the last transfers cut first. No stack becomes negative without `credit`, and the sum
    of kept stacks changes only by what seats without one pay or receive. Raises SettlementError. Rule: Rules §4, 6;
    sources 002 L7, L53 and 003 L41.
    """
    owed = list(dues)
    start = [math.inf if stack is None or rule.credit else stack for stack in stacks]
    if any(stack < 0 for stack in start):
        raise SettlementError("settlement.stack", "a stack is zero or more")
    transfers = _net_transfers(owed, len(start))
    _cap_all(transfers, start, rule)
    capped = [transfer.amount for transfer in transfers]
    if rule.loss_limit:
        _apply_loss_limit(transfers, [min(stack, rule.loss_limit * point) for stack in start])
    moved: list[Amount] = [0] * len(owed)
    limited = [False] * len(owed)
    bounds: list[Bound] = [""] * len(owed)
    change: list[Amount] = [0] * len(start)
    for transfer, before in zip(transfers, capped, strict=True):
        change[transfer.payer] -= transfer.amount
        change[transfer.taker] += transfer.amount
        for index, amount in _split_by_due(transfer, owed):
            moved[index] = amount
            limited[index] = transfer.amount < before and amount != owed[index].amount
            bounds[index] = transfer.bound if len(transfer.dues) == 1 else ""
    left = tuple([None if stack is None else stack + gain for stack, gain in zip(stacks, change, strict=True)])
    return Settled(left, tuple(moved), tuple(limited), tuple(bounds))


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
    """Reduce each transfer to what its payer has left and the table stakes allow."""
    now = list(start)
    for transfer in transfers:
        payer, taker = transfer.payer, transfer.taker
        cap = _cap(rule, start, now, payer, taker)
        if rule.after_bust == "stop" and now[taker] == 0:
            cap = 0
        amount = min(transfer.amount, now[payer], cap)
        if amount < transfer.amount:
            transfer.bound = "payer" if amount == now[payer] else "smaller" if amount else "taker"
        now[payer] -= amount
        now[taker] += amount
        transfer.amount = amount


def _cap(rule: Settlement, start: Sequence[Amount], now: Sequence[Amount], payer: int, taker: int) -> Amount:
    """Return the most that one of two seats may pay the other in this deal."""
    if rule.cap == "min_stack_at_start":
        return min(start[payer], start[taker])
    if rule.cap == "min_current":
        return min(now[payer], now[taker])
    return math.inf


def _apply_loss_limit(transfers: Sequence[_Transfer], most: Sequence[Amount]) -> None:
    """Cut transfers so that no seat loses more than `most`; each in turn stays as large as the later ones allow.

    So the last ones are cut first. Whether the later ones can still put everything right is a question of flow: in
    every group of seats, what they may lose and what the others can pay into it must cover what it pays out.
    """
    room = list(most)
    for index, transfer in enumerate(transfers):
        later = transfers[index + 1 :]
        bound = transfer.amount
        others = [seat for seat in range(len(room)) if seat not in (transfer.payer, transfer.taker)]
        for count in range(len(others) + 1):
            for some in combinations(others, count):
                group = {transfer.payer, *some}
                comes = sum(one.amount for one in later if one.taker in group and one.payer not in group)
                bound = min(bound, sum(room[seat] for seat in group) + comes)
        transfer.amount = max(bound, 0)
        room[transfer.payer] -= transfer.amount
        room[transfer.taker] += transfer.amount


def _split_by_due(transfer: _Transfer, dues: Sequence[Due]) -> list[tuple[int, Amount]]:
    """Return what each due of a transfer moves to its `a`; what could not be paid is missing from the last ones."""
    missing = -transfer.amount
    for index in transfer.dues:
        due = dues[index]
        missing += -due.amount if due.a == transfer.payer else due.amount
    result: list[tuple[int, Amount]] = []
    for index in reversed(transfer.dues):
        due = dues[index]
        sign = -1 if due.a == transfer.payer else 1  # of what the payer pays
        pays = sign * due.amount
        cut = min(max(pays, 0), missing)
        missing -= cut
        result.append((index, sign * (pays - cut)))
    return result
