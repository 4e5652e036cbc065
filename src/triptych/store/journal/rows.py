"""The journal, which is authoritative: one row a batch of all tables of a process, written before any reply is sent.

Everything else that is stored of tables (events by table, replies by command, the ledger, summaries) is projected
from it asynchronously, after commit (project.py). A row carries a checksum that includes the previous row's, and its
writer's epoch. It is written only after the row that its writer knows as the last one, and only while no later server
has taken the database over or fenced this one. The statement that writes it checks all of this.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from triptych.store.checksums import SIZE, checksum_or_empty, is_intact
from triptych.store.errors import CorruptRecordError
from triptych.store.journal.batch import CommandId
from triptych.store.types import Append

_WRITE: Final = msgspec.msgpack.Encoder()
_READ: Final = msgspec.msgpack.Decoder(tuple[Append, ...])
PAGE_SIZE: Final = 100  # rows, of which each may have some hundred appends
_LEVEL: Final = 1  # a commit waits for it, and higher levels save less than a tenth
_COMPRESSED: Final = b"x"  # how zlib's output begins; no encoded list of appends does
_SEPARATOR: Final = "\n"  # no table's name contains one (batch.validate_append)
# Servers that share a database write one partition of the journal each; the upper bits of a row's number are its
# partition (column `lane`). Partition 0 is that of a standalone server. A partition is a server's number (leases.py),
# so it is never used again.
PARTITION_SHIFT: Final = 36
ANSWER: Final = "an answer is not what was written"
EPOCH_ENDS: Final = "SELECT max(number) FROM journal GROUP BY epoch ORDER BY epoch"


class JournalRow(Struct, frozen=True, gc=False):
    """A batch: its number, counted from 1 in its partition without gaps, its tables' names, and its appends as bytes.

    The names are stored next to the frame, so that the tables of a corrupt frame are known. In all partitions
    together a table's later rows have no smaller epoch, so each table's rows have one order. `compacted_checksum`
    (column `cut`): appends were removed (archive/compaction.py), and this is the checksum of the remaining ones;
    `checksum` stays what it was.
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
    """A row that was read; `appends` is None when it is corrupt."""

    row: JournalRow
    tables: tuple[str, ...]
    appends: tuple[Append, ...] | None


def encode_row(number: int, epoch: int, before: bytes, appends: Sequence[Append]) -> JournalRow:
    """Return a batch as the row after the one with the checksum `before`."""
    tables = _SEPARATOR.join(sorted({append.table for append in appends}))
    frame = _WRITE.encode(appends)
    compressed = zlib.compress(frame, _LEVEL)
    return _row(number, epoch, before, tables, compressed if len(compressed) < len(frame) else frame)


def corrupt_row(number: int, epoch: int, before: bytes, table: str) -> JournalRow:
    """Return a row that marks a table's record as corrupt."""
    return _row(number, epoch, before, table, b"")


def _row(number: int, epoch: int, before: bytes, tables: str, frame: bytes) -> JournalRow:
    return JournalRow(number, epoch, tables, frame, _checksum(before, number, epoch, tables, frame))


def compacted_row(row: JournalRow, remaining: Sequence[Append]) -> JournalRow:
    """Return the row that replaces `row` when only the remaining appends are kept."""
    compacted = encode_row(row.number, row.epoch, row.checksum, remaining)
    return JournalRow(row.number, row.epoch, compacted.tables, compacted.frame, row.checksum, compacted.checksum)


def streams_of(tables: str) -> tuple[str, ...]:
    """Return the names of the tables in a row."""
    return tuple(tables.split(_SEPARATOR)) if tables else ()


def decode_rows(rows: Sequence[JournalRow], before: bytes) -> Iterator[DecodedRow]:
    """Decode consecutive rows; `before`: the checksum of the row before them.

    If only a row's own checksum is altered, only its tables are corrupt: the next row's checksum shows what it was. A
    compacted row may stand for empty ones that were deleted before it.
    """
    accepted = {before}
    for row in rows:
        content = row.number, row.epoch, row.tables, row.frame
        if row.compacted_checksum is not None:
            accepted = {row.checksum}
            intact = row.compacted_checksum == checksum_or_empty(_checksum, row.checksum, *content)
        else:
            possible = {checksum_or_empty(_checksum, previous, *content) for previous in accepted}
            intact = row.checksum in possible
            accepted = {row.checksum, *possible}
        yield DecodedRow(row, streams_of(row.tables), decode_frame(row.frame) if intact else None)


def decode_frame(frame: bytes) -> tuple[Append, ...] | None:
    """Return the appends of a row, or None when they cannot be decoded. Before schema 0013 none was compressed."""
    try:
        return _READ.decode(zlib.decompress(frame) if frame.startswith(_COMPRESSED) else frame)
    except (zlib.error, msgspec.MsgspecError):
        return None


def _checksum(before: bytes, number: int, epoch: int, tables: str, frame: bytes) -> bytes:
    head = f"{number}\0{epoch}\0{tables}\0".encode()
    return blake2b(b"".join((before, head, frame)), digest_size=SIZE).digest()


class ReadPosition(NamedTuple):
    """Asks for a partition's fence, and for the number of its last projected row.

    The fence must not change while its writer writes: for partition 0 it is the epoch, for any other its own number,
    which becomes 0 when its server is fenced.
    """

    partition: int


class ReadRows(NamedTuple):
    """Asks for the row of a number and the rows after it in its partition, at most PAGE_SIZE: a list of rows."""

    number: int


class ReadEpochEnds(NamedTuple):
    """Asks for the last row's number of each epoch, in the order of the epochs."""


class ReadHeads(NamedTuple):
    """Asks for the projected versions of tables by name; CorruptRecordError for a table with a corrupt row."""

    tables: Sequence[str]


class ReadReplies(NamedTuple):
    """Asks for the projected replies by command; CorruptRecordError for a corrupt one."""

    keys: Sequence[CommandId]


class ReadCommandIds(NamedTuple):
    """Asks for the commands of tables whose replies are projected: a list of ids."""

    tables: Sequence[str]


class WriteRow(NamedTuple):
    """Asks for a row to be made durable: False when it is not the next one, or its writer is fenced."""

    row: JournalRow


JournalOp: TypeAlias = ReadPosition | ReadRows | ReadEpochEnds | ReadHeads | ReadReplies | ReadCommandIds | WriteRow
_Result = TypeVar("_Result")
# Decisions about a batch are made without a database: the program yields operations and is sent their results.
JournalProgram: TypeAlias = Generator[JournalOp, Any, _Result]


class Journal(Protocol):
    """The storage of the rows; never blocks the loop."""

    async def run(self, steps: JournalProgram[_Result]) -> _Result:
        """Execute the operations of a program one after the other, and return its result."""

    async def close(self) -> None:
        """Close the journal's own connection."""


def decode_heads(rows: Iterable[Sequence[Any]]) -> dict[str, int | CorruptRecordError]:
    """Return the result of ReadHeads from rows of (table, version, damage)."""
    return {table: CorruptRecordError(table, damage) if damage else version for table, version, damage in rows}


def decode_replies(rows: Iterable[Sequence[Any]]) -> dict[CommandId, bytes | CorruptRecordError]:
    """Return the result of ReadReplies from rows of (table, player, cmd_id, reply, checksum)."""
    return {
        (table, player, cmd_id): reply
        if is_intact(checksum, reply, table, player, cmd_id)
        else CorruptRecordError(table, ANSWER)
        for table, player, cmd_id, reply, checksum in rows
    }
