"""Events as rows: one row per append, with the version of its last event.

A row's checksum includes that of the table's previous row, and the last one is stored with the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Final

import msgspec
from sqlalchemy import Row

from triptych.store.checksums import FIRST, SIZE, checksum_or_empty
from triptych.store.errors import CorruptRecordError
from triptych.store.types import NewEvent, StoredEvent

_WRITE: Final = msgspec.msgpack.Encoder()
_READ: Final = msgspec.msgpack.Decoder(tuple[NewEvent, ...])


def encode_events(events: Sequence[NewEvent]) -> bytes:
    """Return an append's events as the payload of a row."""
    return _WRITE.encode(events)


def events_checksum(before: bytes, table: str, version: int, payload: bytes) -> bytes:
    """Return the checksum of a row, given that of the one before it (`FIRST` for the first)."""
    return blake2b(b"".join((before, f"{table}\0{version}\0".encode(), payload)), digest_size=SIZE).digest()


def decode_following(
    table: str, version: int, checksum: bytes, rows: Iterable[tuple[int, bytes, bytes]]
) -> tuple[list[StoredEvent], bytes]:
    """Return the events after a version from rows of (version, payload, checksum), and the last checksum.

    `checksum`: that of the row that ends with this version. Raises CorruptRecordError.
    """
    decoded: list[StoredEvent] = []
    for last, payload, stored_checksum in rows:
        events = _events(payload)
        if events is not None and version + len(events) != last:
            raise CorruptRecordError(table, f"event {version + 1} is missing")
        checksum = checksum_or_empty(events_checksum, checksum, table, last, payload)
        if events is None or stored_checksum != checksum:
            subject = f"event {last} is" if last == version + 1 else f"events {version + 1} to {last} are"
            raise CorruptRecordError(table, f"{subject} not what was written")
        for event in events:
            version += 1
            decoded.append(StoredEvent(event.visibility, event.seat, event.payload, version=version))
    return decoded, checksum


def verified_events(
    table: str, after: int, rows: Sequence[Row[*tuple[Any, ...]]], page: int
) -> tuple[Sequence[StoredEvent], int]:
    """Return a table's events after a version from a page of rows, and the version with which the page ends.

    The first row may end with that version or an earlier one, because the next row's checksum includes its checksum.
    Each row has the columns of `events` (None where there is none) and the table's `head` and `head_checksum`. A page
    that is not full is the last one. Raises CorruptRecordError.
    """
    head = rows[0].head
    if after > head:
        return (), after
    version, checksum = 0, FIRST
    event_rows = [(row.version, row.payload, row.checksum) for row in rows if row.version is not None]
    if event_rows and event_rows[0][0] <= after:
        version, _, checksum = event_rows.pop(0)
    decoded, checksum = decode_following(table, version, checksum, event_rows)
    version += len(decoded)
    if version > head or (version < head and len(rows) < page):
        raise CorruptRecordError(table, f"there are {version} events of {head}")
    if version == head and rows[0].head_checksum != checksum:
        raise CorruptRecordError(table, "its last event is not what was written")
    return [event for event in decoded if event.version > after], version


def _events(payload: bytes) -> tuple[NewEvent, ...] | None:
    try:
        return _READ.decode(payload)
    except (TypeError, msgspec.MsgspecError):
        return None
