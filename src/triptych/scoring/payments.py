"""Settle the balances of a session in the fewest payments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from triptych.errors import TriptychError

# With more open balances than this trying every subset takes too long: then few payments, not the fewest.
MAX_EXACT_PLAYERS: Final = 12


class PaymentError(TriptychError):
    """Balances that no payments can settle."""


class Payment(Struct, frozen=True):
    """One payment; the amount is above zero."""

    payer: str
    payee: str
    amount: int


def fewest_payments(balances: Mapping[str, int]) -> tuple[Payment, ...]:
    """Return the fewest payments that settle the balances (positive: is owed); exact up to `MAX_EXACT_PLAYERS`.

    A group whose balances sum to zero settles within itself with one payment less than it has players, so the fewest
    payments come from the most such groups. Never more than one payment less than there are players.
    Raises PaymentError when the balances do not sum to zero.
    """
    if sum(balances.values()) != 0:
        raise PaymentError("payments.sum", f"the balances sum to {sum(balances.values())}, not to zero")
    open_balances = [(player, amount) for player, amount in balances.items() if amount]
    if len(open_balances) > MAX_EXACT_PLAYERS:
        return _match_debts(open_balances)
    groups = _max_zero_sum_groups([amount for _, amount in open_balances])
    return tuple(payment for group in groups for payment in _match_debts([open_balances[index] for index in group]))


def _max_zero_sum_groups(amounts: Sequence[int]) -> list[list[int]]:
    """Split the indices into as many groups that sum to zero as there can be.

    `max_groups[s]`: into how many groups a set of indices s (as bits) can be cut, when its members are put in a row
    and a cut is made wherever the sum so far is zero.
    """
    size = 1 << len(amounts)
    total = [0] * size
    max_groups = [0] * size
    last = [0] * size
    for members in range(1, size):
        lowest = (members & -members).bit_length() - 1
        total[members] = total[members & (members - 1)] + amounts[lowest]
        remaining = members
        best = -1
        while remaining:
            index = (remaining & -remaining).bit_length() - 1
            remaining &= remaining - 1
            if max_groups[members ^ 1 << index] > best:
                best, last[members] = max_groups[members ^ 1 << index], index
        max_groups[members] = best + (total[members] == 0)
    groups: list[list[int]] = []
    members = size - 1
    while members:
        if total[members] == 0:
            groups.append([])
        groups[-1].append(last[members])
        members ^= 1 << last[members]
    return groups


def _match_debts(balances: Sequence[tuple[str, int]]) -> tuple[Payment, ...]:
    """Pay the largest claims from the largest debts; each payment closes at least one of the two."""
    claims = sorted(((amount, player) for player, amount in balances if amount > 0), key=lambda entry: -entry[0])
    debts = sorted(((-amount, player) for player, amount in balances if amount < 0), key=lambda entry: -entry[0])
    payments: list[Payment] = []
    while claims and debts:
        (claim, payee), (debt, payer) = claims.pop(0), debts.pop(0)
        amount = min(claim, debt)
        payments.append(Payment(payer, payee, amount))
        if claim > amount:
            claims.insert(0, (claim - amount, payee))
        if debt > amount:
            debts.insert(0, (debt - amount, payer))
    return tuple(payments)
