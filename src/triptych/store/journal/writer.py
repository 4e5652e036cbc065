"""The one writer of a process: decides which appends of a batch go into the journal, and writes them.

It keeps in memory each table's version, the backlog (journal/backlog.py) and filters of the tables' commands
(CommandFilter), so that a commit asks the database only for commands that may have been done before.
After any failure it reads the journal's end again before the next decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from triptych.store.checksums import FIRST
from triptych.store.errors import CorruptRecordError, FencedError, LeaseNotHeldError
from triptych.store.file_lock import DatabaseInUseError
from triptych.store.journal.backlog import DAMAGED_ROW, ProjectionBacklog, gap_message
from triptych.store.journal.batch import CommandId, Outcome, command_id_of, resolve_batch
from triptych.store.journal.rows import (
    PAGE_SIZE,
    JournalProgram,
    JournalRow,
    ReadCommandIds,
    ReadHeads,
    ReadPosition,
    ReadReplies,
    ReadRows,
    WriteRow,
    decode_rows,
    encode_row,
)
from triptych.store.leases.interface import lease_name
from triptych.store.types import Append

# For a table with more events each command is looked up, because reading all of its commands would take too long.
FILTER_MAX_EVENTS: Final = 20_000
# Tables whose commands are in memory at a time.
MAX_FILTERS: Final = 1 << 14
# Of a CommandFilter.
_BITS: Final = 16  # a command
_FIRST: Final = 1 << 11  # bits of the first field; each further field has twice as many
_MAX: Final = 1 << 20
_SHIFTS: Final = (0, 20, 40)  # the parts of a hash that select a command's bits


class JournalWriter:
    """The end of the journal as this process knows it. `in_sync`: nothing has failed since it was read."""

    def __init__(self, partition: int = 0) -> None:
        """Begin out of sync. `held_leases`: the leases that allow appends, None where no leases are needed."""
        self.in_sync = False
        self.partition = partition
        self.epoch: int | None = None
        self.held_leases: set[str] | None = None
        self._fence: int | None = None
        self.backlog = ProjectionBacklog()
        self._last: int | None = None
        self._checksum = FIRST
        self._heads: dict[str, int | CorruptRecordError] = {}
        self._filters: dict[str, CommandFilter] = {}

    def commit(self, batch: Sequence[Append]) -> JournalProgram[Sequence[Outcome]]:
        """Write the valid appends of a batch as one row; return each append's outcome.

        Raises DatabaseInUseError, FencedError.
        """
        if self.held_leases is not None and not all(lease_name(append.table) in self.held_leases for append in batch):
            return (yield from self._commit_owned(batch, self.held_leases))
        keys = list({key for append in batch if (key := command_id_of(append)) is not None})
        while True:
            while not self.in_sync:
                yield from self.sync()
            yield from self._ask_heads({append.table for append in batch})
            # The backlog first: a reply that is projected meanwhile is then found in the database.
            replies: dict[CommandId, bytes | CorruptRecordError] = {
                key: reply for key in keys if (reply := self.backlog.reply(key)) is not None
            }
            yield from self._ask_commands({table for table, _, _ in keys})
            older = [key for key in keys if key not in replies and self._may_be_older(key)]
            if older:
                replies.update((yield ReadReplies(older)))
            outcomes, accepted = resolve_batch(batch, self._heads, replies)
            if not accepted:
                return outcomes
            assert self.epoch is not None  # noqa: S101 - `sync` has read both
            assert self._last is not None  # noqa: S101 - see above
            row = encode_row(self._last + 1, self.epoch, self._checksum, accepted)
            self.in_sync = False
            if (yield WriteRow(row)):
                self._last, self._checksum = row.number, row.checksum
                self._heads.update(
                    {append.table: append.expected_version + len(append.events) for append in accepted}
                )
                self._add_to_filters(accepted)
                self.backlog.add(row.number, accepted)
                self.in_sync = True
                return outcomes

    def _commit_owned(self, batch: Sequence[Append], leases: set[str]) -> JournalProgram[Sequence[Outcome]]:
        owned = [append for append in batch if lease_name(append.table) in leases]
        outcomes = iter((yield from self.commit(owned)) if owned else ())
        return [
            next(outcomes) if lease_name(append.table) in leases else LeaseNotHeldError(append.table)
            for append in batch
        ]

    def sync(self, until: int | None = None) -> JournalProgram[None]:
        """Read the next page of the partition, up to the row `until`; `in_sync` when it is the last one.

        Raises DatabaseInUseError, FencedError.
        """
        fence, projected = yield ReadPosition(self.partition)
        if self._fence is None:
            self.epoch = fence
        elif fence != self._fence:
            raise FencedError if self.partition else DatabaseInUseError(None)
        first = self._last is None
        last = projected if self._last is None else self._last
        page: Sequence[JournalRow] = yield ReadRows(last)
        # Only after the rows have come: when reading them fails, `_last` and `_checksum` must still agree.
        self._last = last
        rows = page
        if rows and rows[0].number == last:
            self._checksum = rows[0].checksum if first else self._checksum
            rows = rows[1:]
        if until is not None:
            rows = [row for row in rows if row.number <= until]
        for decoded in decode_rows(rows, self._checksum):
            yield from self._ask_heads(set(decoded.tables))
            if decoded.appends is None:
                self._heads.update({table: CorruptRecordError(table, DAMAGED_ROW) for table in decoded.tables})
            for append in decoded.appends or ():
                self._heads[append.table] = _head_after(append, self._heads.get(append.table, 0))
            self._add_to_filters(decoded.appends or ())
            self.backlog.add(decoded.row.number, decoded.appends or (), () if decoded.appends else decoded.tables)
            self._last, self._checksum = decoded.row.number, decoded.row.checksum
        self.in_sync = len(page) < PAGE_SIZE or (until is not None and self._last >= until)

    def start_epoch(self, epoch: int, partition: int = 0) -> None:
        """Write only in this epoch and partition; without this call, in the database's current epoch."""
        self.reset()
        self.epoch, self.partition, self._fence = epoch, partition, partition or epoch
        self.held_leases = set() if partition else None

    def reset(self) -> None:
        """Clear everything but the epoch."""
        self.in_sync, self._last, self._checksum = False, None, FIRST
        self.backlog = ProjectionBacklog()
        self._heads.clear()
        self._filters.clear()

    def invalidate_lease(self, lease: str) -> None:
        """Forget the state of a lease's tables: other servers may have written to them meanwhile."""
        for cache in (self._heads, self._filters):
            cache.pop(lease, None)
            for table in [table for table in cache if "-" in table or ":" in table]:
                if lease_name(table) == lease:
                    del cache[table]

    def _ask_heads(self, tables: set[str]) -> JournalProgram[None]:
        unknown = [table for table in tables if table not in self._heads]
        if unknown:
            heads = yield ReadHeads(unknown)
            self._heads.update({table: heads.get(table, 0) for table in unknown})

    def _ask_commands(self, tables: set[str]) -> JournalProgram[None]:
        unknown = [table for table in tables if table not in self._filters and not self._is_long(table)]
        if not unknown:
            return
        filters = {table: CommandFilter() for table in unknown}
        # The backlog first, as above.
        for table in unknown:
            for append in self.backlog.pending(table):
                if append is not None and (key := command_id_of(append)) is not None:
                    filters[table].add(key)
        for key in (yield ReadCommandIds(unknown)):
            filters[key[0]].add(tuple(key))
        self._filters.update(filters)
        while len(self._filters) > MAX_FILTERS:
            del self._filters[next(iter(self._filters))]

    def _is_long(self, table: str) -> bool:
        head = self._heads[table]
        return isinstance(head, CorruptRecordError) or head > FILTER_MAX_EVENTS

    def _may_be_older(self, key: CommandId) -> bool:
        commands = self._filters.get(key[0])
        return commands is None or key in commands

    def _add_to_filters(self, appends: Sequence[Append]) -> None:
        for append in appends:
            commands = self._filters.get(append.table)
            key = command_id_of(append)
            if commands is not None and key is not None:
                commands.add(key)


