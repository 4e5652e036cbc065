"""Time in which nobody at a table could move: noted here until the table has moved its clocks by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from triptych.table.commands import Resumed

if TYPE_CHECKING:
    from triptych.table.commands import Standstill

FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 2.0


class Lost(NamedTuple):
    """From `since` to `until` (ms); `until` is None while it lasts."""

    since: int
    until: int | None
    why: Standstill

    def command(self) -> Resumed:
        """Return what the table is told."""
        return Resumed(self.since, self.until, self.why)


def joined(old: Lost | None, new: Lost) -> Lost:
    """Return both as one: nothing has happened at the table between them."""
    if old is None:
        return new
    until = None if old.until is None or new.until is None else max(old.until, new.until)
    return Lost(min(old.since, new.since), until, old.why)


def wait_after(failures: int) -> float:
    """Return for how many seconds to wait after so many failures in a row."""
    # The exponent is bounded before the power is taken: a store may be away for days.
    return min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(failures - 1, 10)) if failures else 0.0
