"""Waiting times between attempts."""

from __future__ import annotations

from typing import Final

BACKOFF_MIN_SECONDS: Final = 0.1
BACKOFF_MAX_SECONDS: Final = 2.0


def backoff_seconds(failures: int) -> float:
    """Return the seconds to wait after so many failures in a row."""
    # The exponent is bounded: a store may be unavailable for days.
    return min(BACKOFF_MAX_SECONDS, BACKOFF_MIN_SECONDS * 2 ** min(failures - 1, 10)) if failures else 0.0
