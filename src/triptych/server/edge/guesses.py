"""Tries of a password by what it opens: from however many addresses they come, each waits longer than the last."""

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
    """So many tries wait for nothing; then the wait doubles from a second on, up to so many seconds."""

    free: int
    longest: float

    def after(self, tries: int) -> float:
        """Return for how many seconds the next try waits after so many."""
        return 0.0 if tries < self.free else min(self.longest, 2.0 ** (tries - self.free))


ACCOUNT: Final = Delay(10, 900.0)
# Friends who come to a table behind somebody who guesses wait no longer than this.
TABLE: Final = Delay(30, 30.0)


class _Tries(NamedTuple):
    number: int
    last: float


class Guesses:
    """Wrong tries by what they are of. The oldest are forgotten where there are too many to remember."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: OrderedDict[str, _Tries] = OrderedDict()

    def spend(self, of: str, delay: Delay) -> None:
        """Count a try before it is looked at: who asks many times at once is told no sooner.

        Raises ApiError `password.too_many` while it has to wait; that is not counted.
        """
        now = self._clock()
        tries = self._tries.get(of)
        if tries is None or now - tries.last > _FORGET_SECONDS:
            tries = _Tries(0, now)
        left = tries.last + delay.after(tries.number) - now
        if left > 0:
            wait = int(left) + 1
            message = Message("error.password.too_many", seconds=wait)
            raise ApiError("password.too_many", message, "$.password", status=429, limit=LimitHit("passwords", wait))
        self._tries[of] = _Tries(tries.number + 1, now)
        self._tries.move_to_end(of)
        if len(self._tries) > _MAX_KNOWN:
            self._tries.popitem(last=False)

    def refund(self, of: str) -> None:
        """Count the last try no more: the password was right."""
        tries = self._tries.get(of)
        if tries is not None:
            self._tries[of] = tries._replace(number=max(0, tries.number - 1))
