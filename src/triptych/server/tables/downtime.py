"""Time in which nobody at a table could move: noted here until the table has moved its clocks by it."""

from __future__ import annotations

from typing import Final, NamedTuple

from triptych.table.commands import DowntimeCause, ReportDowntime

BACKOFF_MIN_SECONDS: Final = 0.1
BACKOFF_MAX_SECONDS: Final = 2.0


class Downtime(NamedTuple):
    """From `since` to `until` (ms); `until` is None while it lasts."""

    since: int
    until: int | None
    why: DowntimeCause

    def command(self) -> ReportDowntime:
        """Return what the table is told."""
        return ReportDowntime(self.since, self.until, self.why)


def merge(old: Downtime | None, new: Downtime) -> Downtime:
    """Return both as one: nothing has happened at the table between them."""
    if old is None:
        return new
    until = None if old.until is None or new.until is None else max(old.until, new.until)
    return Downtime(min(old.since, new.since), until, old.why)


def backoff_seconds(failures: int) -> float:
    """Return for how many seconds to wait after so many failures in a row."""
    # The exponent is bounded before the power is taken: a store may be away for days.
    return min(BACKOFF_MAX_SECONDS, BACKOFF_MIN_SECONDS * 2 ** min(failures - 1, 10)) if failures else 0.0
