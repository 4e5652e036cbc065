"""Decides what of a batch goes into the journal, and writes it: the one writer of a process.

It keeps in memory where each table stands, what is not projected yet (journal/backlog.py), and which commands a
table may have had (journal/command_filter.py), so that a commit asks the database only for what may have been done
before. Whatever fails makes it look again before it decides anything more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from triptych.store.checksums import FIRST
from triptych.store.errors import CorruptRecordError, FencedError, LeaseNotHeldError
from triptych.store.file_lock import DatabaseInUseError
from triptych.store.journal.backlog import DAMAGED_ROW, ProjectionBacklog, gap_message
from triptych.store.journal.batch import CommandId, Outcome, command_id_of, resolve_batch
from triptych.store.journal.command_filter import CommandFilter
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

ANSWER: Final = "an answer is not what was written"
# A table of more events is asked about again and again rather than to read all of its commands once.
FILTER_MAX_EVENTS: Final = 20_000
# Tables whose commands are known at a time.
MAX_FILTERS: Final = 1 << 14


class JournalWriter:
    """Where the journal ends, as far as this process knows. `sure`: nothing has failed since it was looked at."""

    def __init__(self, lane: int = 0) -> None:
        """`held`: the leases without which nothing is written, None where there are none."""
        self.in_sync = False
        self.partition = lane
        self.epoch: int | None = None
        self.held_leases: set[str] | None = None
        self._fence: int | None = None
        self.tail = ProjectionBacklog()
        self._last: int | None = None
        self._checksum = FIRST
        self._heads: dict[str, int | CorruptRecordError] = {}
        self._known: dict[str, CommandFilter] = {}

    def commit(self, batch: Sequence[Append]) -> JournalProgram[Sequence[Outcome]]:
        """Write what can be written of a batch as one row; return each append's outcome. Raises Taken or Over."""
        if self.held_leases is not None and not all(lease_name(append.table) in self.held_leases for append in batch):
            return (yield from self._commit_ours(batch, self.held_leases))
        keys = list({key for append in batch if (key := command_id_of(append)) is not None})
        while True:
            while not self.in_sync:
                yield from self.sync()
            yield from self._ask_heads({append.table for append in batch})
            # Memory first: what is projected meanwhile is found in one of them.
            replies: dict[CommandId, bytes | CorruptRecordError] = {
                key: answer for key in keys if (answer := self.tail.answer(key)) is not None
            }
            yield from self._ask_commands({table for table, _, _ in keys})
            older = [key for key in keys if key not in replies and self._may_be_older(key)]
            if older:
                replies.update((yield ReadReplies(older)))
            outcomes, accepted = resolve_batch(batch, self._heads, replies)
            if not accepted:
                return outcomes
            assert self.epoch is not None  # noqa: S101 - `look` has asked for both
            assert self._last is not None  # noqa: S101 - as above
            row = encode_row(self._last + 1, self.epoch, self._checksum, accepted)
            self.in_sync = False
            if (yield WriteRow(row)):
                self._last, self._checksum = row.number, row.checksum
                self._heads.update({each.table: each.expected_version + len(each.events) for each in accepted})
                self._note(accepted)
                self.tail.add(row.number, accepted)
                self.in_sync = True
                return outcomes

    def _commit_ours(self, batch: Sequence[Append], held: set[str]) -> JournalProgram[Sequence[Outcome]]:
        ours = [append for append in batch if lease_name(append.table) in held]
        outcomes = iter((yield from self.commit(ours)) if ours else ())
        return [next(outcomes) if lease_name(each.table) in held else LeaseNotHeldError(each.table) for each in batch]

    def sync(self, until: int | None = None) -> JournalProgram[None]:
        """Read what comes next in the lane, up to a row; `sure` when that is all. Raises Taken or Over."""
        fence, projected = yield ReadPosition(self.partition)
        if self._fence is None:
            self.epoch = fence
        elif fence != self._fence:
            raise FencedError if self.partition else DatabaseInUseError(None)
        first = self._last is None
        last = projected if self._last is None else self._last
        page: Sequence[JournalRow] = yield ReadRows(last)
        # Only now: an answer that does not come leaves it as unknown as it was, with the checksum.
        self._last = last
        rows = page
        if rows and rows[0].number == last:
            self._checksum = rows[0].checksum if first else self._checksum
            rows = rows[1:]
        if until is not None:
            rows = [row for row in rows if row.number <= until]
        for read in decode_rows(rows, self._checksum):
            yield from self._ask_heads(set(read.tables))
            if read.appends is None:
                self._heads.update({table: CorruptRecordError(table, DAMAGED_ROW) for table in read.tables})
            for append in read.appends or ():
                self._heads[append.table] = _moved(append, self._heads.get(append.table, 0))
            self._note(read.appends or ())
            self.tail.add(read.row.number, read.appends or (), () if read.appends else read.tables)
            self._last, self._checksum = read.row.number, read.row.checksum
        self.in_sync = len(page) < PAGE_SIZE or (until is not None and self._last >= until)

    def start_epoch(self, epoch: int, lane: int = 0) -> None:
        """Write in this epoch and lane alone; without a claim it is whichever there is."""
        self.reset()
        self.epoch, self.partition, self._fence = epoch, lane, lane or epoch
        self.held_leases = set() if lane else None

    def reset(self) -> None:
        """Know nothing but the epoch."""
        self.in_sync, self._last, self._checksum = False, None, FIRST
        self.tail = ProjectionBacklog()
        self._heads.clear()
        self._known.clear()

    def invalidate_lease(self, lease: str) -> None:
        """Ask the database when next something is written under a lease: others may have written meanwhile."""
        for cache in (self._heads, self._known):
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
        unknown = [table for table in tables if table not in self._known and not self._is_long(table)]
        if not unknown:
            return
        filters = {table: CommandFilter() for table in unknown}
        # Memory first, as above.
        for table in unknown:
            for append in self.tail.pending(table):
                if append is not None and (key := command_id_of(append)) is not None:
                    filters[table].add(key)
        for key in (yield ReadCommandIds(unknown)):
            filters[key[0]].add(tuple(key))
        self._known.update(filters)
        while len(self._known) > MAX_FILTERS:
            del self._known[next(iter(self._known))]

    def _is_long(self, table: str) -> bool:
        head = self._heads[table]
        return isinstance(head, CorruptRecordError) or head > FILTER_MAX_EVENTS

    def _may_be_older(self, key: CommandId) -> bool:
        commands = self._known.get(key[0])
        return commands is None or key in commands

    def _note(self, appends: Sequence[Append]) -> None:
        for append in appends:
            commands = self._known.get(append.table)
            key = command_id_of(append)
            if commands is not None and key is not None:
                commands.add(key)


def _moved(append: Append, head: int | CorruptRecordError) -> int | CorruptRecordError:
    """Return a table's version after what was read of it; what lies behind it may be projected already."""
    if isinstance(head, CorruptRecordError) or append.expected_version < head:
        return head
    if append.expected_version > head:
        return CorruptRecordError(append.table, gap_message(head, append.expected_version))
    return head + len(append.events)
