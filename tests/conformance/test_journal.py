# ruff: noqa: S608 - the statements are the test's own
"""What the journal promises (issue 12, 1a): fenced, chained from row to row, and everything else is made from it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import Connection, text

from tests.conformance.databases import DATABASES, in_every_run
from tests.conformance.test_corruption import change, flip, is_whole
from tests.old_schema import downgrade_to_0008
from triptych.store.errors import CorruptRecordError, DuplicateCommandError, VersionConflictError
from triptych.store.file_lock import DatabaseInUseError
from triptych.store.journal.batch import Outcome
from triptych.store.journal.rows import JournalProgram, ReadCommandIds, ReadHeads, ReadReplies, WriteRow
from triptych.store.leases.interface import ServerInfo
from triptych.store.migrate import upgrade
from triptych.store.postgres.store import postgres_store
from triptych.store.sql.store import SqlStore
from triptych.store.sqlite.store import sqlite_store
from triptych.store.types import Append, IdempotencyKey, NewEvent, Posting, StoredEvent, StoredSheet

pytestmark = pytest.mark.anyio
ME = ServerInfo(os.getpid(), 1_700_000_000_000)
Make = Callable[[], SqlStore]


@pytest.fixture(params=DATABASES)
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    if request.param == "sqlite":
        return lambda: sqlite_store(tmp_path / "room.db")
    url = request.getfixturevalue("migrated")(f"t{uuid4().hex}")
    return lambda: postgres_store(url)


@pytest.fixture(params=DATABASES)
def make_empty(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Return what makes stores on a database that has no schema yet."""
    if request.param == "sqlite":
        return lambda: sqlite_store(tmp_path / "room.db")
    url = request.getfixturevalue("postgres")(f"t{uuid4().hex}")
    return lambda: postgres_store(url)


def append(table: str, number: int) -> Append:
    """Return what `tests.conformance.test_corruption.is_whole` looks for, one of nine."""
    return Append(
        table=table,
        expected_version=number,
        events=(NewEvent("private" if number % 2 else "public", number % 2 or None, b"event %d" % number),),
        idempotency_key=IdempotencyKey("ann", f"c{number}"),
        reply=b"answer %d" % number,
        postings=(Posting("ann", f"bob{number % 2}", number + 1, "deal"),),
        summaries=(StoredSheet(number, 1, b"sheet %d" % number),),
    )


async def unprojected(make: Make, batches: Sequence[Sequence[Append]]) -> None:
    """Write batches, a row of the journal each, and die before anything is made of them."""
    store = make()
    await store.open()
    await store._projector.close()
    for batch in batches:
        assert await store._commit(batch) == [each.expected_version + 1 for each in batch]
    await store.close()


async def rows(store: SqlStore, table: str) -> int:
    query = text(f"SELECT count(*) FROM {table}")
    count: int = await store._reading.run(lambda connection: connection.execute(query).scalar_one())
    return count


@in_every_run("make", "sqlite", "postgres")
async def test_a_batch_is_one_row_and_is_projected_when_it_is_opened_again(make: Make) -> None:
    batches = [[append("t", number), append("other", number)] for number in range(9)]
    await unprojected(make, batches)
    store = make()
    await store.open()
    assert await rows(store, "journal") == 9
    assert await rows(store, "events") == 18
    await is_whole(store, "t")
    await is_whole(store, "other")
    await store.close()


@in_every_run("make", "sqlite", "postgres")
async def test_appends_that_are_not_projected_still_count(make: Make) -> None:
    """Versions and answers of a moment ago are refused from memory; whatever is read is projected first."""
    store = make()
    await store.open(ME)
    await store._projector.close()
    await store.append(append("t", 0))
    assert await rows(store, "events") == 0
    with pytest.raises(DuplicateCommandError) as repeated:
        await store.append(append("t", 0))
    assert repeated.value.answer == b"answer 0"
    with pytest.raises(VersionConflictError) as conflict:
        await store.append(append("t", 5))
    assert conflict.value.actual == 1
    assert await rows(store, "events") == 0
    assert await store.reply("t", IdempotencyKey("ann", "c0")) == b"answer 0"
    assert await store.reply("t", IdempotencyKey("ann", "c1")) is None
    assert await rows(store, "events") == 0
    assert [event.payload for event in await store.load("t")] == [b"event 0"]
    assert list(await store.load("t", after=1)) == []
    assert await rows(store, "events") == 0
    assert list(await store.tables()) == ["t"]
    assert await rows(store, "events") == 1
    for number in range(1, 9):
        await store.append(append("t", number))
    await is_whole(store, "t")
    assert await store.balance("ann") == -sum(range(1, 10))
    await store.close()


