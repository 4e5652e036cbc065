"""The journal: one row a batch of all tables of a process, written before anybody hears of what is in it. The truth.

Everything else that is stored of tables (events by table, answers by command, the ledger, summaries) is made from it
behind the commit (project.py). A row carries a checksum made of the one before it, and its writer's epoch: it is
written only behind the row that its writer knows as the last one, and only while no later server has taken the
database over, or found this one dead. All of it is asked by the statement that writes it.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterator, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from triptych.store.checksums import SIZE
from triptych.store.journal.batch import CommandId
from triptych.store.types import Append

_WRITE: Final = msgspec.msgpack.Encoder()
_READ: Final = msgspec.msgpack.Decoder(tuple[Append, ...])
PAGE_SIZE: Final = 100  # rows, of which each may have some hundred appends
_LEVEL: Final = 1  # a commit waits for it, and more would take no tenth away
_COMPRESSED: Final = b"x"  # how zlib's bytes begin, and no list of appends
_BETWEEN: Final = "\n"  # no name of a table has one (batch.verify_append)
# Servers that share a database write a lane of the journal each; the upper bits of a row's number are its lane's.
# Lane 0 is that of a server which is alone. A lane is a server's number (leases.py), so it is never used again.
PARTITION_SHIFT: Final = 36


class JournalRow(Struct, frozen=True, gc=False):
    """A batch: its number, counted from 1 in its lane without holes, the tables in it, and its appends as bytes.

    The names stand beside the frame so that of a damaged one it is known which tables it stops. Over all lanes, what
    is written of a table later has no smaller epoch: so the journal has one order for each table. `cut`: appends were
    taken out of it (archive/compaction.py), and this is the checksum of what is left; `checksum` is what it was.
    """

    number: int
    epoch: int
    tables: str
    frame: bytes
    checksum: bytes
    compacted_checksum: bytes | None = None

    def __repr__(self) -> str:
        """Show everything but the bytes: they hold cards."""
        return f"Row({self.number}, epoch={self.epoch}, ??)"


class DecodedRow(NamedTuple):
    """A row as it is read again; `appends` is None when it is not what was written."""

    row: JournalRow
    tables: tuple[str, ...]
    appends: tuple[Append, ...] | None


def encode_row(number: int, epoch: int, before: bytes, appends: Sequence[Append]) -> JournalRow:
    """Return a batch as a row behind the one with the checksum `before`."""
    tables = _BETWEEN.join(sorted({append.table for append in appends}))
    return _row(number, epoch, before, tables, _encode_frame(appends))


def corrupt_row(number: int, epoch: int, before: bytes, table: str) -> JournalRow:
    """Return a row which says that a table's record is damaged."""
    return _row(number, epoch, before, table, b"")


def _row(number: int, epoch: int, before: bytes, tables: str, frame: bytes) -> JournalRow:
    return JournalRow(number, epoch, tables, frame, _checksum(before, number, epoch, tables, frame))


def compacted_row(row: JournalRow, left: Sequence[Append]) -> JournalRow:
    """Return a row with what is left of its appends, in its place."""
    archived = encode_row(row.number, row.epoch, row.checksum, left)
    return JournalRow(row.number, row.epoch, archived.tables, archived.frame, row.checksum, archived.checksum)


def streams_of(tables: str) -> tuple[str, ...]:
    """Return the names of the tables in a row."""
    return tuple(tables.split(_BETWEEN)) if tables else ()


def decode_rows(rows: Sequence[JournalRow], before: bytes) -> Iterator[DecodedRow]:
    """Read rows that follow each other; `before`: the checksum of the row before them.

    A row whose own checksum alone is altered stops no more than its tables: the next one knows what it was. One that
    was cut may stand for others before it.
    """
    accepted = {before}
    for row in rows:
        if row.compacted_checksum is not None:
            accepted = {row.checksum}
            whole = row.compacted_checksum == _checksum_or_empty(row.checksum, row)
            yield DecodedRow(row, streams_of(row.tables), decode_frame(row.frame) if whole else None)
            continue
        compacted = {_checksum_or_empty(each, row): each for each in accepted}
        whole = row.checksum in compacted
        accepted = {row.checksum, *compacted}
        yield DecodedRow(row, streams_of(row.tables), decode_frame(row.frame) if whole else None)


def _encode_frame(appends: Sequence[Append]) -> bytes:
    frame = _WRITE.encode(appends)
    compressed = zlib.compress(frame, _LEVEL)
    return compressed if len(compressed) < len(frame) else frame


def decode_frame(frame: bytes) -> tuple[Append, ...] | None:
    """Return the appends of a row, None when it has none. Before schema 0013 none was compressed."""
    try:
        return _READ.decode(zlib.decompress(frame) if frame.startswith(_COMPRESSED) else frame)
    except (zlib.error, msgspec.MsgspecError):
        return None


def _checksum_or_empty(before: bytes, row: JournalRow) -> bytes:
    try:
        return _checksum(before, row.number, row.epoch, row.tables, row.frame)
    except (TypeError, UnicodeError):  # another type, letters that are none
        return b""


def _checksum(before: bytes, number: int, epoch: int, tables: str, frame: bytes) -> bytes:
    head = f"{number}\0{epoch}\0{tables}\0".encode()
    return blake2b(b"".join((before, head, frame)), digest_size=SIZE).digest()


class ReadPosition(NamedTuple):
    """Asks for a lane's fence, and for the number of its last row that is projected.

    The fence is what must not change while its writer writes: lane 0's is the epoch, any other's is its own number
    and becomes 0 when its server is over.
    """

    lane: int


class ReadRows(NamedTuple):
    """Asks for the row of a number and for those after it in its lane, at most AT_ONCE in all: a list of rows."""

    number: int


class ReadEpochEnds(NamedTuple):
    """Asks for the last row's number of each epoch, in the order of the epochs: what is before it comes before."""


class ReadHeads(NamedTuple):
    """Asks for the projected versions of tables: by name, Damaged for one whose row in the journal was damaged."""

    tables: Sequence[str]


class ReadReplies(NamedTuple):
    """Asks for the projected answers to commands: by command, Damaged for one that is not what was written."""

    keys: Sequence[CommandId]


class ReadCommandIds(NamedTuple):
    """Asks for the commands of tables whose answers are projected: a list of ids."""

    tables: Sequence[str]


class WriteRow(NamedTuple):
    """Asks for a row to be made durable: False when it is not the next one, or its epoch is over."""

    row: JournalRow


JournalOp: TypeAlias = ReadPosition | ReadRows | ReadEpochEnds | ReadHeads | ReadReplies | ReadCommandIds | WriteRow
_Answer = TypeVar("_Answer")
# What is decided about a batch knows no database: it asks, and is told.
JournalProgram: TypeAlias = Generator[JournalOp, Any, _Answer]


class Journal(Protocol):
    """Where rows lie; never blocks the loop."""

    async def run(self, steps: JournalProgram[_Answer]) -> _Answer:
        """Answer what the steps ask, one after the other, and return what they come to."""

    async def close(self) -> None:
        """Give back what is the journal's own."""
