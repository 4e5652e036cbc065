"""Numbers as an English page says them."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def as_text(value: float, digits: int = 2) -> str:
    """Return a number so far rounded: a half goes away from zero, of the number as it is written (ECMA-402).

    Python takes it as it lies in binary: 0.205 is 0.21 on a page and 0.20 in a format string.
    """
    return str(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))