async def test_a_reader_beside_the_server_sees_what_is_committed(make: Make) -> None:
    server, reader = make(), make()
    await server.open(ME)
    await server._projector.close()
    await reader.open()
    for number in range(9):
        await server.append(append("t", number))
        assert len(await reader.load("t")) == number + 1
    # It projected for the server, which goes on.
    await is_whole(server, "t")
    await is_whole(reader, "t")
    await asyncio.gather(server.close(), reader.close())


@pytest.mark.parametrize("column", ["frame", "tables", "checksum", "epoch"])
async def test_a_damaged_row_stops_the_tables_in_it_alone(make: Make, column: str) -> None:
    """Row 5 is altered before anything is made of it: its table stops, those before and behind it do not."""
    batches = [[append("other", number)] for number in range(9)]
    batches.insert(4, [append("t", 0)])
    batches.append([append("t", 1)])
    await unprojected(make, batches)
    store = make()
    await flip(store, "journal", column, "number = 5")
    await store.open()
    await is_whole(store, "other")
    # Its name is among what was altered: then the table stops where its record goes on without what is lost.
    with pytest.raises(CorruptRecordError) as damage:
        await store.load("t")
    assert damage.value.table == "t"
    for read in (store.postings("t"), store.deals("t"), store.reply("t", IdempotencyKey("ann", "c0"))):
        with pytest.raises(CorruptRecordError):
            await read
    with pytest.raises(CorruptRecordError):
        await store.append(append("t", 2))
    assert await store.append(append("more", 0)) == 1
    await store.close()


@in_every_run("make", "sqlite", "postgres")
async def test_a_server_that_lost_the_claim_writes_nothing_more(make: Make) -> None:
    """As a process that was paused: it holds what it held, and another one serves the database."""
    old, new = make(), make()
    await old.open(ME)
    await old.append(append("t", 0))
    await change(new, "UPDATE marks SET value = value + 1 WHERE name = 'epoch'")
    await new.open()
    with pytest.raises(DatabaseInUseError):
        await old.append(append("t", 1))
    with pytest.raises(DatabaseInUseError):
        await old.append(append("new", 0))
    with pytest.raises(DatabaseInUseError):
        await old.barrier()
    assert await new.append(append("t", 1)) == 2
    with pytest.raises(DatabaseInUseError):
        await old.append(append("t", 2))
    assert [event.payload for event in await new.load("t")] == [b"event 0", b"event 1"]
    assert await rows(new, "journal") == 2
    await asyncio.gather(old.close(), new.close())


async def test_a_reader_goes_on_when_a_server_opens_the_database(make: Make) -> None:
    reader, server = make(), make()
    await reader.open()
    assert list(await reader.tables()) == []
    await server.open(ME)
    await server.append(append("t", 0))
    assert len(await reader.load("t")) == 1
    await asyncio.gather(server.close(), reader.close())


@in_every_run("make", "sqlite", "postgres")
async def test_everything_is_rebuilt_from_the_journal(make: Make) -> None:
    store = make()
    await store.open()
    await asyncio.gather(*(store.append(append(table, number)) for table in ("t", "other") for number in range(9)))
    await store.append(
        Append(table="over", expected_version=0, events=(NewEvent("public", None, b"x"),), ends_stream=True)
    )

    async def everything() -> list[object]:
        kinds = (store.load, store.deals, store.postings)
        read = [tuple(await kind(table)) for kind in kinds for table in ("t", "other", "over")]
        return [*read, list(await store.tables()), await store.balance("bob1"), await store.balance("ann")]

    before = await everything()
    first = await store.rebuild()
    assert [
        (projection.name, projection.rows, projection.before, projection.same) for projection in first.projections
    ] == [
        ("streams", 3, 3, True),
        ("events", 19, 19, True),
        ("commands", 18, 18, True),
        ("postings", 18, 18, True),
        ("deals", 18, 18, True),
    ]
    await flip(store, "events", "payload", "table_id = 't' AND version = 3")
    again = await store.rebuild()
    assert [projection.name for projection in again.projections if not projection.same] == ["events"]
    assert again.damaged == ()
    assert await everything() == before
    await is_whole(store, "t")
    await store.close()


