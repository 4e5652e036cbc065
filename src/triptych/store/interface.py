"""The interfaces of a store of tables. A store handles versions and bytes and knows nothing of cards.

A table is a stream of events numbered from 1 without gaps. One append is all or nothing: the events, the reply to
the command that caused them, the ledger's postings and the deal's summary. A database writes it to a journal
(journal/rows.py); everything that is read is projected from it (projections/project.py).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from triptych.store.archive.interface import ArchiveStore
from triptych.store.journal.group_commit import Commits
from triptych.store.leases.interface import LeaseManager, ServerInfo
from triptych.store.types import (
    Append,
    Credential,
    DailyResult,
    IdempotencyKey,
    OpenStream,
    Player,
    Posting,
    RebuildReport,
    ResultsUpdate,
    Revoked,
    Session,
    Snapshot,
    StoredDealResult,
    StoredEvent,
    StoredReview,
    StoredSessionResult,
    StoredSheet,
)


class DailyStore(Protocol):
    """Shared results by player and day; a player's first result of a day stays."""

    async def save(self, result: DailyResult) -> None:
        """Save a result, unless the player has one of that day already."""

    async def between(self, first: str, last: str) -> Sequence[DailyResult]:
        """Return all results from the day `first` to the day `last`, both included, by day and player."""

    async def days_of(self, player: str) -> Sequence[str]:
        """Return the days of a player's shared results, newest first."""

    async def delete(self, player: str) -> None:
        """Delete all results of a player."""


class ReviewStore(Protocol):
    """Reviews by player, table and deal. They are a cache: each can be computed again."""

    async def get(self, player: str, table: str, deal: int) -> StoredReview | None:
        """Return a player's review; None when it is missing or corrupt."""

    async def save(self, review: StoredReview, limit: int) -> None:
        """Save a review, replacing an earlier one; the newest `limit` of the player stay."""


class SnapshotStore(Protocol):
    """The last snapshot of each table. They are a cache."""

    async def get(self, table: str, form: str) -> Snapshot | None:
        """Return a table's snapshot, without its summary; None when it is missing, corrupt or of another format."""

    async def save(self, snapshots: Sequence[Snapshot]) -> None:
        """Save snapshots of different tables, replacing earlier ones. They need not be durable at once."""

    async def open_streams(self) -> Sequence[OpenStream]:
        """Return the tables that have not ended, oldest first; without a summary where it is corrupt."""

    async def clear(self) -> None:
        """Delete all snapshots."""


class CredentialStore(Protocol):
    """Credentials and sessions of guests, and the ids of deleted guests."""

    async def credential(self, name: str) -> Credential | None:
        """Return a credential by its name."""

    async def credentials(self, player: str) -> Sequence[Credential]:
        """Return a guest's credentials, in the order of their names."""

    async def put(self, credential: Credential) -> bool:
        """Save a credential, replacing the guest's own of that name; False when the name is another guest's."""

    async def delete(self, credential: Credential) -> bool:
        """Delete a guest's credential; False when there was none."""

    async def sessions(self, player: str) -> Sequence[Session]:
        """Return a guest's stored sessions, in the order of their ids."""

    async def keep_session(self, session: Session) -> None:
        """Save a session, or update its last visit and its browser; an ended session stays ended."""

    async def end_session(self, player: str, session: str) -> None:
        """End a session, whether it was stored or not."""

    async def end_sessions(self, player: str) -> int:
        """End all sessions of a guest; return the epoch that begins."""

    async def epoch(self, player: str) -> int:
        """Return a guest's epoch: how often all of their sessions were ended."""

    async def revoked(self) -> Revoked:
        """Return the invalid cookies."""

    async def delete_guest(self, player: str) -> None:
        """Delete everything that is stored of a guest, and add the id to the deleted ones."""

    async def deleted_guests(self) -> Sequence[str]:
        """Return the ids of deleted guests."""


class ResultStore(Protocol):
    """Results by player, and the version of each table up to which they are recorded.

    They are projected from the tables' events, and can be rebuilt.
    """

    async def stale_tables(self) -> Sequence[str]:
        """Return the tables with events whose results are not recorded yet, oldest first."""

    async def projected_version(self, table: str) -> int:
        """Return the version of a table up to which its results are recorded."""

    async def save(self, records: Sequence[ResultsUpdate]) -> None:
        """Store updates of different tables, except expired ones. They need not be durable at once."""

    async def sessions_at(self, table: str) -> Sequence[StoredSessionResult]:
        """Return the sessions of all players at a table."""

    async def session_of(self, player: str, table: str) -> StoredSessionResult | None:
        """Return a player's session at a table, or None."""

    async def sessions_of(
        self, player: str, limit: int, before: tuple[int, str] | None = None
    ) -> Sequence[StoredSessionResult]:
        """Return a player's sessions, newest first, after the session `before` (its time and table)."""

    async def deals_of(self, player: str, table: str, limit: int, after: int = 0) -> Sequence[StoredDealResult]:
        """Return a player's deals at a table after the deal number `after`, in order."""

    async def clear(self) -> None:
        """Delete all results; they can be rebuilt from the events."""


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
