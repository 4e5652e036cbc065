"""Figures of commits for the operator: how many have failed, and for how long nothing has been stored."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic


class Commits:
    """How commits go; `failures`: how many have failed."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._since: float | None = None  # when the first one began that has not come to be since
        self.failures = 0

    def begun(self) -> None:
        """Called when something is being written."""
        if self._since is None:
            self._since = self._clock()

    def done(self) -> None:
        """Called when it was written."""
        self._since = None

    def failed(self) -> None:
        """Called when it was not."""
        self.failures += 1

    def waiting_seconds(self) -> float:
        """Return for how long nothing has been written that was to be, 0 when all is."""
        return 0.0 if self._since is None else self._clock() - self._since