async def test_a_long_record_is_read_in_pages(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """From wherever it is read, and however much of it is projected; damage is found on every page."""
    monkeypatch.setattr("triptych.store.sql.store.PAGE", 4)
    store = make()
    await store.open()
    for number in range(9):
        await store.append(append("t", number))
    for projected in (False, True):
        if projected:
            await store.tables()
        for after in range(11):
            assert [event.version for event in await store.load("t", after)] == list(range(after + 1, 10))
    for version in range(1, 10):
        hurt = f"table_id = 't' AND version = {version}"
        await flip(store, "events", "payload", hurt)
        with pytest.raises(CorruptRecordError, match=f"event {version} is not"):
            await store.load("t")
        await flip(store, "events", "payload", hurt)
    await is_whole(store, "t")
    await store.close()


def long_append(first: int, events: int, table: str = "t", *, ends: bool = False) -> Append:
    new = tuple(
        NewEvent("private", number % 3, b"event %d" % number) for number in range(first + 1, first + events + 1)
    )
    return Append(
        table=table,
        expected_version=first,
        events=new,
        idempotency_key=IdempotencyKey("ann", f"c{first}"),
        reply=b"y",
        ends_stream=ends,
    )


async def test_the_events_of_an_append_lie_in_one_row(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read from wherever it is, in its middle too; damage and loss are named by what they concern."""
    monkeypatch.setattr("triptych.store.sql.store.PAGE", 3)
    store = make()
    await store.open(ME)
    lengths = (4, 1, 3, 6, 1, 1, 2)
    for number, length in enumerate(lengths):
        await store.append(long_append(sum(lengths[:number]), length))
    whole = [(number, number % 3, b"event %d" % number) for number in range(1, sum(lengths) + 1)]
    for projected in (False, True):
        if projected:
            await store.tables()
        for after in range(sum(lengths) + 2):
            events = await store.load("t", after)
            assert [(event.version, event.seat, event.payload) for event in events] == whole[after:]
    assert await rows(store, "events") == len(lengths)
    await flip(store, "events", "payload", "table_id = 't' AND version = 14")
    with pytest.raises(CorruptRecordError, match="events 9 to 14 are not what was written"):
        await store.load("t")
    assert len(await store.load("t", 14)) == 4
    await flip(store, "events", "payload", "table_id = 't' AND version = 14")
    await change(store, "DELETE FROM events WHERE table_id = 't' AND version = 8")
    for after in (0, 7, 8, 13):
        with pytest.raises(CorruptRecordError, match="event 6 is missing"):
            await store.load("t", after)
    assert len(await store.load("t", 14)) == 4
    await store.close()


async def test_a_database_with_a_row_an_event_is_rewritten(make: Make) -> None:
    """Schema 0008: also tables that are put away, with what came later; what was damaged stays so until rebuilt."""
    store = make()
    await store.open(ME)
    for first, length in ((0, 4), (4, 1), (5, 3)):
        for table in ("t", "hurt", "away"):
            await store.append(long_append(first, length, table, ends=table == "away" and first == 5))
    await store.append(long_append(0, 2, "later", ends=True))
    for table, version in (("away", 8), ("later", 2)):
        assert await store.archive.archive(table, version, 1_000)
    await store.archive.compact()
    await store.append(long_append(2, 3, "later", ends=True))
    tables = ("t", "away", "later")
    before = {table: tuple(await store.load(table)) for table in tables}
    await store.tables()
    await store._writing.run(downgrade_to_0008)
    await change(store, "UPDATE events SET seat = 7 WHERE table_id = 'hurt' AND version = 3")
    await store.close()
    store = make()
    await store.open(ME)
    assert {table: tuple(await store.load(table)) for table in tables} == before
    with pytest.raises(CorruptRecordError, match="before its events lay"):
        await store.load("hurt")
    assert await rows(store, "events") == 4
    await store.append(long_append(8, 2))
    once = await store.rebuild()
    assert [projection.name for projection in once.projections if not projection.same] == ["streams", "events"]
    again = await store.rebuild()
    assert [projection.name for projection in again.projections if not projection.same] == []
    assert {table: tuple(await store.load(table)) for table in tables if table != "t"} == {
        table: before[table] for table in tables if table != "t"
    }
    assert (len(await store.load("t")), len(await store.load("hurt"))) == (10, 8)
    await store.close()


def noted(steps: JournalProgram[Sequence[Outcome]], operations: list[type]) -> JournalProgram[Sequence[Outcome]]:
    """Do the steps, and note the types of the operations that they ask for."""
    try:
        ask = next(steps)
        while True:
            operations.append(type(ask))
            ask = steps.send((yield ask))
    except StopIteration as done:
        outcomes: Sequence[Outcome] = done.value
        return outcomes


async def asked_by(store: SqlStore, each: Append) -> tuple[Outcome, list[type]]:
    """Return the outcome of an append, and the types of the operations that the database is asked for."""
    operations: list[type] = []
    (outcome,) = await store._journal.run(noted(store._writer.commit([each]), operations))
    return outcome, operations


@pytest.mark.parametrize("limit", [1_000, 2])
async def test_a_new_command_asks_the_database_nothing(
    make: Make, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    """Of a table known so far; a repeated one gets its first answer, wherever that is. A long table is not read."""
    monkeypatch.setattr("triptych.store.journal.writer.FILTER_MAX_EVENTS", limit)
    long = limit == 2
    store = make()
    await store.open(ME)
    await store._projector.close()
    first, second = [append("t", number) for number in (0, 1)]
    assert await asked_by(store, first) == (1, [ReadHeads, ReadCommandIds, WriteRow])
    assert await asked_by(store, second) == (2, [WriteRow])
    for each in (first, second):  # told from memory
        outcome, operations = await asked_by(store, each)
        assert (repr(outcome), operations) == (repr(DuplicateCommandError(each.reply)), [])
    assert await store.append(append("t", 2)) == 3
    await store.close()
    store = make()
    await store.open(ME)
    outcome, operations = await asked_by(store, second)
    assert isinstance(outcome, DuplicateCommandError)
    assert outcome.answer == second.reply
    assert operations == [ReadHeads, ReadReplies] if long else [ReadHeads, ReadCommandIds, ReadReplies]
    assert await asked_by(store, append("t", 3)) == (4, [ReadReplies, WriteRow] if long else [WriteRow])
    await store.tables()  # it is projected
    outcome, operations = await asked_by(store, append("t", 3))
    assert isinstance(outcome, DuplicateCommandError)
    assert (outcome.answer, operations) == (b"answer 3", [ReadReplies])
    assert await asked_by(store, append("t", 4)) == (5, [ReadReplies, WriteRow] if long else [WriteRow])
    await store.close()


async def test_an_older_database_is_written_into_the_journal(make_empty: Make) -> None:
    """Schema 0003, with its checksums: what is whole can be made again, what is corrupt stays so."""
    store = make_empty()

    def as_it_was(connection: Connection) -> None:
        upgrade(connection, "0001")
        for table in ("t", "hurt"):
            connection.execute(
                text("INSERT INTO streams (table_id, version, ended) VALUES (:table, 3, :ended)"),
                {"table": table, "ended": table == "t"},
            )
            for version in range(1, 4):
                row = {"table": table, "version": version, "payload": b"e%d" % version}
                connection.execute(
                    text("INSERT INTO events VALUES (:table, :version, 'public', NULL, :payload)"), row
                )
        connection.execute(text("INSERT INTO commands VALUES ('t', 'ann', 'c1', :answer)"), {"answer": b"told"})
        connection.execute(
            text("INSERT INTO postings (table_id, debit, credit, points, reason) VALUES ('t', 'a', 'b', 5, 'deal')")
        )
        connection.execute(text("INSERT INTO deals VALUES ('t', 1, 1, :payload)"), {"payload": b"sheet"})
        upgrade(connection, "0003")
        connection.execute(text("DELETE FROM events WHERE table_id = 'hurt' AND version = 2"))

    await store._writing.run(as_it_was)
    await store.open()

    async def stored_content() -> tuple[tuple[StoredEvent, ...], tuple[str, ...]]:
        assert await store.reply("t", IdempotencyKey("ann", "c1")) == b"told"
        assert list(await store.postings("t")) == [Posting("a", "b", 5, "deal")]
        assert list(await store.deals("t")) == [StoredSheet(1, 1, b"sheet")]
        with pytest.raises(CorruptRecordError):
            await store.load("hurt")
        return tuple(await store.load("t")), tuple(await store.tables())

    before = await stored_content()
    assert [event.payload for event in before[0]] == [b"e1", b"e2", b"e3"]
    await store.rebuild()
    assert await stored_content() == before
    assert await store.append(append("t", 3)) == 4
    with pytest.raises(CorruptRecordError):
        await store.append(append("hurt", 3))
    await store.close()
