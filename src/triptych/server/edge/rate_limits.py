"""How much comes from one address: a cookie costs nothing, so what a guest may do is held against the address too."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

from triptych.i18n.messages import Message
from triptych.server.wire.errors import ApiError
from triptych.server.wire.messages import LimitHit

MAX_SOCKETS_PER_ADDRESS: Final = 128
_MAX_KNOWN: Final = 10_000
_LOOK_SECONDS: Final = 1.0  # between two looks at all that is known for what has nothing to wait for any more
_NETWORK: Final = 64  # bits of an IPv6 address that one household has to itself


class RateLimit(NamedTuple):
    """What an address may have made: so many at once, and one more after so many seconds each."""

    what: str
    burst: int
    seconds: float


TABLES: Final = RateLimit("tables", 30, 60.0)
GUESTS: Final = RateLimit("guests", 120, 2.0)
PASSWORDS: Final = RateLimit("passwords", 10, 30.0)
EXPORTS: Final = RateLimit("exports", 5, 60.0)
PICTURES: Final = RateLimit("pictures", 60, 2.0)
WEIGHTS: Final = RateLimit("weights", 30, 10.0)
ANALYSES: Final = RateLimit("analyses", 60, 3.0)  # decisions that are searched here
REVIEWS: Final = RateLimit("reviews", 60, 2.0)  # that are kept
NAMES: Final = RateLimit("names", 20, 15.0)
DAILY_RESULTS: Final = RateLimit("results", 20, 15.0)
TOKENS: Final = RateLimit("tokens", 30, 2.0)  # that are none
FLOODS: Final = RateLimit("floods", 60, 5.0)  # connections that were closed for too many frames or pieces
RATE_LIMITS: Final = (
    TABLES,
    GUESTS,
    PASSWORDS,
    EXPORTS,
    PICTURES,
    WEIGHTS,
    ANALYSES,
    REVIEWS,
    NAMES,
    DAILY_RESULTS,
    TOKENS,
    FLOODS,
)


def network_key(address: str) -> str | None:
    """Return what counts as one address; None for this machine itself, which is the host's."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address or None
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            parsed = parsed.ipv4_mapped
        elif not parsed.is_loopback:
            return str(ipaddress.ip_network((parsed, _NETWORK), strict=False))
    return None if parsed.is_loopback else str(parsed)


class AddressLimiter:
    """What each address has made of late, and how many connections it has open."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # When everything spent is made up for; the newest last.
        self._until: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._looked = -_LOOK_SECONDS
        self._open: Counter[str] = Counter()

    def acquire(self, budget: RateLimit, address: str) -> None:
        """Count one more; what is no address, such as a guest's id, stands for itself.

        Raises ApiError when there were too many of late.
        """
        network = network_key(address)
        if network is None:
            return
        now = self._clock()
        key = budget.what, network
        if key in self._until:
            self._until.move_to_end(key)  # also where it is refused
        self._until[key] = self._next(budget, network, now)
        if len(self._until) > _MAX_KNOWN:
            self._forget(now)

    def verify(self, budget: RateLimit, address: str) -> None:
        """Raise ApiError when there were too many of late; nothing is counted."""
        network = network_key(address)
        if network is not None:
            self._next(budget, network, self._clock())

    def _next(self, budget: RateLimit, network: str, now: float) -> float:
        """Return until when all is made up for after one more. Raises ApiError when that is too long."""
        until = max(now, self._until.get((budget.what, network), now)) + budget.seconds
        too_much = until - now - budget.burst * budget.seconds
        if too_much > 0:
            wait = int(too_much) + 1
            message = Message("error.address.too_many_requests", what=budget.what, seconds=wait)
            raise ApiError("address.too_many", message, status=429, limit=LimitHit(budget.what, wait))
        return until

    def _forget(self, now: float) -> None:
        """Make room: first forget what has nothing to wait for, then what was not spent for longest."""
        if now >= self._looked + _LOOK_SECONDS:
            self._looked = now
            for key in [key for key, until in self._until.items() if until <= now]:
                del self._until[key]
        while len(self._until) > _MAX_KNOWN:
            self._until.popitem(last=False)

    def connection_opened(self, address: str, most: int = MAX_SOCKETS_PER_ADDRESS) -> bool:
        """Count one more open connection; False when the address has too many (it is counted all the same)."""
        network = network_key(address)
        if network is None:
            return True
        self._open[network] += 1
        return self._open[network] <= most

    def connection_closed(self, address: str) -> None:
        """Count one open connection less."""
        network = network_key(address)
        if network is None:
            return
        self._open[network] -= 1
        if self._open[network] <= 0:
            del self._open[network]


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
