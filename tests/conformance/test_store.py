"""What every store promises. One suite for all back ends."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.memory_store.store import MemoryStore
from triptych.store.errors import DuplicateCommandError, StoreClosedError, VersionConflictError
from triptych.store.interface import EventStore
from triptych.store.postgres.store import postgres_store
from triptych.store.sqlite.store import sqlite_store
from triptych.store.types import Append, IdempotencyKey, NewEvent, Player, Posting, StoredSheet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

pytestmark = pytest.mark.anyio


def maker(kind: str, request: pytest.FixtureRequest, folder: Path) -> Callable[[], EventStore]:
    """Return what makes stores on one and the same new database."""
    if kind == "memory":
        return MemoryStore
    if kind == "sqlite":
        return lambda: sqlite_store(folder / "room.db")
    url = request.getfixturevalue("migrated")(f"t{uuid4().hex}")
    return lambda: postgres_store(url)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[EventStore]:
    event_store = maker(request.param, request, tmp_path)()
    await event_store.open()
    yield event_store
    await event_store.close()


def public(payload: bytes) -> NewEvent:
    return NewEvent("public", None, payload)


def bought_in(points: int) -> Posting:
    return Posting("player:ann", "table:t:ann", points, "buy-in")


async def test_versions_count_from_one_without_holes(store: EventStore) -> None:
    first = await store.append(
        Append(table="t", expected_version=0, events=(public(b"a"), NewEvent("private", 2, b"b")))
    )
    second = await store.append(Append(table="t", expected_version=2, events=(NewEvent("sealed", None, b"c"),)))
    assert (first, second) == (2, 3)
    events = await store.load("t")
    assert [(event.version, event.visibility, event.seat, event.payload) for event in events] == [
        (1, "public", None, b"a"),
        (2, "private", 2, b"b"),
        (3, "sealed", None, b"c"),
    ]
    assert [event.version for event in await store.load("t", after=2)] == [3]
    assert list(await store.load("nobody")) == []


async def test_a_stale_version_is_refused_and_nothing_is_written(store: EventStore) -> None:
    await store.append(Append(table="t", expected_version=0, events=(public(b"a"),)))
    stale = Append(
        table="t",
        expected_version=0,
        events=(public(b"b"),),
        idempotency_key=IdempotencyKey("ann", "c1"),
        reply=b"done",
        postings=(bought_in(5),),
    )
    with pytest.raises(VersionConflictError) as conflict:
        await store.append(stale)
    assert conflict.value.actual == 1
    assert len(await store.load("t")) == 1
    assert await store.reply("t", IdempotencyKey("ann", "c1")) is None
    assert await store.balance("table:t:ann") == 0


async def test_a_repeated_command_gets_its_first_answer(store: EventStore) -> None:
    done = Append(
        table="t",
        expected_version=0,
        events=(public(b"a"),),
        idempotency_key=IdempotencyKey("ann", "c1"),
        reply=b"first",
    )
    await store.append(done)
    again = Append(
        table="t",
        expected_version=1,
        events=(public(b"b"),),
        idempotency_key=IdempotencyKey("ann", "c1"),
        reply=b"second",
    )
    with pytest.raises(DuplicateCommandError) as repeated:
        await store.append(again)
    assert repeated.value.answer == b"first"
    assert await store.reply("t", IdempotencyKey("ann", "c1")) == b"first"
    assert len(await store.load("t")) == 1


async def test_a_command_id_belongs_to_its_table_and_player(store: EventStore) -> None:
    for table, player in (("t", "ann"), ("t", "bob"), ("u", "ann")):
        expected = len(await store.load(table))
        await store.append(
            Append(
                table=table,
                expected_version=expected,
                events=(public(b"x"),),
                idempotency_key=IdempotencyKey(player, "1"),
                reply=b"ok",
            )
        )
    assert (len(await store.load("t")), len(await store.load("u"))) == (2, 1)


async def test_appends_that_wait_together_are_judged_one_by_one(store: EventStore) -> None:
    """Two appends of one table at the same version in one batch: one is written, the other refused."""
    same = [Append(table="t", expected_version=0, events=(public(bytes([n])),)) for n in range(2)]
    other = [Append(table=f"u{n}", expected_version=0, events=(public(b"u"),)) for n in range(20)]
    twice = [
        Append(
            table="w",
            expected_version=n,
            events=(public(b"w"),),
            idempotency_key=IdempotencyKey("ann", "c"),
            reply=bytes([n]),
        )
        for n in range(2)
    ]
    outcomes = await asyncio.gather(*map(store.append, [*same, *other, *twice]), return_exceptions=True)
    assert outcomes[0] == 1
    assert isinstance(outcomes[1], VersionConflictError)
    assert outcomes[2:23] == [1] * 21
    assert isinstance(outcomes[23], DuplicateCommandError)
    assert outcomes[23].answer == b"\x00"
    assert [event.payload for event in await store.load("t")] == [b"\x00"]


async def test_the_ledger_has_two_sides_and_follows_the_events(store: EventStore) -> None:
    await store.append(Append(table="t", expected_version=0, events=(public(b"sit"),), postings=(bought_in(100),)))
    won = Posting("table:t:bob", "table:t:ann", 7, "deal 1")
    await store.append(Append(table="t", expected_version=1, events=(public(b"deal"),), postings=(won,)))
    accounts = ("player:ann", "table:t:ann", "table:t:bob")
    balances = [await store.balance(account) for account in accounts]
    assert balances == [-100, 107, -7]
    assert sum(balances) == 0
    assert list(await store.postings("t")) == [bought_in(100), won]
    assert await store.balance("player:nobody") == 0


async def test_deals_are_listed_newest_first(store: EventStore) -> None:
    for number in range(1, 4):
        await store.append(
            Append(
                table="t",
                expected_version=number - 1,
                events=(public(b"d"),),
                summaries=(StoredSheet(number, 1, b"sheet %d" % number),),
            )
        )
    assert [deal.deal for deal in await store.deals("t")] == [3, 2, 1]
    assert list(await store.deals("t", limit=1)) == [StoredSheet(3, 1, b"sheet 3")]
    assert list(await store.deals("u")) == []


async def test_ended_tables_are_not_recovered(store: EventStore) -> None:
    for table in ("b", "a", "c"):
        await store.append(Append(table=table, expected_version=0, events=(public(b"x"),)))
    await store.append(Append(table="a", expected_version=1, events=(public(b"closed"),), ends_stream=True))
    assert list(await store.tables()) == ["b", "c"]
    assert len(await store.load("a")) == 2


async def test_guests_and_secrets_are_kept(store: EventStore) -> None:
    assert await store.player("p1") is None
    await store.save_player(Player("p1", "Ann"))
    await store.save_player(Player("p1", "Anna"))
    assert await store.player("p1") == Player("p1", "Anna")
    assert await store.get_or_create_secret("cookie", b"first") == b"first"
    assert await store.get_or_create_secret("cookie", b"second") == b"first"


async def test_the_last_heartbeat_is_stored(store: EventStore) -> None:
    assert await store.last_alive() == 0
    await store.record_alive(1_700_000_000_000)
    await store.record_alive(1_700_000_002_000)
    assert await store.last_alive() == 1_700_000_002_000
    assert await store.last_clock() == 0
    await store.note_clock(1_700_000_003_000)
    await store.note_clock(1_700_000_001_000)
    assert (await store.last_clock(), await store.last_alive()) == (1_700_000_001_000, 1_700_000_002_000)


async def test_a_write_is_tried(store: EventStore) -> None:
    for _ in range(2):
        await store.try_write()


async def test_closing_writes_queued_appends_and_then_refuses_others(store: EventStore) -> None:
    waiting = [
        asyncio.ensure_future(store.append(Append(table=f"t{n}", expected_version=0, events=(public(b"x"),))))
        for n in range(5)
    ]
    await asyncio.sleep(0)
    await store.close()
    assert [await future for future in waiting] == [1] * 5
    with pytest.raises(StoreClosedError):
        await store.append(Append(table="late", expected_version=0, events=(public(b"x"),)))


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_two_processes_on_one_database(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Whoever is quicker wins; the other is told, and its other appends are written all the same."""
    make = maker(kind, request, tmp_path)
    first, second = make(), make()
    await asyncio.gather(first.open(), second.open())
    for version in range(10):
        rivals = [
            side.append(Append(table="t", expected_version=version, events=(public(name),)))
            for side, name in ((first, b"one"), (second, b"two"))
        ]
        others = [
            side.append(Append(table=f"{name}{version}", expected_version=0, events=(public(b"x"),)))
            for side, name in ((first, "one"), (second, "two"))
        ]
        outcomes = await asyncio.gather(*rivals, *others, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes[:2]} == {int, VersionConflictError}
        assert outcomes[2:] == [1, 1]
    command = Append(
        table="c",
        expected_version=0,
        events=(public(b"x"),),
        idempotency_key=IdempotencyKey("ann", "1"),
        reply=b"first",
    )
    answers = await asyncio.gather(first.append(command), second.append(command), return_exceptions=True)
    assert {type(each) for each in answers} == {int, DuplicateCommandError}
    assert [event.payload for event in await first.load("t")] == [event.payload for event in await second.load("t")]
    await asyncio.gather(first.close(), second.close())


def test_bytes_of_events_are_never_shown() -> None:
    """House rule: a hidden card is never in a repr or a log."""
    assert "Ah" not in repr(NewEvent("private", 1, b"Ah"))
