"""The interface of a store of tables. A store handles versions and bytes and knows nothing of cards.

A table is a stream of events numbered from 1 without gaps. One append is all or nothing: the events, the reply to
the command that caused them, the ledger's postings and the deal's summary. A database writes it to a journal
(journal/rows.py); everything that is read is projected from it (projections/project.py).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from triptych.store.archive.interface import ArchiveStore
from triptych.store.credentials import CredentialStore
from triptych.store.daily import DailyStore
from triptych.store.journal.group_commit import Commits
from triptych.store.leases.interface import LeaseManager, ServerInfo
from triptych.store.results import ResultStore
from triptych.store.reviews import ReviewStore
from triptych.store.snapshots import SnapshotStore
from triptych.store.types import Append, IdempotencyKey, Player, Posting, RebuildReport, StoredEvent, StoredSheet


class EventStore(Protocol):
    """A store of tables, of guests, and of the server's secrets."""

    @property
    def commits(self) -> Commits:
        """Figures of commits."""

    @property
    def credentials(self) -> CredentialStore:
        """Credentials and sessions of guests."""

    @property
    def results(self) -> ResultStore:
        """Results of each player's deals."""

    @property
    def reviews(self) -> ReviewStore:
        """Saved reviews of accounts."""

    @property
    def daily(self) -> DailyStore:
        """Results of the daily deal that players share."""

    @property
    def leases(self) -> LeaseManager:
        """The leases of the tables that this server owns."""

    @property
    def snapshots(self) -> SnapshotStore:
        """Snapshots of tables, for loading them."""

    @property
    def archive(self) -> ArchiveStore:
        """The archive of ended tables."""

    async def open(self, serving: ServerInfo | None = None) -> None:
        """Open the store; migrate an older database to the current schema.

        A server passes `serving`: from then on it alone serves the database. Without it the store is only read, also
        next to a server. Raises DatabaseInUseError when another server serves it.
        """

    async def close(self) -> None:
        """Finish the writes in progress and close."""

    async def append(self, append: Append) -> int:
        """Store one command's changes durably and return the table's new version.

        Raises VersionConflictError, DuplicateCommandError, CorruptRecordError, InvalidAppendError or
        StoreClosedError; then nothing of it was written.
        """

    async def barrier(self) -> None:
        """Wait until no append begun earlier can still be written.

        An append that raised another error than those above may be stored all the same: the response to a commit can
        be lost. After `barrier`, `load` and `reply` return the outcome. Raises while the outcome cannot be known, and
        DatabaseInUseError when another server has taken the database over meanwhile.
        """

    async def load(self, table: str, after: int = 0) -> Sequence[StoredEvent]:
        """Return a table's events after a version, in order; empty for an unknown table.

        Raises CorruptRecordError, RecordExpiredError.
        """

    def pages(self, table: str) -> AsyncIterator[Sequence[StoredEvent]]:
        """Yield a table's events in order, in pages: a long table is not in memory at once. Raises as `load`.

        Corruption may be detected after some pages were yielded.
        """

    async def tables(self, *, ended: bool = False) -> Sequence[str]:
        """Return the tables that have not ended, oldest first; with `ended`, the ended ones too.

        Tables whose record has expired are left out.
        """

    async def reply(self, table: str, cmd: IdempotencyKey) -> bytes | None:
        """Return the reply to a command, None when it was never done. Raises CorruptRecordError."""

    async def deals(self, table: str, limit: int = 50) -> Sequence[StoredSheet]:
        """Return a table's finished deals, newest first. Raises CorruptRecordError."""

    async def balance(self, account: str) -> int:
        """Return an account's balance in points: received less paid."""

    async def postings(self, table: str) -> Sequence[Posting]:
        """Return a table's postings in the order they were made. Raises CorruptRecordError."""

    async def player(self, player: str) -> Player | None:
        """Return a guest by id."""

    async def save_player(self, player: Player) -> None:
        """Save a guest's name."""

    async def record_alive(self, at: int) -> None:
        """Note that the server was running at this time (ms since the epoch)."""

    async def last_alive(self) -> int:
        """Return the last noted time, or 0."""

    async def note_clock(self, at: int) -> None:
        """Note that the server was running at this time (ms since the epoch), by a clock that is trusted."""

    async def last_clock(self) -> int:
        """Return the last time noted by `note_clock`, or 0."""

    async def try_write(self) -> None:
        """Write a meaningless value durably. Raises the error that keeps moves from being stored."""

    async def get_or_create_secret(self, name: str, fresh: bytes) -> bytes:
        """Return the secret of that name; the first call stores `fresh`."""


class JournalStore(EventStore, Protocol):
    """A store in a database, whose other tables are projected from its journal."""

    async def rebuild(self) -> RebuildReport:
        """Rebuild all projections from the journal; return what differed.

        No other process may write meanwhile.
        """
