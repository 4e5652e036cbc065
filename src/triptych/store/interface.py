"""What a store of tables must do. It knows versions and bytes, nothing of cards.

A table is a stream of events numbered from 1 without holes. One append is all or nothing: the events, the answer to
the command that caused them, the ledger's postings and the deal's summary. A database writes it to a journal
(journal.py), and whatever is read is made from that first (project.py).

`gc=False`: plain data, held by the ten thousand until it is projected; it cannot refer to itself (redacted.py).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from triptych.store.archive.interface import ArchiveStore
from triptych.store.credentials import CredentialStore
from triptych.store.daily import DailyStore
from triptych.store.journal.commits import Commits
from triptych.store.leases.interface import LeaseManager, ServerInfo
from triptych.store.results import ResultStore
from triptych.store.reviews import ReviewStore
from triptych.store.snapshots import SnapshotStore
from triptych.store.types import Append, IdempotencyKey, Player, Posting, RebuildReport, StoredEvent, StoredSheet


class EventStore(Protocol):
    """A store of tables, of guests, and of the server's secrets."""

    @property
    def commits(self) -> Commits:
        """How commits go."""

    @property
    def credentials(self) -> CredentialStore:
        """How guests are known again."""

    @property
    def results(self) -> ResultStore:
        """What came of each player's deals."""

    @property
    def reviews(self) -> ReviewStore:
        """Reviews that accounts keep."""

    @property
    def daily(self) -> DailyStore:
        """Results of the daily deal that players share."""

    @property
    def leases(self) -> LeaseManager:
        """Which tables are this server's."""

    @property
    def snapshots(self) -> SnapshotStore:
        """What tables had come to, for opening them."""

    @property
    def archive(self) -> ArchiveStore:
        """Tables that are over, put away."""

    async def open(self, serving: ServerInfo | None = None) -> None:
        """Make the store ready; brings an older database to the present schema.

        A server says who it is: it alone serves the database from then on. Raises claim.Taken when another one does.
        Who only reads says nothing, and reads beside a server.
        """

    async def close(self) -> None:
        """Finish what is being written and shut."""

    async def append(self, append: Append) -> int:
        """Store one command's changes durably and return the table's new version.

        Raises VersionConflictError, Repeated, Damaged, Unfit or StoreClosedError; then nothing of it was written.
        """

    async def barrier(self) -> None:
        """Wait until nothing begun earlier can still be written.

        An append that raised something else than the above may be there all the same: the answer of a commit can be
        lost on its way. After `settle`, `load` and `answer` know. Raises while the store cannot tell, and claim.Taken
        when another server has taken the database over meanwhile.
        """

    async def load(self, table: str, after: int = 0) -> Sequence[StoredEvent]:
        """Return a table's events after a version, in order; empty for an unknown table. Raises Damaged, Expired."""

    def pages(self, table: str) -> AsyncIterator[Sequence[StoredEvent]]:
        """Yield a table's events in order, some at a time: a long table is not in memory at once. Raises as `load`.

        What is damaged may be found out behind pages that were yielded.
        """

    async def tables(self, *, ended: bool = False) -> Sequence[str]:
        """Return the tables that have not ended, oldest first; with `ended` those that have too.

        Not those whose record was deleted (archive.py).
        """

    async def reply(self, table: str, cmd: IdempotencyKey) -> bytes | None:
        """Return what a command was told when it was done, None when it never was. Raises Damaged."""

    async def deals(self, table: str, limit: int = 50) -> Sequence[StoredSheet]:
        """Return a table's finished deals, newest first. Raises Damaged."""

    async def balance(self, account: str) -> int:
        """Return what an account has received less what it has paid, in points."""

    async def postings(self, table: str) -> Sequence[Posting]:
        """Return a table's postings in the order they were made. Raises Damaged."""

    async def player(self, player: str) -> Player | None:
        """Return a guest by id."""

    async def save_player(self, player: Player) -> None:
        """Keep a guest's name."""

    async def record_alive(self, at: int) -> None:
        """Note that the server was running at this time (ms since the epoch)."""

    async def last_alive(self) -> int:
        """Return the time last noted, 0 when there is none."""

    async def note_clock(self, at: int) -> None:
        """Note that the server was running at this time (ms since the epoch), by a clock that is believed."""

    async def last_clock(self) -> int:
        """Return the time last noted so, 0 when there is none."""

    async def try_write(self) -> None:
        """Write something durable that means nothing. Raises what keeps moves from being stored."""

    async def get_or_create_secret(self, name: str, fresh: bytes) -> bytes:
        """Return the secret of that name; the first time, `fresh` is stored and becomes it."""


class JournalStore(EventStore, Protocol):
    """A store in a database: whatever is read there is made from its journal."""

    async def rebuild(self) -> RebuildReport:
        """Make anew whatever is made from what was appended; return what had not been as it should.

        Nobody else may write meanwhile.
        """