def _head_after(append: Append, head: int | CorruptRecordError) -> int | CorruptRecordError:
    """Return a table's version after an append that was read; the append may be projected already."""
    if isinstance(head, CorruptRecordError) or append.expected_version < head:
        return head
    if append.expected_version > head:
        return CorruptRecordError(append.table, gap_message(head, append.expected_version))
    return head + len(append.events)


class CommandFilter:
    """A Bloom filter of a table's commands, with about one per cent of false positives and two bytes a command.

    In its bit fields each command sets three bits.
    """

    __slots__ = ("_fields", "_remaining")

    def __init__(self) -> None:
        self._fields = [bytearray(_FIRST // 8)]
        self._remaining = _FIRST // _BITS

    def add(self, key: CommandId) -> None:
        """Add a command."""
        if not self._remaining:
            bits = min(len(self._fields[-1]) * 16, _MAX)
            self._fields.append(bytearray(bits // 8))
            self._remaining = bits // _BITS
        self._remaining -= 1
        field, mixed = self._fields[-1], hash(key)
        for shift in _SHIFTS:
            place = (mixed >> shift) % (len(field) * 8)
            field[place >> 3] |= 1 << (place & 7)

    def __contains__(self, key: CommandId) -> bool:
        """Return whether a command may have been added: False is certain."""
        mixed = hash(key)
        for field in self._fields:
            bits = len(field) * 8
            for shift in _SHIFTS:
                place = (mixed >> shift) % bits
                if not field[place >> 3] >> (place & 7) & 1:
                    break
            else:
                return True
        return False
