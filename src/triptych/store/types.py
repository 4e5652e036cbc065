"""What is stored: events, postings, sheets, and what one append holds."""

from __future__ import annotations

from typing import Literal

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
    """An event as it lies in the store, with its version."""

    version: int


class IdempotencyKey(Struct, frozen=True, gc=False, array_like=True):
    """A command's name: unique for a table and a player."""

    player: str
    cmd_id: str


class Posting(Struct, frozen=True, gc=False, array_like=True):
    """Points that leave `debit` and reach `credit`; always positive, so the ledger sums to zero."""

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

    `expected`: the table's version before it (0 = a new table). `answer`: what the player is told, kept with
    `cmd` so that a repeated command gets it again. `ends`: the table is closed and is not recovered any more.
    The journal keeps it as it is (journal.py): a new field comes last and has a default.
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
    """One table of the database that is made from the journal: its rows, and how many there were before.

    `same`: they are what they were, byte for byte.
    """

    name: str
    rows: int
    before: int
    same: bool


class RebuildReport(Struct, frozen=True):
    """What was made anew, and what cannot be: `damaged` says of which table the journal is not what was written."""

    projections: tuple[ProjectionReport, ...] = ()
    damaged: tuple[str, ...] = ()
