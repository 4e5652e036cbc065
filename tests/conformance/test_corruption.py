# ruff: noqa: S608 - the statements are the test's own
"""A stored row that is not what was written is noticed, whatever was done to it (issue 10, part 3, 9).

Both databases; a store in memory has no rows at rest.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Connection, text

from tests.conformance.databases import DATABASES, in_every_run
from triptych.store.errors import CorruptRecordError, DuplicateCommandError
from triptych.store.migrate import upgrade
from triptych.store.postgres.store import postgres_store
from triptych.store.sql.store import SqlStore
from triptych.store.sqlite.store import sqlite_store
from triptych.store.types import Append, IdempotencyKey, NewEvent, Posting, StoredSheet

pytestmark = pytest.mark.anyio

EVENTS = 9
MIDDLE = 5


@pytest.fixture(params=DATABASES)
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], SqlStore]:
    if request.param == "sqlite":
        return lambda: sqlite_store(tmp_path / "room.db")
    url = request.getfixturevalue("migrated")(f"t{uuid4().hex}")
    return lambda: postgres_store(url)


@pytest.fixture(params=DATABASES)
def make_empty(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], SqlStore]:
    """Return what makes stores on a database that has no schema yet."""
    if request.param == "sqlite":
        return lambda: sqlite_store(tmp_path / "room.db")
    url = request.getfixturevalue("postgres")(f"t{uuid4().hex}")
    return lambda: postgres_store(url)


@contextlib.asynccontextmanager
async def filled(make: Callable[[], SqlStore]) -> AsyncIterator[SqlStore]:
    """A store with two tables of several rows of every kind, one to be damaged and one beside it."""
    store = make()
    await store.open()
    appends = [
        Append(
            table=table,
            expected_version=number,
            events=(NewEvent("private" if number % 2 else "public", number % 2 or None, b"event %d" % number),),
            idempotency_key=IdempotencyKey("ann", f"c{number}"),
            reply=b"answer %d" % number,
            postings=(Posting("ann", f"bob{number % 2}", number + 1, "deal"),),
            summaries=(StoredSheet(number, 1, b"sheet %d" % number),),
        )
        for table in ("t", "other")
        for number in range(EVENTS)
    ]
    await asyncio.gather(*map(store.append, appends))
    await store.tables()  # whatever is read is projected first
    yield store
    await store.close()


async def change(store: SqlStore, *statements: str) -> None:
    def work(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))

    await store._writing.run(work)


async def flip(store: SqlStore, table: str, column: str, where: str) -> None:
    """Change one column of one row: a bit of its bytes, a letter of its text, one more of a number."""

    def work(connection: Connection) -> None:
        before: Any = connection.execute(text(f'SELECT "{column}" FROM {table} WHERE {where}')).scalar_one()
        after: Any
        match before:
            case bytes() | memoryview():
                raw = bytes(before)
                after = bytes([raw[0] ^ 1]) + raw[1:]
            case str():
                after = chr(ord(before[0]) ^ 1) + before[1:]
            case None:
                after = 0
            case _:
                after = before + 100
        changed = connection.execute(text(f'UPDATE {table} SET "{column}" = :after WHERE {where}'), {"after": after})
        assert changed.rowcount == 1

    await store._writing.run(work)


async def is_whole(store: SqlStore, table: str) -> None:
    """Read all that is stored of a table."""
    assert len(await store.load(table)) == EVENTS
    assert len(await store.load(table, after=EVENTS)) == 0
    assert len(await store.postings(table)) == EVENTS
    assert len(await store.deals(table)) == EVENTS
    for number in range(EVENTS):
        assert await store.reply(table, IdempotencyKey("ann", f"c{number}")) == b"answer %d" % number


@pytest.mark.parametrize(
    ("column", "version"),
    [
        *((column, MIDDLE) for column in ("table_id", "version", "payload", "checksum")),
        *(("payload", version) for version in (1, EVENTS)),
        *(
            pytest.param(column, version, marks=pytest.mark.slow)
            for column in ("table_id", "version", "checksum")
            for version in (1, EVENTS)
        ),
    ],
)
async def test_a_changed_event(make: Callable[[], SqlStore], column: str, version: int) -> None:
    async with filled(make) as store:
        await flip(store, "events", column, f"table_id = 't' AND version = {version}")
        with pytest.raises(CorruptRecordError) as damage:
            await store.load("t")
        assert damage.value.table == "t"
        with pytest.raises(CorruptRecordError):
            await store.load("t", after=version - 1)
        await is_whole(store, "other")


@pytest.mark.parametrize("missing", [(MIDDLE,), (1,), (EVENTS,), (EVENTS - 1, EVENTS), tuple(range(1, EVENTS + 1))])
async def test_missing_events(make: Callable[[], SqlStore], missing: tuple[int, ...]) -> None:
    """In the middle, at the beginning, cut off at the end, all."""
    async with filled(make) as store:
        await change(store, *(f"DELETE FROM events WHERE table_id = 't' AND version = {each}" for each in missing))
        for after in {0, max(0, missing[0] - 1)}:
            with pytest.raises(CorruptRecordError):
                await store.load("t", after)
        await is_whole(store, "other")


@pytest.mark.parametrize("pair", [(2, 3), (3, 7), (1, EVENTS)])
async def test_exchanged_events(make: Callable[[], SqlStore], pair: tuple[int, int]) -> None:
    """Two whole rows change places, checksums and all."""
    async with filled(make) as store:
        first, second = pair
        moves = ((first, 100), (second, first), (100, second))
        await change(
            store, *(f"UPDATE events SET version = {to} WHERE table_id = 't' AND version = {at}" for at, to in moves)
        )
        for after in (0, first - 1):
            with pytest.raises(CorruptRecordError):
                await store.load("t", after)
        await is_whole(store, "other")


@in_every_run("make", "sqlite", "postgres")
async def test_rows_of_another_table_do_not_pass(make: Callable[[], SqlStore]) -> None:
    async with filled(make) as store:
        at = f"version = {MIDDLE}"
        await change(
            store,
            f"DELETE FROM events WHERE table_id = 't' AND {at}",
            f"UPDATE events SET table_id = 't' WHERE table_id = 'other' AND {at}",
        )
        for table in ("t", "other"):
            with pytest.raises(CorruptRecordError):
                await store.load(table)


@pytest.mark.parametrize("column", ["table_id", "version", "checksum"])
async def test_a_changed_head(make: Callable[[], SqlStore], column: str) -> None:
    async with filled(make) as store:
        await flip(store, "streams", column, "table_id = 't'")
        for after in (0, MIDDLE):
            with pytest.raises(CorruptRecordError):
                await store.load("t", after)
        await is_whole(store, "other")


@pytest.mark.parametrize("column", ["answer", "checksum"])
async def test_a_changed_answer_is_never_sent(make: Callable[[], SqlStore], column: str) -> None:
    """Neither when it is asked for nor when its command is repeated, beside others that wait for the same commit."""
    async with filled(make) as store:
        await flip(store, "commands", column, "table_id = 't' AND cmd_id = 'c4'")
        with pytest.raises(CorruptRecordError):
            await store.reply("t", IdempotencyKey("ann", "c4"))
        repeated = Append(
            table="t",
            expected_version=EVENTS,
            events=(NewEvent("public", None, b"x"),),
            idempotency_key=IdempotencyKey("ann", "c4"),
            reply=b"y",
        )
        with pytest.raises(CorruptRecordError):
            await store.append(repeated)
        assert await store.reply("t", IdempotencyKey("ann", "c5")) == b"answer 5"
        with pytest.raises(DuplicateCommandError):
            await store.append(
                Append(
                    table="other",
                    expected_version=EVENTS,
                    events=(),
                    idempotency_key=IdempotencyKey("ann", "c4"),
                    reply=b"y",
                )
            )
        await is_whole(store, "other")


@pytest.mark.parametrize("column", ["deal", "match", "payload", "checksum"])
async def test_a_changed_sheet(make: Callable[[], SqlStore], column: str) -> None:
    async with filled(make) as store:
        await flip(store, "deals", column, f"table_id = 't' AND deal = {MIDDLE}")
        with pytest.raises(CorruptRecordError):
            await store.deals("t")
        await is_whole(store, "other")


@pytest.mark.parametrize("column", ["table_id", "debit", "credit", "points", "reason", "checksum"])
async def test_a_changed_posting(make: Callable[[], SqlStore], column: str) -> None:
    async with filled(make) as store:
        await flip(store, "postings", column, f"table_id = 't' AND points = {MIDDLE}")
        with pytest.raises(CorruptRecordError):
            await store.postings("t")
        await is_whole(store, "other")


@pytest.mark.parametrize("points", [1, MIDDLE, EVENTS])
async def test_a_missing_posting(make: Callable[[], SqlStore], points: int) -> None:
    async with filled(make) as store:
        await change(store, f"DELETE FROM postings WHERE table_id = 't' AND points = {points}")
        with pytest.raises(CorruptRecordError):
            await store.postings("t")
        await is_whole(store, "other")


async def test_a_database_without_checksums_gets_them(make_empty: Callable[[], SqlStore]) -> None:
    """Schema 0001, as it was released: its rows stay what they were, and are guarded from then on."""
    store = make_empty()

    def as_it_was(connection: Connection) -> None:
        upgrade(connection, "0001")
        for table, versions in (("t", 3), ("empty", 1)):
            connection.execute(
                text("INSERT INTO streams (table_id, version, ended) VALUES (:table, :version, :ended)"),
                {"table": table, "version": versions, "ended": False},
            )
            for version in range(1, versions + 1):
                row = {"table": table, "version": version, "seat": version % 2 or None, "payload": b"e%d" % version}
                connection.execute(
                    text("INSERT INTO events VALUES (:table, :version, 'private', :seat, :payload)"), row
                )
        connection.execute(text("INSERT INTO commands VALUES ('t', 'ann', 'c1', :answer)"), {"answer": b"told"})
        connection.execute(
            text("INSERT INTO postings (table_id, debit, credit, points, reason) VALUES ('t', 'a', 'b', 5, 'deal')")
        )
        connection.execute(text("INSERT INTO deals VALUES ('t', 1, 1, :payload)"), {"payload": b"sheet"})

    await store._writing.run(as_it_was)
    await store.open()
    assert [event.payload for event in await store.load("t")] == [b"e1", b"e2", b"e3"]
    assert [event.seat for event in await store.load("t", after=1)] == [None, 1]
    assert len(await store.load("empty")) == 1
    assert await store.reply("t", IdempotencyKey("ann", "c1")) == b"told"
    assert list(await store.postings("t")) == [Posting("a", "b", 5, "deal")]
    assert list(await store.deals("t")) == [StoredSheet(1, 1, b"sheet")]
    posting = Posting("b", "a", 1, "deal 2")
    await store.append(
        Append(table="t", expected_version=3, events=(NewEvent("public", None, b"e4"),), postings=(posting,))
    )
    assert len(await store.load("t")) == 4
    assert list(await store.postings("t")) == [Posting("a", "b", 5, "deal"), posting]
    await flip(store, "events", "payload", "table_id = 't' AND version = 3")
    with pytest.raises(CorruptRecordError):
        await store.load("t")
    await store.close()
