"""The stored data: events, postings, sheets and the append that holds them; what is stored of guests; snapshots.

Payloads are opaque bytes here. `gc=False`: plain data, of which tens of thousands are in memory until they are
projected; it has no reference cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

Visibility = Literal["public", "private", "sealed"]


class NewEvent(Struct, frozen=True, gc=False, array_like=True):
    """An event to be stored: its visibility, and its bytes (never shown in a repr: they may hold cards)."""

    visibility: Visibility
    seat: int | None
    payload: bytes

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({self.visibility}, seat={self.seat}, ??)"


class StoredEvent(NewEvent, frozen=True, gc=False, kw_only=True):
    """A stored event, with its version."""

    version: int


class IdempotencyKey(Struct, frozen=True, gc=False, array_like=True):
    """A command's identity: unique for a table and a player."""

    player: str
    cmd_id: str


class Posting(Struct, frozen=True, gc=False, array_like=True):
    """Points moved from the account `debit` to `credit`; always positive, so the ledger sums to zero."""

    debit: str
    credit: str
    points: int
    reason: str


class StoredSheet(Struct, frozen=True, gc=False, array_like=True):
    """A finished deal's score sheet as bytes, for the match history."""

    deal: int
    match: int
    payload: bytes


class Append(Struct, frozen=True, gc=False, kw_only=True, array_like=True):
    """Everything that one command changes.

    `expected_version`: the table's version before it (0 = a new table). `reply`: the player's reply, stored with
    `idempotency_key` so that a repeated command gets it again. `ends_stream`: the table is closed and is not loaded
    any more. The journal stores it as it is (journal/rows.py): a new field comes last and has a default.
    """

    table: str
    expected_version: int
    events: tuple[NewEvent, ...]
    idempotency_key: IdempotencyKey | None = None
    reply: bytes = b""
    postings: tuple[Posting, ...] = ()
    summaries: tuple[StoredSheet, ...] = ()
    ends_stream: bool = False


class Player(Struct, frozen=True):
    """A guest: an id and a name."""

    player: str
    name: str


class ProjectionReport(Struct, frozen=True):
    """One rebuilt projection: the numbers of its rows now and before.

    `same`: they are the same, byte for byte.
    """

    name: str
    rows: int
    before: int
    same: bool


class RebuildReport(Struct, frozen=True):
    """The rebuilt projections, and in `damaged` the tables with corrupt rows in the journal, with the reasons."""

    projections: tuple[ProjectionReport, ...] = ()
    damaged: tuple[str, ...] = ()


class StoredDealResult(Struct, frozen=True):
    """A player's result in one deal of a table; `at` in ms since the epoch."""

    player: str
    table: str
    deal: int
    at: int
    payload: bytes


class StoredSessionResult(Struct, frozen=True):
    """A player's results at a table so far; `at`: the time of the last one (ms)."""

    player: str
    table: str
    at: int
    payload: bytes


class ResultsUpdate(Struct, frozen=True):
    """The results of a table's events up to a version: new lines, and sessions that replace earlier ones."""

    table: str
    version: int
    lines: Sequence[StoredDealResult] = ()
    sessions: Sequence[StoredSessionResult] = ()


def merge_results(old: ResultsUpdate | None, new: ResultsUpdate) -> ResultsUpdate:
    """Return two updates of a table as one."""
    if old is None:
        return new
    sessions = {session.player: session for session in (*old.sessions, *new.sessions)}
    lines = {(line.player, line.deal): line for line in (*old.lines, *new.lines)}
    return ResultsUpdate(new.table, new.version, tuple(lines.values()), tuple(sessions.values()))


class Credential(Struct, frozen=True):
    """A guest's credential: `name` is unique on the server, `payload` is what a sign-in is checked against.

    The payload is never shown in a repr: it may be the hash of a password.
    """

    name: str
    player: str
    payload: bytes

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({self.name!r}, {self.player!r}, ??)"


class Session(Struct, frozen=True):
    """A browser that is signed in as a guest: its program, its system, and its first and last visit (ms)."""

    player: str
    session: str
    browser: str
    system: str
    made: int
    seen: int


class Revoked(NamedTuple):
    """The invalid cookies: those of ended sessions, and those of epochs before a guest's current one."""

    sessions: frozenset[tuple[str, str]]
    epochs: dict[str, int]


class Snapshot(Struct, frozen=True):
    """A table at a version; `form`: the version of the payload's format; `summary`: shown while it is not loaded.

    The payload is never shown in a repr: it holds cards.
    """

    table: str
    version: int
    form: str
    payload: bytes
    summary: bytes = b""

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({self.table!r}, {self.version}, ??)"


class OpenStream(Struct, frozen=True):
    """A table's current version, and its last summary (`note`) with the summary's version; empty without one."""

    table: str
    version: int
    noted: int = 0
    note: bytes = b""


class StoredReview(Struct, frozen=True):
    """A player's review of one deal of a table; `at`: when it was saved (ms since the epoch).

    The payload is never shown in a repr: it holds cards.
    """

    player: str
    table: str
    deal: int
    at: int
    payload: bytes

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({self.player!r}, {self.table!r}, {self.deal}, {self.at}, ??)"


class DailyResult(Struct, frozen=True):
    """A player's points in the deal of a day (`2026-11-28`); `at`: when they were shared (ms since the epoch)."""

    player: str
    day: str
    points: int
    at: int
