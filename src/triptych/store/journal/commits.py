"""Figures of commits for the operator: the number of failures, and for how long nothing has been stored."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic


class Commits:
    """Counts failed commits in `failures`, and measures how long the current ones have waited."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._since: float | None = None  # when the first commit began that has not succeeded since
        self.failures = 0

    def begun(self) -> None:
        """Called when a commit begins."""
        if self._since is None:
            self._since = self._clock()

    def done(self) -> None:
        """Called when it has succeeded."""
        self._since = None

    def failed(self) -> None:
        """Called when it has failed."""
        self.failures += 1

    def waiting_seconds(self) -> float:
        """Return for how long commits have been waiting without success, or 0."""
        return 0.0 if self._since is None else self._clock() - self._since
