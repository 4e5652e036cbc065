"""A database that several servers write (issue 12, part 2): lanes of one journal, fenced, and one order a table."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from uuid import uuid4

import pytest
from sqlalchemy import text

from tests.conformance.test_corruption import change, is_whole
from tests.conformance.test_journal import append, rows
from tests.old_schema import downgrade_to_0008
from triptych.store.errors import DuplicateCommandError, FencedError, LeaseNotHeldError, VersionConflictError
from triptych.store.file_lock import DatabaseInUseError
from triptych.store.journal.rows import PARTITION_SHIFT
from triptych.store.leases.interface import ServerInfo
from triptych.store.migrate import DatabaseBusyError
from triptych.store.postgres.store import _SHARED_SESSION, postgres_store
from triptych.store.sql.store import SqlStore
from triptych.store.types import Append, IdempotencyKey, NewEvent

pytestmark = pytest.mark.anyio
ME = ServerInfo(os.getpid(), 1_700_000_000_000, "http://127.0.0.1:1")
Open = Callable[..., Awaitable[SqlStore]]
SERVERS = 4


@pytest.fixture(autouse=True)
def _long_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here renews in time on a busy machine; who is to be found dead is made to look so."""
    monkeypatch.setattr("triptych.store.postgres.leases.LEASE_SECONDS", 3600)
    monkeypatch.setattr("triptych.store.postgres.leases.DEAD_SESSION_SECONDS", 3600)
    monkeypatch.setattr("triptych.store.migrate.LEASE_SECONDS", 3600)
    monkeypatch.setitem(_SHARED_SESSION, "idle_in_transaction_session_timeout", "600s")
    # Who holds the lock does not let go of it, however long one waits.
    monkeypatch.setattr("triptych.store.postgres.store._RELEASE_TIMEOUT_SECONDS", 0.2)


@pytest.fixture
async def opened(request: pytest.FixtureRequest) -> AsyncIterator[Open]:
    url = request.getfixturevalue("migrated")(f"t{uuid4().hex}")
    async with AsyncExitStack() as stack:

        async def open_one(serving: ServerInfo | None = ME, *, shared: bool = True) -> SqlStore:
            store = postgres_store(url, shared=shared)
            await store.open(serving)
            stack.push_async_callback(store.close)
            return store

        yield open_one


async def bury(store: SqlStore, other: SqlStore) -> None:
    await change(store, f"UPDATE servers SET renewed = 0 WHERE lane = {other.leases.this_server.number}")  # noqa: S608
    await store.leases.renew()


async def write(store: SqlStore, table: str, numbers: range) -> None:
    for number in numbers:
        assert await store.append(append(table, number)) == number + 1


async def test_the_schema_does_not_change_under_rooms_that_serve(opened: Open) -> None:
    """docs/how-to/host/scale.md: where the schema is new, all servers of a cluster are stopped first."""
    old = await opened()
    await old.leases.acquire("t", new=True)
    await write(old, "t", range(3))
    await old.barrier()
    await old._writing.run(downgrade_to_0008)
    with pytest.raises(
        DatabaseBusyError, match=r"older Triptych serve this database http://127\.0\.0\.1:1, .* \(0008 to"
    ):
        await opened()
    await old.leases.unregister()
    assert len(await (await opened()).load("t")) == 3


async def test_each_server_writes_its_own_partition(opened: Open) -> None:
    servers = [await opened() for _ in range(3)]
    for number, store in enumerate(servers):
        assert await store.leases.acquire(f"t{number}", new=True) is None
    await asyncio.gather(*(write(store, f"t{number}", range(9)) for number, store in enumerate(servers)))
    numbers = await servers[0]._reading.run(
        lambda connection: connection.execute(text("SELECT number FROM journal ORDER BY number")).scalars().all()
    )
    assert list(numbers) == [
        (store.leases.this_server.number << PARTITION_SHIFT) + number for store in servers for number in range(1, 10)
    ]
    reader = await opened(None)
    for number, store in enumerate(servers):
        await is_whole(store, f"t{number}")
        await is_whole(reader, f"t{number}")


