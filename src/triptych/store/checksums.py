"""Checksums of stored rows: data that was altered, lost or swapped on the disk is detected before it is used.

Each posting's checksum covers its row and the previous posting's checksum, and the last one is stored with the table.
Events are covered the same way, by rows (event_rows.py) and one by one in the archive (archive/rows.py). They protect
against accidents, not against an attacker who can write the database: there is no secret.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, Final, ParamSpec

from sqlalchemy import Row

from triptych.store.errors import CorruptRecordError
from triptych.store.types import NewEvent, Posting, StoredSheet

SIZE: Final = 8
FIRST: Final = b""


def event_checksum(before: bytes, table: str, version: int, event: NewEvent) -> bytes:
    """Return the checksum of an event, given that of the one before it (`FIRST` for the first)."""
    row = f"{table}\0{version}\0{event.visibility}\0{event.seat}\0".encode()
    return blake2b(b"".join((before, row, event.payload)), digest_size=SIZE).digest()


def posting_checksum(before: bytes, table: str, posting: Posting) -> bytes:
    """Return the checksum of a posting, given that of the table's posting before it (`FIRST` for the first)."""
    row = f"{table}\0{posting.debit}\0{posting.credit}\0{posting.points}\0{posting.reason}".encode()
    return blake2b(before + row, digest_size=SIZE).digest()


def row_checksum(payload: bytes, *key: str | int) -> bytes:
    """Return the checksum of an independent row, such as a reply."""
    return blake2b("\0".join(map(str, key)).encode() + b"\0" + payload, digest_size=SIZE).digest()


def deal_checksum(table: str, deal: StoredSheet) -> bytes:
    """Return the checksum of a finished deal's sheet."""
    return row_checksum(deal.payload, table, deal.deal, deal.match)


def verified_sheet(table: str, row: Row[*tuple[Any, ...]]) -> StoredSheet:
    """Return a finished deal's sheet from its row. Raises CorruptRecordError."""
    if not is_intact(row.checksum, row.payload, table, row.deal, row.match):
        raise CorruptRecordError(table, f"the sheet of deal {row.deal} is not what was written")
    return StoredSheet(row.deal, row.match, bytes(row.payload))


_P = ParamSpec("_P")


def checksum_or_empty(checksum: Callable[_P, bytes], *args: _P.args, **kwargs: _P.kwargs) -> bytes:
    """Return a checksum, empty when the stored values cannot have one: another type, or lone surrogates."""
    try:
        return checksum(*args, **kwargs)
    except (TypeError, UnicodeError):
        return b""


def is_intact(checksum: bytes, payload: bytes, *key: str | int) -> bool:
    """Return whether an independent row is what was written."""
    return checksum == checksum_or_empty(row_checksum, payload, *key)


def verified_postings(table: str, rows: Sequence[Row[*tuple[Any, ...]]]) -> tuple[Posting, ...]:
    """Return a table's postings in order, from rows that also have the table's `head_checksum`.

    Raises CorruptRecordError.
    """
    verified: list[Posting] = []
    checksum = FIRST
    for row in rows:
        if row.points is None:
            break  # the table has none
        posting = Posting(row.debit, row.credit, row.points, row.reason)
        checksum = checksum_or_empty(posting_checksum, checksum, table, posting)
        if row.checksum != checksum:
            raise CorruptRecordError(table, f"posting {len(verified) + 1} is not what was written")
        verified.append(posting)
    if rows and rows[0].head_checksum != checksum:
        raise CorruptRecordError(table, f"its ledger does not end with posting {len(verified)}")
    return tuple(verified)
