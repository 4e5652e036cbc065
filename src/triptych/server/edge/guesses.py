"""Limits tries of a password by the account or table that it opens: each try waits longer than the one before."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

from triptych.i18n.messages import Message
from triptych.server.wire.errors import ApiError
from triptych.server.wire.messages import LimitHit

_MAX_KNOWN: Final = 10_000
_FORGET_SECONDS: Final = 86_400.0  # after the last try


class Delay(NamedTuple):
    """`free` tries do not wait; then the wait doubles from a second on, up to `longest` seconds."""

    free: int
    longest: float

    def after(self, tries: int) -> float:
        """Return the seconds that the next try waits after so many."""
        return 0.0 if tries < self.free else min(self.longest, 2.0 ** (tries - self.free))


ACCOUNT: Final = Delay(10, 900.0)
# Short, because friends who join a table have to wait too while somebody guesses its password.
TABLE: Final = Delay(30, 30.0)


class _Tries(NamedTuple):
    number: int
    last: float


class Guesses:
    """Wrong tries by account or table. The oldest are dropped when there are too many."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: OrderedDict[str, _Tries] = OrderedDict()

    def spend(self, key: str, delay: Delay) -> None:
        """Count a try before the password is checked, so that simultaneous tries gain nothing.

        Raises ApiError `password.too_many` while it has to wait; that is not counted.
        """
        now = self._clock()
        tries = self._tries.get(key)
        if tries is None or now - tries.last > _FORGET_SECONDS:
            tries = _Tries(0, now)
        remaining = tries.last + delay.after(tries.number) - now
        if remaining > 0:
            wait = int(remaining) + 1
            message = Message("error.password.too_many", seconds=wait)
            raise ApiError("password.too_many", message, "$.password", status=429, limit=LimitHit("passwords", wait))
        self._tries[key] = _Tries(tries.number + 1, now)
        self._tries.move_to_end(key)
        if len(self._tries) > _MAX_KNOWN:
            self._tries.popitem(last=False)

    def refund(self, key: str) -> None:
        """Uncount the last try, whose password was right."""
        tries = self._tries.get(key)
        if tries is not None:
            self._tries[key] = tries._replace(number=max(0, tries.number - 1))
