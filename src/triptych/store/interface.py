"""What a store of tables must do. It knows versions and bytes, nothing of cards.

A table is a stream of events numbered from 1 without holes. One append is all or nothing: the events, the answer to
the command that caused them, the ledger's postings and the deal's summary. A database writes it to a journal
(journal.py), and whatever is read is made from that first (project.py).

`gc=False`: plain data, held by the ten thousand until it is projected; it cannot refer to itself (secret.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from triptych.store.archive.interface import ArchiveStore
    from triptych.store.credentials import PeopleStore
    from triptych.store.journal.commits import Commits
    from triptych.store.leases.interface import Leases, Serving
    from triptych.store.projections.rebuild import Rebuilt
    from triptych.store.results import RecordStore
    from triptych.store.snapshots import SnapshotStore

Visibility = Literal["public", "private", "sealed"]


class NewEvent(Struct, frozen=True, gc=False, array_like=True):
    """An event to be stored: its visibility, and its bytes (never shown in a repr: they may hold cards)."""

    visibility: Visibility
    seat: int | None
    payload: bytes

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({self.visibility}, seat={self.seat}, ??)"


class Stored(NewEvent, frozen=True, gc=False, kw_only=True):
    """An event as it lies in the store, with its version."""

    version: int


class CommandKey(Struct, frozen=True, gc=False, array_like=True):
    """A command's name: unique for a table and a player."""

    player: str
    cmd_id: str


class Posting(Struct, frozen=True, gc=False, array_like=True):
    """Points that leave `debit` and reach `credit`; always positive, so the ledger sums to zero."""

    debit: str
    credit: str
    points: int
    reason: str


class Summary(Struct, frozen=True, gc=False, array_like=True):
    """A finished deal's score sheet as bytes, for the match history."""

    deal: int
    match: int
    payload: bytes


class Append(Struct, frozen=True, gc=False, kw_only=True, array_like=True):
    """Everything that one command changes.

    `expected`: the table's version before it (0 = a new table). `answer`: what the player is told, kept with
    `cmd` so that a repeated command gets it again. `ends`: the table is closed and is not recovered any more.
    The journal keeps it as it is (journal.py): a new field comes last and has a default.
    """

    table: str
    expected: int
    events: tuple[NewEvent, ...]
    cmd: CommandKey | None = None
    answer: bytes = b""
    postings: tuple[Posting, ...] = ()
    summaries: tuple[Summary, ...] = ()
    ends: bool = False


class Player(Struct, frozen=True):
    """A guest: an id and a name."""

    player: str
    name: str


class StoreError(Exception):
    """The base of what a store raises."""


class VersionConflict(StoreError):  # noqa: N818 - named by what happened
    """Somebody else has written this table; `actual` is its version now."""

    def __init__(self, table: str, expected: int, actual: int) -> None:
        super().__init__(f"table {table} is at version {actual}, not {expected}")
        self.actual = actual


class Repeated(StoreError):  # noqa: N818 - named by what happened
    """The command was done before; `answer` is what it was told then. Nothing was written now."""

    def __init__(self, answer: bytes) -> None:
        super().__init__("this command was done before")
        self.answer = answer


class Damaged(StoreError):  # noqa: N818 - named by what happened
    """What is stored of a table is not what was written. Other tables are not concerned."""

    def __init__(self, table: str, what: str) -> None:
        super().__init__(f"the record of table {table} is damaged: {what}")
        self.table = table
        self.what = what


class Expired(StoreError):  # noqa: N818 - named by what happened
    """A table whose record was deleted when its time was up."""

    def __init__(self, table: str) -> None:
        super().__init__(f"the record of table {table} was deleted: it is kept here for a time only")
        self.table = table


