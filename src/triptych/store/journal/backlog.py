"""The appends in the journal that are not projected yet, by table, so that readers see them all the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Final, NamedTuple

from triptych.store.errors import CorruptRecordError
from triptych.store.journal.batch import CommandId, command_id_of
from triptych.store.types import Append, StoredEvent

DAMAGED_ROW: Final = "a row of the journal is not what was written"
# None stands for a corrupt row.
Appends = tuple["Append | None", ...]


class BacklogSlice(NamedTuple):
    """All waiting appends, up to the row `last` of the journal."""

    last: int
    tables: Mapping[str, Appends]


def pending_events(table: str, head: int, after: int, recent: Appends) -> Iterator[StoredEvent]:
    """Return the waiting events that follow a projected head and the version `after`. Raises CorruptRecordError."""
    for append in recent:
        if append is None:
            raise CorruptRecordError(table, DAMAGED_ROW)
        if append.expected_version < head:
            continue  # projected meanwhile
        if append.expected_version > head:
            raise CorruptRecordError(table, gap_message(head, append.expected_version))
        for event in append.events:
            head += 1
            if head > after:
                yield StoredEvent(event.visibility, event.seat, event.payload, version=head)


class ProjectionBacklog:
    """Appends and replies that are not projected; filled in the writer's thread, read in the loop's."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._tables: dict[str, list[Append | None]] = {}
        self._replies: dict[CommandId, bytes] = {}
        self._last = 0
        self._appends = 0

    def __len__(self) -> int:
        """Return how many appends there are."""
        return self._appends

    def add(self, number: int, appends: Sequence[Append], damaged: Sequence[str] = ()) -> None:
        """Add the appends of a row of the journal, and the tables that it has corrupt."""
        with self._lock:
            self._last = number
            self._appends += len(appends)
            for table in damaged:
                self._tables.setdefault(table, []).append(None)
            for append in appends:
                self._tables.setdefault(append.table, []).append(append)
                key = command_id_of(append)
                if key is not None:
                    self._replies[key] = append.reply

    def reply(self, key: CommandId) -> bytes | None:
        """Return the reply to a recent command; None when it is projected already, or unknown."""
        return self._replies.get(key)

    def pending(self, table: str) -> Appends:
        """Return a table's appends that are not projected yet, in order."""
        with self._lock:
            return tuple(self._tables.get(table, ()))

    def peek(self) -> BacklogSlice | None:
        """Return everything that waits, or None; it stays until it is discarded."""
        with self._lock:
            if not self._tables:
                return None
            return BacklogSlice(self._last, {table: tuple(appends) for table, appends in self._tables.items()})

    def discard(self, done: Mapping[str, Appends]) -> None:
        """Remove the appends that are projected now."""
        with self._lock:
            for table, appends in done.items():
                remaining = self._tables[table][len(appends) :]
                if remaining:
                    self._tables[table] = remaining
                else:
                    del self._tables[table]
                for append in appends:
                    self._appends -= append is not None
                    key = None if append is None else command_id_of(append)
                    if key is not None:
                        self._replies.pop(key, None)


def gap_message(version: int, expected: int) -> str:
    """Return the description of a gap in a table's events."""
    return f"its events {version + 1} to {expected} are not in the journal"
