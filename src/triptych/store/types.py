"""The stored data: events, postings, sheets, and the append that holds them.

`gc=False`: plain data, of which tens of thousands are in memory until they are projected; it has no reference cycles.
"""

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
