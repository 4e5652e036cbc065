"""A table's record as one archived row, compressed and with a checksum; and the net postings that outlast it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from triptych.store.checksums import FIRST, event_checksum, is_intact, posting_checksum, row_checksum
from triptych.store.errors import CorruptRecordError
from triptych.store.types import NewEvent, Posting, StoredSheet

_WRITE: Final = msgspec.msgpack.Encoder()
_LEVEL: Final = 6
_MAX: Final = 2**31 - 1  # points of one posting
CARRIED: Final = "carried"


class ArchivedRecord(Struct, frozen=True, array_like=True):
    """The archived record of a table; `head`: the checksum of its last event. A new field comes last, with a default.

    The bytes are never shown in a repr: they hold cards.
    """

    events: tuple[NewEvent, ...]
    postings: tuple[Posting, ...]
    summaries: tuple[StoredSheet, ...]
    head: bytes

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({len(self.events)} events, ??)"


_READ: Final = msgspec.msgpack.Decoder(ArchivedRecord)


class ArchiveRow(Struct, frozen=True):
    """A row of the archive: a table's record up to `version`; the table ended at `at` (ms).

    `is_complete`: it still has its events (column `kept`); an expired record has only its net postings.
    """

    table: str
    version: int
    at: int
    is_complete: bool
    payload: bytes
    checksum: bytes

    def __repr__(self) -> str:
        """Show everything but the bytes."""
        return f"{type(self).__name__}({self.table!r}, {self.version}, ??)"


def encode_row(table: str, version: int, at: int, content: ArchivedRecord, *, is_kept: bool = True) -> ArchiveRow:
    """Return a table's record as a row."""
    payload = zlib.compress(_WRITE.encode(content), _LEVEL)
    return ArchiveRow(table, version, at, is_kept, payload, row_checksum(payload, table, version, at, int(is_kept)))


def decode_row(row: ArchiveRow) -> ArchivedRecord:
    """Return the content of a row. Raises CorruptRecordError."""
    if not is_intact(row.checksum, row.payload, row.table, row.version, row.at, int(row.is_complete)):
        raise CorruptRecordError(row.table, "what was put away of it is not what was written")
    try:
        return _READ.decode(zlib.decompress(row.payload))
    except (zlib.error, msgspec.MsgspecError) as error:
        raise CorruptRecordError(row.table, "what was put away of it cannot be read") from error


def verify_content(table: str, version: int, content: ArchivedRecord) -> None:
    """Raise CorruptRecordError unless the events are exactly those up to a version."""
    checksum = FIRST
    for number, event in enumerate(content.events, 1):
        checksum = event_checksum(checksum, table, number, event)
    if len(content.events) != version or checksum != content.head:
        raise CorruptRecordError(table, "the events that were put away are not all of them")


def ledger_checksums(table: str, postings: Iterable[Posting]) -> list[bytes]:
    """Return the checksum of each of a table's postings."""
    checksums, checksum = [], FIRST
    for posting in postings:
        checksum = posting_checksum(checksum, table, posting)
        checksums.append(checksum)
    return checksums


def net_postings(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    """Return few postings with the same effect on each account's balance."""
    sums: dict[str, int] = {}
    for posting in postings:
        sums[posting.debit] = sums.get(posting.debit, 0) - posting.points
        sums[posting.credit] = sums.get(posting.credit, 0) + posting.points
    owing = sorted((account, -points) for account, points in sums.items() if points < 0)
    owed = sorted((account, points) for account, points in sums.items() if points > 0)
    net: list[Posting] = []
    while owing:
        (debit, due), (credit, claim) = owing.pop(), owed.pop()
        points = min(due, claim, _MAX)
        net.append(Posting(debit, credit, points, CARRIED))
        if due > points:
            owing.append((debit, due - points))
        if claim > points:
            owed.append((credit, claim - points))
    return tuple(net)
