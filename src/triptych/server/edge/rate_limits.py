"""Rate limits for each address: guests are free to create, so a limit for each guest would not be enough."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

from triptych.i18n.messages import Message
from triptych.server.edge.hosts import parse_address
from triptych.server.wire.errors import ApiError
from triptych.server.wire.messages import LimitHit

MAX_SOCKETS_PER_ADDRESS: Final = 128
_MAX_KNOWN: Final = 10_000
_DROP_INTERVAL_SECONDS: Final = 1.0  # between two searches for entries without effect
_NETWORK: Final = 64  # bits of an IPv6 address that identify one household


class RateLimit(NamedTuple):
    """A limit for one address: `burst` at once, and one more after each `seconds`. Errors contain its name."""

    name: str
    burst: int
    seconds: float


TABLES: Final = RateLimit("tables", 30, 60.0)
GUESTS: Final = RateLimit("guests", 120, 2.0)
PASSWORDS: Final = RateLimit("passwords", 10, 30.0)
EXPORTS: Final = RateLimit("exports", 5, 60.0)
PICTURES: Final = RateLimit("pictures", 60, 2.0)
WEIGHTS: Final = RateLimit("weights", 30, 10.0)
ANALYSES: Final = RateLimit("analyses", 60, 3.0)  # decisions that are searched here
REVIEWS: Final = RateLimit("reviews", 60, 2.0)  # that are stored
NAMES: Final = RateLimit("names", 20, 15.0)
DAILY_RESULTS: Final = RateLimit("results", 20, 15.0)
TOKENS: Final = RateLimit("tokens", 30, 2.0)  # that are invalid
FLOODS: Final = RateLimit("floods", 60, 5.0)  # connections that were closed for too many frames or pieces


def network_key(address: str) -> str | None:
    """Return the network that counts as one address; None for this machine itself, which has no limits."""
    parsed = parse_address(address)
    if parsed is None:
        return address or None
    if parsed.is_loopback:
        return None
    is_ipv6 = isinstance(parsed, ipaddress.IPv6Address)
    return str(ipaddress.ip_network((parsed, _NETWORK), strict=False) if is_ipv6 else parsed)


class AddressLimiter:
    """The recent requests of each address by limit, and its open connections."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # When an address may use its whole burst again; the most recent use last.
        self._full_at: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._dropped_at = -_DROP_INTERVAL_SECONDS
        self._open: Counter[str] = Counter()

    def acquire(self, limit: RateLimit, address: str) -> None:
        """Count one more; `address` may also be another key, such as a guest's id.

        Raises ApiError when there were too many.
        """
        network = network_key(address)
        if network is None:
            return
        now = self._clock()
        key = limit.name, network
        if key in self._full_at:
            self._full_at.move_to_end(key)  # also when the limit is exceeded
        self._full_at[key] = self._next(limit, network, now)
        if len(self._full_at) > _MAX_KNOWN:
            self._drop(now)

    def verify(self, limit: RateLimit, address: str) -> None:
        """Raise ApiError when there were too many; nothing is counted."""
        network = network_key(address)
        if network is not None:
            self._next(limit, network, self._clock())

    def _next(self, limit: RateLimit, network: str, now: float) -> float:
        """Return when the whole burst is available again after one more. Raises ApiError when there were too many."""
        full_at = max(now, self._full_at.get((limit.name, network), now)) + limit.seconds
        excess_seconds = full_at - now - limit.burst * limit.seconds
        if excess_seconds > 0:
            wait = int(excess_seconds) + 1
            message = Message("error.address.too_many_requests", what=limit.name, seconds=wait)
            raise ApiError("address.too_many", message, status=429, limit=LimitHit(limit.name, wait))
        return full_at

    def _drop(self, now: float) -> None:
        """Drop the entries without effect, then the least recently used."""
        if now >= self._dropped_at + _DROP_INTERVAL_SECONDS:
            self._dropped_at = now
            for key in [key for key, full_at in self._full_at.items() if full_at <= now]:
                del self._full_at[key]
        while len(self._full_at) > _MAX_KNOWN:
            self._full_at.popitem(last=False)

    def connection_opened(self, address: str, max_connections: int = MAX_SOCKETS_PER_ADDRESS) -> bool:
        """Count one more open connection; False when the address has too many (it is counted too)."""
        network = network_key(address)
        if network is None:
            return True
        self._open[network] += 1
        return self._open[network] <= max_connections

    def connection_closed(self, address: str) -> None:
        """Count one open connection less."""
        network = network_key(address)
        if network is None:
            return
        self._open[network] -= 1
        if self._open[network] <= 0:
            del self._open[network]


# A piece of so many bytes is free; many small ones cost the server's time.
_WHOLE_PIECE: Final = 512


class TokenBucket:
    """A token bucket of at most `burst` tokens and `rate` more a second; `now` is any clock's time in seconds."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._at = now

    def spend(self, tokens: float, now: float) -> bool:
        """Take tokens; False when there were too few."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate) - tokens
        self._at = now
        return self._tokens >= 0


def piece_cost(size: int) -> float:
    """Return the cost of a piece of a frame or of a body, from 0 (512 bytes or more) to 1 (empty)."""
    return max(0.0, 1 - size / _WHOLE_PIECE)