async def test_a_table_that_moves_is_one_record(opened: Open) -> None:
    """There and back, every write at another server than the one before; whatever was told is known everywhere."""
    ann, bob = await opened(), await opened()
    for number in range(9):
        now, then = (ann, bob) if number % 2 else (bob, ann)
        await then.leases.release(["t"])
        assert await now.leases.acquire("t", new=not number) is None
        with pytest.raises(LeaseNotHeldError):
            await then.append(append("t", number))
        if number:
            with pytest.raises(DuplicateCommandError) as repeated:
                await now.append(append("t", number - 1))
            assert repeated.value.answer == b"answer %d" % (number - 1)
        with pytest.raises(VersionConflictError):
            await now.append(append("t", number + 3))
        await write(now, "t", range(number, number + 1))
        # Another table of each, in the same lanes.
        await now.leases.acquire(f"own{number % 2}", new=True)
        await write(now, f"own{number % 2}", range(number // 2, number // 2 + 1))
    for each in (ann, bob, await opened(None)):
        await is_whole(each, "t")
    await ann.rebuild()
    await is_whole(ann, "t")
    assert [event.version for event in await ann.load("own1")] == [1, 2, 3, 4]
    assert [event.version for event in await ann.load("own0")] == [1, 2, 3, 4, 5]


async def test_a_dead_servers_tables_go_on_where_they_were(opened: Open) -> None:
    """Nothing of it was projected: who takes its tables reads its lane first."""
    ann, bob = await opened(), await opened()
    await ann._projector.close()
    await ann.leases.acquire("t", new=True)
    await write(ann, "t", range(8))
    assert await rows(bob, "events") == 0
    await bury(bob, ann)
    assert await bob.leases.acquire("t") is None
    assert await bob.reply("t", IdempotencyKey("ann", "c7")) == b"answer 7"
    await write(bob, "t", range(8, 9))
    await is_whole(bob, "t")


async def test_a_fenced_server_writes_nothing_more(opened: Open) -> None:
    """As a process that was stopped for longer than its lease, and wakes (SIGCONT) with a move on its way."""
    ann, bob = await opened(), await opened()
    await ann.leases.acquire("t", new=True)
    await ann.leases.acquire("quiet", new=True)
    await write(ann, "t", range(3))
    await write(ann, "quiet", range(1))
    await bury(bob, ann)
    for table, number in (("t", 3), ("quiet", 1), ("t", 3)):
        with pytest.raises(FencedError):
            await ann.append(append(table, number))
    with pytest.raises(FencedError):
        await ann.barrier()
    assert await bob.leases.acquire("t") is None
    await write(bob, "t", range(3, 5))
    # It comes back as somebody else: what it still wants to write of before is not written either.
    await ann.leases.register(ME)
    for table, number in (("t", 3), ("t", 5), ("quiet", 1)):
        with pytest.raises(LeaseNotHeldError):
            await ann.append(append(table, number))
    both = await asyncio.gather(
        ann._commit([append("t", 5), append("quiet", 1)]), ann.append(append("t", 5)), return_exceptions=True
    )
    assert [type(each) for each in (*both[0], both[1])] == [LeaseNotHeldError] * 3  # type: ignore[misc]
    assert await ann.leases.acquire("quiet") is None
    await write(ann, "quiet", range(1, 2))
    await write(bob, "t", range(5, 9))
    await is_whole(bob, "t")
    assert await ann.leases.acquire("t") == bob.leases.this_server
    assert [event.version for event in await (await opened(None)).load("quiet")] == [1, 2]


async def test_a_batch_with_a_strange_table_is_written_without_it(opened: Open) -> None:
    ann = await opened()
    await ann.leases.acquire("t", new=True)
    outcomes = await ann._commit([append("no", 0), append("t", 0), append("no", 0), append("t", 1)])
    assert [each if isinstance(each, int) else type(each) for each in outcomes] == [
        LeaseNotHeldError,
        1,
        LeaseNotHeldError,
        2,
    ]


@pytest.mark.parametrize("times", [1, pytest.param(5, marks=pytest.mark.slow)])
async def test_a_death_waits_for_what_is_being_written(opened: Open, times: int) -> None:
    """Found dead and writing at the same moments: each append is written before, or refused."""
    for _ in range(times):
        ann, bob = await opened(), await opened()
        table = f"t{ann.leases.this_server.number}"
        await ann.leases.acquire(table, new=True)
        writing = asyncio.create_task(write(ann, table, range(1_000_000)))
        await asyncio.sleep(0.05)
        await bury(bob, ann)
        assert await bob.leases.acquire(table) is None
        events = len(await bob.load(table))
        assert await bob.append(append(table, events)) == events + 1
        with pytest.raises(FencedError):
            await writing
        assert len(await bob.load(table)) == events + 1


async def test_standalone_and_shared_servers_exclude_each_other(opened: Open) -> None:
    ann = await opened()
    await ann.leases.acquire("t", new=True)
    await write(ann, "t", range(4))
    with pytest.raises(DatabaseInUseError):
        await opened(shared=False)
    await ann.close()
    alone = await opened(shared=False)
    with pytest.raises(DatabaseInUseError):
        await opened()
    await write(alone, "t", range(4, 8))
    await alone.append(Append(table="more", expected_version=0, events=(NewEvent("public", None, b"a"),)))
    await alone.close()
    bob = await opened()
    assert await bob.leases.acquire("t") is None
    await write(bob, "t", range(8, 9))
    await is_whole(bob, "t")
    await bob.rebuild()
    await is_whole(bob, "t")


async def test_finished_partitions_are_deleted(opened: Open) -> None:
    """Servers come and go; what is left of them is what they wrote, in the order of their epochs."""
    for number in range(0, 9, 3):
        store = await opened()
        assert await store.leases.acquire("t", new=not number) is None
        await write(store, "t", range(number, number + 3))
        await store.leases.unregister()
        await store.close()
    last = await opened()
    assert await rows(last, "servers") <= 2
    await is_whole(last, "t")
    await last.rebuild()
    await is_whole(last, "t")


async def test_a_partition_that_could_not_be_read_is_read_before_its_tables_are_adopted(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database goes away while a dead server's lane is read: nothing of it is passed over the next time."""
    ann, bob = await opened(), await opened()
    await ann._projector.close()
    await ann.leases.acquire("t", new=True)
    await write(ann, "t", range(8))
    await bury(bob, ann)
    with monkeypatch.context() as patch:

        async def away(_lane: int) -> None:
            raise OSError

        patch.setattr(bob, "project_partition", away)
        with pytest.raises(OSError, match=r"^$"):
            await bob.leases.acquire("t")
        with pytest.raises(LeaseNotHeldError):
            await bob.append(append("t", 8))
    assert await bob.leases.acquire("t") is None
    await write(bob, "t", range(8, 9))
    await is_whole(bob, "t")


async def test_all_are_opened_at_once(opened: Open) -> None:
    """As `--workers` does: on a new database, and on one whose servers were all killed."""
    for round_ in range(2):
        servers = await asyncio.gather(*(opened() for _ in range(SERVERS)))
        assert len({each.leases.this_server.number for each in servers}) == SERVERS
        secrets = await asyncio.gather(
            *(each.get_or_create_secret("s", b"%d" % number) for number, each in enumerate(servers))
        )
        assert len(set(secrets)) == 1
        tables = [f"t{round_}{number}" for number in range(SERVERS)]
        for table, each in zip(tables, servers, strict=True):
            await each._projector.close()
            assert await each.leases.acquire(table, new=True) is None
            await write(each, table, range(9))
        for each in servers:
            await each.leases.unregister()
    last = await opened()
    for number in range(SERVERS):
        assert await last.leases.acquire(f"t1{number}") is None
        await is_whole(last, f"t0{number}")
        await is_whole(last, f"t1{number}")


async def test_a_server_that_stands_still_in_a_transaction_keeps_nobody_waiting(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was stopped (SIGSTOP) while it projected: who takes its tables needs the same row."""
    monkeypatch.setitem(_SHARED_SESSION, "idle_in_transaction_session_timeout", "1s")
    ann, bob = await opened(), await opened()
    await ann.leases.acquire("t", new=True)
    await write(ann, "t", range(8))
    async with ann._projecting.engine.connect() as paused:  # type: ignore[attr-defined]
        mark = f"projected {ann.leases.this_server.number}"
        await paused.execute(text("SELECT value FROM marks WHERE name = :name FOR UPDATE"), {"name": mark})
        await bury(bob, ann)
        async with asyncio.timeout(60):
            assert await bob.leases.acquire("t") is None
        await paused.invalidate()
    await write(bob, "t", range(8, 9))
    await is_whole(bob, "t")
