"""Means with intervals: for a number of deals fixed in advance, and for looks at any time."""

from __future__ import annotations

from math import hypot, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONFIDENCE: Final = 0.95

IntervalKind = Literal["fixed", "any_time"]


class Estimate(Struct, frozen=True, forbid_unknown_fields=True):
    """A mean over `n` units with its 95 % interval `mean` ± `half`; `sd` is of one unit."""

    mean: float
    half: float
    sd: float
    n: int

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.mean - self.half

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.mean + self.half


def estimate(values: NDArray[np.float64], kind: IntervalKind = "fixed", planned: int = 1) -> Estimate:
    """Return the mean of independent values with its interval; below two values the half-width is -1 for infinity.

    `fixed`: Student's t, valid when the number of values was fixed in advance. `any_time`: see `any_time_half`.
    """
    n = len(values)
    if n == 0:
        return Estimate(0.0, -1.0, 0.0, 0)
    mean = float(values.mean())
    if n == 1:
        return Estimate(mean, -1.0, 0.0, 1)
    sd = float(values.std(ddof=1))
    half = t_quantile(n - 1) * sd / sqrt(n) if kind == "fixed" else any_time_half(sd, n, planned)
    return Estimate(mean, half, sd, n)


def widen(estimate: Estimate, error: float) -> Estimate:
    """Return an estimate with a wider interval: an independent standard error is added in quadrature."""
    half = (
        hypot(estimate.half, NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error)
        if estimate.half >= 0
        else estimate.half
    )
    return replace(estimate, half=half)


def t_quantile(freedom: int) -> float:
    """Return the 97.5 % point of Student's t: from tables up to 5 degrees, then the Cornish-Fisher series."""
    exact = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706}
    if freedom in exact:
        return exact[freedom]
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def any_time_half(sd: float, n: int, planned: int) -> float:
    """Return the half-width of an interval that is valid at all n simultaneously, so one may stop at any look.

    The mixture boundary of a confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas: Time-uniform
    central limit theory and asymptotic confidence sequences, theorem 2.2), tightest about `planned` values.
    """
    alpha = 1 - CONFIDENCE
    rho2 = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / max(planned, 1)
    spread = n * rho2 + 1
    return sd * sqrt(2 * spread / (n * n * rho2) * log(sqrt(spread) / alpha))


def signed(figure: Estimate, digits: int = 3) -> str:
    """Return points with their sign and interval: '+1.230 ± 0.100'."""
    return f"{figure.mean:+.{digits}f}" + (f" ± {figure.half:.{digits}f}" if figure.half >= 0 else "")


def unsigned(figure: Estimate, digits: int) -> str:
    """Return a figure that has no sign with its interval."""
    return f"{figure.mean:.{digits}f}" + (f" ± {figure.half:.{digits}f}" if figure.half >= 0 else "")
