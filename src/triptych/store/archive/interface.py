"""Tables that are over, put away: one compressed row each in the place of what they took in the hot tables.

A row holds a table's record up to a version: events, postings, sheets. What comes later, if anything does, lies where
everything does, behind it. So a record is whole whatever is going on beside it, and a crash on the way leaves nothing
out: the row (archive/rows.py) is there first, then what it holds goes from the events and from the journal
(archive/compaction.py). The answers to commands are not kept: nobody asks again that late.

When its time is up, all but what the ledger comes to is deleted: each account's sum stays what it was.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, Protocol

MAX_GUESTS: Final = 1_000


class Counts(NamedTuple):
    """Tables that are put away and not deleted, and guests without a result."""

    tables: int
    guests: int


class ArchiveStore(Protocol):
    """What is over, put away and at last deleted. All of it may be done while the tables are played at."""

    async def unarchived(self) -> Sequence[str]:
        """Return the streams that have ended and are not put away as they are now, oldest first."""

    async def archive(self, table: str, version: int, at: int) -> bool:
        """Put a table away that ended with a version, and was over at a time (ms); False when it has gone on.

        Raises Damaged.
        """

    async def ended_before(self, at: int, limit: int) -> Sequence[str]:
        """Return tables that are put away and were over before a time (ms), not deleted yet, the oldest first."""

    async def expire(self, table: str) -> None:
        """Delete the record of a table that is put away, and its players' results; accounts keep their sums.

        Raises Damaged.
        """

    async def expired(self) -> Sequence[str]:
        """Return the tables whose record was deleted."""

    async def compact(self) -> None:
        """Take whatever is put away or deleted out of where it was, the journal too, if a stop kept it there."""

    async def counts(self) -> Counts:
        """Return how much there is that is deleted one day."""

    async def delete_inactive_guests(
        self, at: int, before: int, but: Collection[str], limit: int = MAX_GUESTS
    ) -> int:
        """Delete names and credentials of guests who have had no result since before a time (ms); how many guests.

        `at`: now (ms). Counted from the first time that this was asked after their last result went. `but`: those
        who are at a table. `limit`: so many at most, those first who have had none for longest.
        """
