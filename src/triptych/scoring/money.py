"""Money: the exact value of points at their price, and the fewest payments that settle it.

Rule: Rules §6 (stake).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from msgspec import Struct

from triptych.errors import TriptychError
from triptych.rulesets.model import Ruleset
from triptych.scoring.settle import Amount


class PointPrice(Struct, frozen=True, gc=False):
    """The price of a point; `unit` is its name, such as EUR. The default, one point for a point, is not a price.

    A whole number is an int as in browsers, so that a view has the same text on both sides.
    """

    point: int | float = 1
    unit: str = "point"

    @classmethod
    def from_rules(cls, rules: Ruleset) -> PointPrice:
        """Return the price of a point under some rules."""
        point = rules.stake.point
        return cls(int(point) if point.is_integer() else point, rules.stake.unit)

    @property
    def is_plain(self) -> bool:
        """Return whether points are only points."""
        return self == PointPrice()

    def money(self, points: Amount) -> Decimal:
        """Return the value of points, exact by the shortest texts of both numbers: a price of 0.1 is a tenth."""
        return Decimal(repr(points)) * Decimal(repr(self.point))


class MoneyPayment(Struct, frozen=True):
    """One payment at the end of the session."""

    payer: str
    payee: str
    money: float


def money_payments(balances: Mapping[str, Decimal]) -> tuple[MoneyPayment, ...]:
    """Return the fewest payments that settle the balances, in the smallest part of the unit that occurs."""
    places = max((-int(amount.as_tuple().exponent) for amount in balances.values()), default=0)
    parts = Decimal(10) ** max(places, 0)
    result = fewest_payments({player: int(amount * parts) for player, amount in balances.items()})
    return tuple(MoneyPayment(payment.payer, payment.payee, float(payment.amount / parts)) for payment in result)


def plain_text(amount: Decimal) -> str:
    """Return an amount as digits, without an exponent or trailing zeros: 19.75."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


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
