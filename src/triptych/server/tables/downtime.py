"""Time in which nobody at a table could move, pending until the table has moved its clocks by it."""

from __future__ import annotations

from typing import NamedTuple

from triptych.table.commands import DowntimeCause, ReportDowntime


class Downtime(NamedTuple):
    """From `since` to `until` (ms); `until` is None while it lasts."""

    since: int
    until: int | None
    cause: DowntimeCause

    def command(self) -> ReportDowntime:
        """Return the command that reports the downtime to the table."""
        return ReportDowntime(self.since, self.until, self.cause)


def merge(old: Downtime | None, new: Downtime) -> Downtime:
    """Return one downtime that covers both: nothing has happened at the table between them."""
    if old is None:
        return new
    until = None if old.until is None or new.until is None else max(old.until, new.until)
    return Downtime(min(old.since, new.since), until, old.cause)
