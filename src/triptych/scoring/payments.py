"""Who pays whom at the end of a session, in the fewest payments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from triptych.errors import TriptychError

# With more players than this who owe or are owed, trying every subset takes too long: few payments, not the fewest.
MAX_EXACT_PLAYERS: Final = 12


class PaymentError(TriptychError):
    """Balances that no payments can settle."""


class Payment(Struct, frozen=True):
    """One payment; the amount is above zero."""

    payer: str
    payee: str
    amount: int


def fewest_payments(balances: Mapping[str, int]) -> tuple[Payment, ...]:
    """Return the fewest payments that settle the balances (positive: is owed); exact up to `MOST_EXACT` players.

    A group whose balances sum to zero settles within itself with one payment less than it has players, so the fewest
    payments come from the most such groups. Never more than one payment less than there are players.
    Raises PaymentError when the balances do not sum to zero.
    """
    if sum(balances.values()) != 0:
        raise PaymentError("payments.sum", f"the balances sum to {sum(balances.values())}, not to zero")
    open_ones = [(player, amount) for player, amount in balances.items() if amount]
    if len(open_ones) > MAX_EXACT_PLAYERS:
        return _match_debts(open_ones)
    groups = _max_zero_sum_groups([amount for _, amount in open_ones])
    return tuple(payment for group in groups for payment in _match_debts([open_ones[index] for index in group]))


def _max_zero_sum_groups(amounts: Sequence[int]) -> list[list[int]]:
    """Split the indices into as many groups that sum to zero as there can be.

    `most[s]` is how many groups a set of indices s (as bits) can be cut into when its members are laid down one by
    one and a cut is made wherever the sum so far is zero.
    """
    size = 1 << len(amounts)
    total = [0] * size
    most = [0] * size
    last = [0] * size
    for members in range(1, size):
        lowest = (members & -members).bit_length() - 1
        total[members] = total[members & (members - 1)] + amounts[lowest]
        rest = members
        best = -1
        while rest:
            index = (rest & -rest).bit_length() - 1
            rest &= rest - 1
            if most[members ^ 1 << index] > best:
                best, last[members] = most[members ^ 1 << index], index
        most[members] = best + (total[members] == 0)
    groups: list[list[int]] = []
    members = size - 1
    while members:
        if total[members] == 0:
            groups.append([])
        groups[-1].append(last[members])
        members ^= 1 << last[members]
    return groups


def _match_debts(balances: Sequence[tuple[str, int]]) -> tuple[Payment, ...]:
    """Let the largest debts meet the largest claims; each payment closes at least one of the two."""
    claims = sorted(((amount, player) for player, amount in balances if amount > 0), key=lambda one: -one[0])
    debts = sorted(((-amount, player) for player, amount in balances if amount < 0), key=lambda one: -one[0])
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
