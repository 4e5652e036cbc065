"""The one connection that writes a PostgreSQL: kept from commit to commit, and no loss of it is a loss of anything.

Issue 12, parts 1 and 2: what was acknowledged stays, what is fenced off writes nothing more.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from uuid import uuid4

import pytest
from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import DBAPIError

from tests.conformance.test_corruption import is_whole
from tests.conformance.test_journal import append
from tests.stores import Wire
from triptych.store.file_lock import DatabaseInUseError
from triptych.store.leases.interface import ServerInfo
from triptych.store.migrate import upgrade
from triptych.store.postgres.store import _SHARED_SESSION, PostgresConnection, postgres_store
from triptych.store.sql.store import SqlStore

pytestmark = pytest.mark.anyio
ME = ServerInfo(os.getpid(), 1_700_000_000_000, "http://127.0.0.1:1")
_PID = "SELECT pg_backend_pid()"


@pytest.fixture
def url(postgres: Callable[[str], str]) -> str:
    return postgres(f"t{uuid4().hex}")


@pytest.fixture
async def wire(url: str) -> AsyncIterator[Wire]:
    async with Wire(url).open() as wire:
        yield wire


@pytest.fixture
async def writer(wire: Wire) -> AsyncIterator[PostgresConnection]:
    writer = PostgresConnection(make_url(wire.url).set(drivername="postgresql+asyncpg"))
    yield writer
    await writer.close()


def in_transaction(connection: Connection) -> int:
    pid: int = connection.execute(text(_PID)).scalar_one()
    return pid


async def session(writer: PostgresConnection) -> int:
    async with writer.driver() as driver:
        pid: int = await driver.fetchval(_PID)
        return pid


async def test_all_writes_go_through_one_session(writer: PostgresConnection) -> None:
    queries = [session(writer) if number % 2 else writer.run(in_transaction) for number in range(8)]
    assert len(set(await asyncio.gather(*queries))) == 1


async def test_a_failed_transaction_is_rolled_back_and_the_next_one_works(writer: PostgresConnection) -> None:
    async def torn() -> None:
        async with writer.driver() as driver, driver.transaction():
            await driver.execute("CREATE TABLE half (x int)")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await torn()
    async with writer.driver() as driver:
        assert not driver.is_in_transaction()
        assert await driver.fetchval("SELECT to_regclass('half')") is None


async def test_a_cancelled_waiter_leaves_the_connection_usable(writer: PostgresConnection) -> None:
    held, enough = asyncio.Event(), asyncio.Event()

    async def holding() -> int:
        async with writer.driver() as driver:
            held.set()
            await enough.wait()
            pid: int = await driver.fetchval(_PID)
            return pid

    first = asyncio.create_task(holding())
    await held.wait()
    second = asyncio.create_task(session(writer))
    await asyncio.sleep(0)
    second.cancel()
    enough.set()
    assert await first == await session(writer)
    assert second.cancelled()


async def test_a_session_that_ended_between_two_writes_is_replaced(writer: PostgresConnection, wire: Wire) -> None:
    before = await session(writer)
    wire.drop()
    assert writer._open is not None
    async with asyncio.timeout(60):
        while not writer._open[1].is_closed():  # noqa: ASYNC110 - the driver hears of it in its own time
            await asyncio.sleep(0)
    assert await session(writer) != before


async def test_a_session_that_ends_silently_costs_one_try(writer: PostgresConnection, url: str) -> None:
    before = await session(writer)
    other = PostgresConnection(make_url(url).set(drivername="postgresql+asyncpg"))
    async with other.driver() as driver:
        assert await driver.fetchval(f"SELECT pg_terminate_backend({before}, 5000)")
    with suppress(Exception):  # whether it knows of it is chance
        await session(writer)
    assert await session(writer) != before
    await other.close()


async def wrote(store: SqlStore, number: int) -> None:
    """Append, as a table does: when it fails the store says what became of it."""
    while True:
        try:
            assert await store.append(append("t", number)) == number + 1
        except OSError:
            pass
        except Exception as error:
            if not (isinstance(error, DBAPIError) or type(error).__module__.startswith("asyncpg")):
                raise
        else:
            return
        await store.barrier()
        if len(await store.load("t", number)) == 1:
            return


@pytest.mark.parametrize("shared", [False, True])
async def test_nothing_is_lost_or_doubled_where_the_line_is_cut_between_writes(wire: Wire, *, shared: bool) -> None:
    store = postgres_store(wire.url, shared=shared)
    await store.open(ME)
    await store.leases.acquire("t", new=True)
    for number in range(9):
        await wrote(store, number)
        if number % 3 == 2:
            wire.drop()
    await is_whole(store, "t")
    await store.close()


async def test_a_server_that_reconnects_finds_the_database_owned_by_another(
    wire: Wire, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock of who serves lies in the session: with the line it is gone, and the epoch has moved on."""
    monkeypatch.setattr(
        "triptych.store.postgres.store._RELEASE_TIMEOUT_SECONDS", 0.2
    )  # the other one keeps it, however long
    old, new = postgres_store(wire.url), postgres_store(url)
    await old.open(ME)
    await wrote(old, 0)
    wire.shut()
    await new.open(ME)
    await wrote(new, 1)
    wire.reopen()
    for _ in range(2):
        with pytest.raises(DatabaseInUseError):
            await old.append(append("t", 1))
    assert [event.version for event in await new.load("t")] == [1, 2]
    await asyncio.gather(old.close(), new.close())


async def test_a_server_that_stands_still_while_it_lays_out_the_tables_still_opens(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine took three seconds over importing what migrates, and its database let it go."""
    monkeypatch.setitem(_SHARED_SESSION, "idle_in_transaction_session_timeout", "200ms")

    def busy(connection: Connection, until: str) -> None:
        time.sleep(0.5)
        upgrade(connection, until)

    monkeypatch.setattr("triptych.store.migrate.upgrade", busy)
    store = postgres_store(url, shared=True)
    await store.open(ME)
    assert await store.leases.acquire("t", new=True) is None
    await wrote(store, 0)
    await store.close()
