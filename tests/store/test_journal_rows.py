"""Rows of the journal as bytes; zlib's begin with x (RFC 1950, 2.2), a list of msgpack's never does."""

from __future__ import annotations

from msgspec.msgpack import encode

from triptych.store.checksums import FIRST
from triptych.store.journal import rows
from triptych.store.types import Append, NewEvent


def some(count: int) -> tuple[Append, ...]:
    event = NewEvent("public", None, b'{"e":"placed","hand":1,"street":4}')
    return tuple(Append(table=f"t{number}", expected_version=7, events=(event,)) for number in range(count))


def test_a_row_of_a_few_appends_is_less_than_half_as_long() -> None:
    row = rows.encode_row(1, 1, FIRST, some(4))
    assert row.frame.startswith(b"x")
    assert len(row.frame) < len(encode(some(4))) / 2
    (read,) = rows.decode_rows([row], FIRST)
    assert read.appends == some(4)


def test_rows_of_earlier_versions_are_read() -> None:
    """They are not compressed; a batch of 16 and one of 256 begin otherwise than a small one."""
    before = FIRST
    for number, count in enumerate((0, 1, 15, 16, 256), 1):
        row = rows._row(number, 1, before, "t", encode(some(count)))
        (read,) = rows.decode_rows([row], before)
        assert read.appends == some(count)
        before = row.checksum


def test_a_row_that_zlib_cannot_read_stops_its_tables_alone() -> None:
    row = rows._row(1, 1, FIRST, "t", rows.encode_row(1, 1, FIRST, some(4)).frame[:-9])
    (read,) = rows.decode_rows([row], FIRST)
    assert read.appends is None
    assert read.tables == ("t",)
