"""What is in the journal and not projected yet, by table: whatever is asked for meanwhile is answered from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Final, NamedTuple

from triptych.store.errors import CorruptRecordError
from triptych.store.journal.batch import CommandId, command_id_of
from triptych.store.types import Append, StoredEvent

DAMAGED_ROW: Final = "a row of the journal is not what was written"
# None stands for what is damaged.
Appends = tuple["Append | None", ...]


class BacklogSlice(NamedTuple):
    """What is to be projected together: everything up to a row of the journal that was not yet."""

    last: int
    tables: Mapping[str, Appends]


def pending_events(table: str, head: int, after: int, recent: Appends) -> Iterator[StoredEvent]:
    """Return the events behind a projected head, and after a version. Raises Damaged."""
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
    """Filled in the thread that writes, read in the loop's."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._tables: dict[str, list[Append | None]] = {}
        self._answers: dict[CommandId, bytes] = {}
        self._last = 0
        self._appends = 0

    def __len__(self) -> int:
        """Return how many appends there are."""
        return self._appends

    def add(self, number: int, appends: Sequence[Append], damaged: Sequence[str] = ()) -> None:
        """Note a row of the journal."""
        with self._lock:
            self._last = number
            self._appends += len(appends)
            for table in damaged:
                self._tables.setdefault(table, []).append(None)
            for append in appends:
                self._tables.setdefault(append.table, []).append(append)
                key = command_id_of(append)
                if key is not None:
                    self._answers[key] = append.reply

    def answer(self, key: CommandId) -> bytes | None:
        """Return what a command of a moment ago was told; None when it has none, or the projection knows it."""
        return self._answers.get(key)

    def pending(self, table: str) -> Appends:
        """Return what is not projected yet of a table, in order."""
        with self._lock:
            return tuple(self._tables.get(table, ()))

    def peek(self) -> BacklogSlice | None:
        """Return everything there is; it stays until it is dropped. None when there is nothing."""
        with self._lock:
            if not self._tables:
                return None
            return BacklogSlice(self._last, {table: tuple(appends) for table, appends in self._tables.items()})

    def discard(self, done: Mapping[str, Appends]) -> None:
        """Forget what is projected of some tables."""
        with self._lock:
            for table, appends in done.items():
                left = self._tables[table][len(appends) :]
                if left:
                    self._tables[table] = left
                else:
                    del self._tables[table]
                for append in appends:
                    self._appends -= append is not None
                    key = None if append is None else command_id_of(append)
                    if key is not None:
                        self._answers.pop(key, None)


def gap_message(version: int, expected: int) -> str:
    """Return what is said of a table whose record goes on behind what is not there."""
    return f"its events {version + 1} to {expected} are not in the journal"