class Unfit(StoreError):  # noqa: N818 - named by what happened
    """An append that no database holds; nothing of it was written."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} cannot be stored")


class Over(StoreError):  # noqa: N818 - named by what happened
    """The others hold this server for dead: all that it owned is free, and it writes nothing more as who it was."""

    def __init__(self) -> None:
        super().__init__("this server was not heard of for too long; its tables are played elsewhere")


class NotOurs(StoreError):  # noqa: N818 - named by what happened
    """An append to a table that this server does not own; nothing of it was written."""

    def __init__(self, table: str) -> None:
        super().__init__(f"table {table} is not owned by this server")


class StoreClosed(StoreError):  # noqa: N818 - named by what happened
    """The store is shut, or the append was still waiting when it was."""

    def __init__(self) -> None:
        super().__init__("the store is closed")


class EventStore(Protocol):
    """A store of tables, of guests, and of the server's secrets."""

    @property
    def commits(self) -> Commits:
        """How commits go."""

    @property
    def people(self) -> PeopleStore:
        """How guests are known again."""

    @property
    def records(self) -> RecordStore:
        """What came of each player's deals."""

    @property
    def leases(self) -> Leases:
        """Which tables are this server's."""

    @property
    def snapshots(self) -> SnapshotStore:
        """What tables had come to, for opening them."""

    @property
    def archive(self) -> ArchiveStore:
        """Tables that are over, put away."""

    async def open(self, serving: Serving | None = None) -> None:
        """Make the store ready; brings an older database to the present schema.

        A server says who it is: it alone serves the database from then on. Raises claim.Taken when another one does.
        Who only reads says nothing, and reads beside a server.
        """

    async def close(self) -> None:
        """Finish what is being written and shut."""

    async def append(self, append: Append) -> int:
        """Store one command's changes durably and return the table's new version.

        Raises VersionConflict, Repeated, Damaged, Unfit or StoreClosed; then nothing of it was written.
        """

    async def settle(self) -> None:
        """Wait until nothing begun earlier can still be written.

        An append that raised something else than the above may be there all the same: the answer of a commit can be
        lost on its way. After `settle`, `load` and `answer` know. Raises while the store cannot tell, and claim.Taken
        when another server has taken the database over meanwhile.
        """

    async def load(self, table: str, after: int = 0) -> Sequence[Stored]:
        """Return a table's events after a version, in order; empty for an unknown table. Raises Damaged, Expired."""

    def pages(self, table: str) -> AsyncIterator[Sequence[Stored]]:
        """Yield a table's events in order, some at a time: a long table is not in memory at once. Raises as `load`.

        What is damaged may be found out behind pages that were yielded.
        """

    async def tables(self, *, ended: bool = False) -> Sequence[str]:
        """Return the tables that have not ended, oldest first; with `ended` those that have too.

        Not those whose record was deleted (archive.py).
        """

    async def answer(self, table: str, cmd: CommandKey) -> bytes | None:
        """Return what a command was told when it was done, None when it never was. Raises Damaged."""

    async def deals(self, table: str, limit: int = 50) -> Sequence[Summary]:
        """Return a table's finished deals, newest first. Raises Damaged."""

    async def balance(self, account: str) -> int:
        """Return what an account has received less what it has paid, in points."""

    async def postings(self, table: str) -> Sequence[Posting]:
        """Return a table's postings in the order they were made. Raises Damaged."""

    async def player(self, player: str) -> Player | None:
        """Return a guest by id."""

    async def save_player(self, player: Player) -> None:
        """Keep a guest's name."""

    async def alive(self, at: int) -> None:
        """Note that the server was running at this time (ms since the epoch)."""

    async def last_alive(self) -> int:
        """Return the time last noted, 0 when there is none."""

    async def note_clock(self, at: int) -> None:
        """Note that the server was running at this time (ms since the epoch), by a clock that is believed."""

    async def last_clock(self) -> int:
        """Return the time last noted so, 0 when there is none."""

    async def try_write(self) -> None:
        """Write something durable that means nothing. Raises what keeps moves from being stored."""

    async def secret(self, name: str, fresh: bytes) -> bytes:
        """Return the secret of that name; the first time, `fresh` is stored and becomes it."""


class JournaledStore(EventStore, Protocol):
    """A store in a database: whatever is read there is made from its journal."""

    async def rebuild(self) -> Rebuilt:
        """Make anew whatever is made from what was appended; return what had not been as it should.

        Nobody else may write meanwhile.
        """
