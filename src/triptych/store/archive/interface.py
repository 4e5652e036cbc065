"""The archive of ended tables: one compressed row each, instead of many rows in the hot tables.

A row holds a table's record up to a version: events, postings, sheets. Later events, if there are any, are stored in
the hot tables. A record is complete at every moment, also after a crash: the row (archive/rows.py) is written first,
then its content is deleted from the events and from the journal (archive/compaction.py). Replies to commands are not
archived: no client repeats a command that late.

When a record expires, everything but the net postings is deleted: each account's balance stays what it was.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, Protocol

MAX_GUESTS: Final = 1_000


class Counts(NamedTuple):
    """The numbers of archived tables that have not expired, and of guests without a result."""

    tables: int
    guests: int


class ArchiveStore(Protocol):
    """Archives ended tables and deletes expired ones; safe while tables are being played."""

    async def unarchived(self) -> Sequence[str]:
        """Return the ended streams that are not archived at their current version, oldest first."""

    async def archive(self, table: str, version: int, at: int) -> bool:
        """Archive a table that ended with `version` at the time `at` (ms); False when it has newer events.

        Raises CorruptRecordError.
        """

    async def ended_before(self, at: int, limit: int) -> Sequence[str]:
        """Return archived tables that ended before a time (ms) and have not expired, oldest first."""

    async def expire(self, table: str) -> None:
        """Delete the record of an archived table, and its players' results; accounts keep their balances.

        Raises CorruptRecordError.
        """

    async def expired(self) -> Sequence[str]:
        """Return the tables whose record was deleted."""

    async def compact(self) -> None:
        """Remove archived and expired records from the hot tables and the journal, also those left by a crash."""

    async def counts(self) -> Counts:
        """Return the numbers of records and guests that will be deleted some day."""

    async def delete_inactive_guests(
        self, at: int, before: int, but: Collection[str], limit: int = MAX_GUESTS
    ) -> int:
        """Delete names and credentials of guests without a result since before a time (ms); return their number.

        `at`: now (ms). The time without a result begins with the first call after the last one was deleted. `but`:
        guests at a table, who stay. `limit`: the maximum number; guests without a result for longest come first.
        """
