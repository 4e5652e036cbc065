"""Money: the exact value of points at their price, and the fewest payments that settle it.

Rule: Rules §6 (stake).
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from msgspec import Struct

from triptych.rulesets.model import Ruleset
from triptych.scoring.payments import fewest_payments
from triptych.scoring.settle import Amount


class PointPrice(Struct, frozen=True, gc=False):
    """The price of a point; `unit` is its name, such as EUR. The default, one point for a point, is no price.

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
