"""What outlives a crash: the journal, what was made of it, marks, snapshots. Each step is all or nothing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from tests.memory_store.archive import MemoryArchive, MemoryTables
from tests.memory_store.credentials import MemoryCredentials
from tests.memory_store.daily import MemoryDailyResults
from tests.memory_store.results import MemoryResults
from tests.memory_store.reviews import MemoryReviews
from tests.memory_store.snapshots import MemorySnapshots
from triptych.store.errors import CorruptRecordError
from triptych.store.journal.backlog import DAMAGED_ROW, gap_message
from triptych.store.journal.batch import command_id_of
from triptych.store.journal.rows import (
    PAGE_SIZE,
    PARTITION_SHIFT,
    JournalRow,
    ReadCommandIds,
    ReadHeads,
    ReadPosition,
    ReadReplies,
    ReadRows,
    WriteRow,
)
from triptych.store.types import Append, Player, Posting, StoredEvent, StoredSheet

if TYPE_CHECKING:
    from random import Random

    from tests.simulation.leases import Server
    from triptych.store.journal.backlog import Appends
    from triptych.store.journal.batch import CommandId
    from triptych.store.journal.rows import JournalOp


class Disk:
    """The journal's rows are the truth; `streams` and what follows are projected from them."""

    def __init__(self) -> None:
        self.rows: list[JournalRow] = []  # of lane 0
        self.lanes: dict[int, list[JournalRow]] = {0: self.rows}
        self.servers: dict[int, Server] = {}  # by lane
        self.leases: dict[str, int] = {}
        self.lost: dict[str, int] = {}
        self.epoch = 0
        self.reached: Counter[int] = Counter()  # how many rows of a lane are projected
        self.streams: dict[str, list[StoredEvent]] = {}
        self.answers: dict[CommandId, bytes] = {}
        self.postings: list[tuple[str, Posting]] = []
        self.deals: dict[str, list[StoredSheet]] = {}
        self.ended: set[str] = set()
        self.damage: dict[str, str] = {}
        self.secrets: dict[str, bytes] = {}
        self.players: dict[str, Player] = {}
        self.alive = 0
        self.full = False
        self.altered: set[int] = set()
        self.snapshots = MemorySnapshots(self.streams, self.ended)
        self.records = MemoryResults(self.streams)
        self.reviews = MemoryReviews()
        self.daily = MemoryDailyResults()
        self.people = MemoryCredentials(self.players, self.records, self.reviews, self.daily)
        tables = MemoryTables(self.streams, self.ended, self.answers, self.postings, self.deals)
        self.archive = MemoryArchive(tables, self.snapshots, self.records, self.people, self.reviews)

    def do(self, ask: JournalOp) -> Any:
        """Answer what the journal's writer asks; as the statements of the databases do."""
        match ask:
            case WriteRow(row):
                return self.write(row)
            case ReadReplies(keys):
                return {key: self.answers[key] for key in keys if key in self.answers}
            case ReadHeads(tables):
                return {
                    table: CorruptRecordError(table, self.damage[table])
                    if table in self.damage
                    else len(self.streams[table])
                    for table in tables
                    if table in self.streams or table in self.damage
                }
            case ReadCommandIds(tables):
                return [key for key in self.answers if key[0] in tables]
            case ReadRows(number):
                lane, place = number >> PARTITION_SHIFT, number & ((1 << PARTITION_SHIFT) - 1)
                return self.lanes[lane][max(0, place - 1) :][:PAGE_SIZE]
            case ReadPosition(lane):
                fence = (0 if self.servers[lane].over else lane) if lane else self.epoch
                return fence, (lane << PARTITION_SHIFT) + self.reached[lane]

    def write(self, row: JournalRow) -> bool:
        """Write a row behind the last one, if its epoch is not over."""
        if self.full:
            raise OSError("no space left")
        lane = row.number >> PARTITION_SHIFT
        over = self.servers[lane].over if lane else row.epoch != self.epoch
        if over or row.number != (lane << PARTITION_SHIFT) + len(self.lanes[lane]) + 1:
            return False
        self.lanes[lane].append(row)
        return True

    def project(self, table: str, appends: Appends) -> None:
        """Make what is read from what is new of a table in the journal."""
        if self.full:
            raise OSError("no space left")
        for append in appends:
            if append is None:
                self.damage.setdefault(table, DAMAGED_ROW)
            elif table not in self.damage:
                self._project(append)

    def reach(self, last: int) -> None:
        """Note that everything up to a row of a lane is projected."""
        lane = last >> PARTITION_SHIFT
        self.reached[lane] = max(self.reached[lane], last - (lane << PARTITION_SHIFT))

    def _project(self, append: Append) -> None:
        stream = self.streams.setdefault(append.table, [])
        if append.expected_version < len(stream):
            return
        if append.expected_version > len(stream):
            self.damage[append.table] = gap_message(len(stream), append.expected_version)
            return
        for event in append.events:
            stream.append(StoredEvent(event.visibility, event.seat, event.payload, version=len(stream) + 1))
        key = command_id_of(append)
        if key is not None:
            self.answers[key] = append.reply
        self.postings += [(append.table, posting) for posting in append.postings]
        self.deals.setdefault(append.table, []).extend(append.summaries)
        if append.ends_stream:
            self.ended.add(append.table)

    def alter(self, rng: Random) -> bool:
        """Damage a row that is not projected yet, by a bit or by its end; False when there is none."""
        some = [number for number in range(self.reached[0] + 1, len(self.rows) + 1) if number not in self.altered]
        if not some:
            return False
        number = rng.choice(some)
        row = self.rows[number - 1]
        if rng.random() < 0.5:
            frame = row.frame[: rng.randrange(len(row.frame))]
        else:
            at = rng.randrange(len(row.frame))
            frame = row.frame[:at] + bytes([row.frame[at] ^ (1 << rng.randrange(8))]) + row.frame[at + 1 :]
        self.rows[number - 1] = msgspec.structs.replace(row, frame=frame)
        self.altered.add(number)
        return True
