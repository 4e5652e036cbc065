"""Token buckets: how much somebody may do at once, and how much a second for long."""

from __future__ import annotations

from typing import Final

# A piece of so many bytes costs nothing but the network; many small ones cost the server's time.
_WHOLE_PIECE: Final = 512


class TokenBucket:
    """Holds at most `burst` tokens, and gets `rate` a second; `now` is any clock's time in seconds."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._at = now

    def spend(self, tokens: float, now: float) -> bool:
        """Take tokens out; False when there were too few."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate) - tokens
        self._at = now
        return self._tokens >= 0


def piece_cost(size: int) -> float:
    """Return the cost of a piece of a frame or of a body, from 0 (512 bytes or more) to 1 (empty)."""
    return max(0.0, 1 - size / _WHOLE_PIECE)
