"""What leases promise (issue 12, part 2): a table has one owner, and none that is over."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Protocol
from uuid import uuid4

import pytest

from tests.memory_store.leases import MemoryLeases, MemoryRegistry
from triptych.store.errors import FencedError
from triptych.store.leases.interface import LeaseManager, ServerId, ServerInfo, lease_name
from triptych.store.leases.standalone import StandaloneLeases
from triptych.store.postgres.leases import PostgresLeases
from triptych.store.postgres.store import postgres_store
from triptych.store.types import Append, NewEvent

pytestmark = pytest.mark.anyio
MANY = 4
DAY = 86_400_000  # ms


@pytest.fixture(autouse=True)
def _long_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here renews in time on a busy machine; who is to be found dead is made to look so."""
    monkeypatch.setattr("triptych.store.postgres.leases.LEASE_SECONDS", 3600)
    monkeypatch.setattr("triptych.store.postgres.leases.DEAD_SESSION_SECONDS", 3600)


class LeaseCluster(Protocol):
    """Where servers share tables."""

    async def server(self) -> LeaseManager: ...

    async def silence(self, leases: LeaseManager) -> None:
        """Let longer than a lease pass without a word from a server."""


class InProcessCluster:
    def __init__(self) -> None:
        self.place = MemoryRegistry()
        self.count = 0

    async def server(self) -> LeaseManager:
        leases = MemoryLeases(self.place)
        await leases.register(serving())
        return leases

    async def silence(self, leases: LeaseManager) -> None:
        self.place.quiet.add(leases.this_server.number)


class PostgresCluster:
    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self.url, self.stack = url, stack

    async def server(self) -> LeaseManager:
        store = postgres_store(self.url, shared=True)
        await store.open(serving())
        self.stack.push_async_callback(store.close)
        return store.leases

    async def silence(self, leases: LeaseManager) -> None:
        reader = postgres_store(self.url)
        async with reader._reading.driver() as connection:  # type: ignore[attr-defined]
            await connection.execute("UPDATE servers SET renewed = 0 WHERE lane = $1", leases.this_server.number)
        await reader.close()


def serving() -> ServerInfo:
    return ServerInfo(os.getpid(), 0, f"http://127.0.0.1:{uuid4().int % 60_000}", "https://cards.example.org")


@pytest.fixture(params=["here", "postgres"])
async def cluster(request: pytest.FixtureRequest) -> AsyncIterator[LeaseCluster]:
    async with AsyncExitStack() as stack:
        if request.param == "here":
            yield InProcessCluster()
        else:
            yield PostgresCluster(request.getfixturevalue("migrated")(f"t{uuid4().hex}"), stack)


async def test_a_table_has_one_owner(cluster: LeaseCluster) -> None:
    ann, bob = await cluster.server(), await cluster.server()
    assert not ann.is_standalone
    assert ann.this_server.number != bob.this_server.number
    assert await ann.acquire("t", new=True) is None
    assert await ann.acquire("t") is None
    assert [ann.holds("t"), bob.holds("t")] == [True, False]
    assert (
        await bob.acquire("t")
        == ann.this_server
        == ServerId(ann.this_server.number, ann.this_server.address, "https://cards.example.org")
    )
    assert await bob.acquire("u", new=True) is None
    assert await ann.acquire("u") == bob.this_server


async def test_only_one_of_many_servers_gets_a_lease(cluster: LeaseCluster) -> None:
    servers = [await cluster.server() for _ in range(MANY)]
    for number in range(8):
        answers = await asyncio.gather(*(each.acquire(f"t{number}", new=True) for each in servers))
        assert answers.count(None) == 1
        owner = servers[answers.index(None)].this_server
        assert {answer for answer in answers if answer is not None} == {owner}


async def test_a_released_lease_is_free_at_once(cluster: LeaseCluster) -> None:
    ann, bob = await cluster.server(), await cluster.server()
    for table in ("t", "u"):
        await ann.acquire(table, new=True)
    await ann.release(["t"])
    assert await bob.acquire("t", new=True) is None
    assert await ann.acquire("t") == bob.this_server
    assert await bob.acquire("u") == ann.this_server


async def test_a_silent_server_is_fenced_permanently(cluster: LeaseCluster) -> None:
    ann, bob, eve = await cluster.server(), await cluster.server(), await cluster.server()
    for table in ("t", "u"):
        await ann.acquire(table, new=True)
    assert list(await bob.renew()) == []
    await ann.verify_not_fenced()
    await cluster.silence(ann)
    assert sorted(await bob.renew()) == ["t", "u"]
    assert await bob.acquire("t") is None
    assert list(await eve.renew()) == ["u"]
    lost: list[Callable[[], Awaitable[object]]] = [
        ann.renew,
        ann.verify_not_fenced,
        lambda: ann.acquire("new", new=True),
        ann.renew,
    ]
    for ask in lost:
        with pytest.raises(FencedError):
            await ask()
    assert await eve.acquire("t") == bob.this_server
    # It may come again, as somebody else.
    number = ann.this_server.number
    await ann.register(serving())
    assert ann.this_server.number > number
    assert list(await ann.renew()) == ["u"]
    assert await ann.acquire("u") is None
    assert await ann.acquire("t") == bob.this_server


async def test_a_renewal_names_the_fenced_servers(cluster: LeaseCluster) -> None:
    """Issue 27.15: what waits for one that stands still hears of it from nowhere else."""
    ann, bob, eve = await cluster.server(), await cluster.server(), await cluster.server()
    everybody = [leases.this_server.number for leases in (ann, bob, eve)]
    assert list(await bob.find_fenced(everybody)) == []
    await ann.acquire("t", new=True)
    await cluster.silence(ann)
    await bob.renew()
    assert list(await bob.find_fenced(everybody)) == [ann.this_server.number]
    assert list(await bob.find_fenced([])) == []


async def test_a_process_that_runs_has_the_whole_lease(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found with issue 27.15: its sessions were looked for by their own numbers, so silent was dead at once."""
    async with AsyncExitStack() as stack:
        cluster = PostgresCluster(request.getfixturevalue("migrated")(f"t{uuid4().hex}"), stack)
        store = postgres_store(cluster.url, shared=True)
        await store.open(serving())
        ann, bob = store.leases, await cluster.server()
        monkeypatch.setattr("triptych.store.postgres.leases.DEAD_SESSION_SECONDS", 0)
        await ann.acquire("t", new=True)
        await asyncio.sleep(0.01)
        assert list(await bob.renew()) == []
        assert bob.somebody_silent
        await ann.verify_not_fenced()
        await store.close()
        async with asyncio.timeout(60):
            while list(await bob.renew()) != ["t"]:  # noqa: ASYNC110 - the database notices that the sessions ended
                await asyncio.sleep(0.01)
        assert not bob.somebody_silent


async def test_a_server_that_renews_in_time_keeps_its_lease(cluster: LeaseCluster) -> None:
    ann, bob = await cluster.server(), await cluster.server()
    await ann.acquire("t", new=True)
    await cluster.silence(ann)
    await ann.renew()  # nobody has looked meanwhile
    assert list(await bob.renew()) == []
    assert await bob.acquire("t") == ann.this_server


async def test_a_server_that_unregisters_frees_its_leases_at_once(cluster: LeaseCluster) -> None:
    ann, bob = await cluster.server(), await cluster.server()
    await ann.acquire("t", new=True)
    await ann.unregister()
    assert list(await bob.renew()) == ["t"]
    assert await bob.acquire("t") is None


def test_a_tournament_and_its_tables_are_one_lease() -> None:
    assert {lease_name(stream) for stream in ("cup:abcd2345", "abcd2345-1", "abcd2345-12")} == {"abcd2345"}
    assert lease_name("wxyz6789") == "wxyz6789"


async def test_a_server_that_is_alone_owns_all() -> None:
    alone = StandaloneLeases()
    await alone.register(serving())
    assert alone.is_standalone
    assert await alone.acquire("t") is None
    await alone.release(["t"])
    assert list(await alone.renew()) == []


async def test_an_unknown_name_has_no_owner(request: pytest.FixtureRequest) -> None:
    """A stranger asks for a million names: none of them is kept."""
    url = request.getfixturevalue("migrated")(f"t{uuid4().hex}")
    store, other = postgres_store(url, shared=True), postgres_store(url, shared=True)
    await store.open(serving())
    await other.open(serving())
    for name in ("nothing", "cup:nothing", "nothing-1", "x" * 64):
        assert await store.leases.acquire(name) is None
        assert not store.leases.holds(name)  # simulation, seed 30005413: it may be made elsewhere now
    async with store._reading.driver() as connection:  # type: ignore[attr-defined]
        assert await connection.fetchval("SELECT count(*) FROM leases") == 0
    await store.leases.acquire("t", new=True)
    await store.append(Append(table="t", expected_version=0, events=(NewEvent("public", None, b"a"),)))
    await store.leases.release(["t"])
    assert await other.leases.acquire("t") is None
    await store.close()
    await other.close()


async def test_a_fenced_server_deletes_no_note_of_the_next_owner(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulation, seed 900159: paused between two statements, the old owner took the new one's note away."""
    monkeypatch.setattr("triptych.store.postgres.leases.COMPENSATION_SECONDS", -1.0)
    async with AsyncExitStack() as stack:
        cluster = PostgresCluster(request.getfixturevalue("migrated")(f"t{uuid4().hex}"), stack)
        ann, bob, eve = await cluster.server(), await cluster.server(), await cluster.server()
        assert isinstance(bob, PostgresLeases)

        async def noted() -> int:
            async with bob._connection() as connection:
                count: int = await connection.fetchval("SELECT count(*) FROM marks WHERE name = 'lost t'")
                return count

        await ann.acquire("t", new=True)
        await cluster.silence(ann)
        await bob.renew()
        await bob.acquire("t")
        assert bob.pop_takeover_downtime("t") > 0
        bob.mark_compensated("t")
        await cluster.silence(bob)
        await eve.renew()
        # What of its renewal comes after the statement that it was paused behind.
        await bob._clear_downtime(bob._compensated_leases())
        assert await noted() == 1
        await eve.acquire("t")
        assert eve.pop_takeover_downtime("t") > 0
        await eve.renew()
        assert await noted() == 1  # it is not made up yet
        eve.mark_compensated("t")
        await eve.renew()
        assert await noted() == 0


async def came_a_day_ago(leases: LeaseManager) -> None:
    """Let a server have counted nothing since a day ago."""
    assert isinstance(leases, PostgresLeases)
    async with leases._connection() as connection:
        await connection.execute(
            "UPDATE marks SET value = value - $1::bigint WHERE name = $2", DAY, f"counted {leases.this_server.number}"
        )


async def with_an_owner_of_a_day_ago(
    request: pytest.FixtureRequest, stack: AsyncExitStack
) -> tuple[PostgresCluster, LeaseManager, LeaseManager]:
    """Return a town with a table's owner who has counted nothing since a day ago, and another server."""
    cluster = PostgresCluster(request.getfixturevalue("migrated")(f"t{uuid4().hex}"), stack)
    ann, bob = await cluster.server(), await cluster.server()
    await ann.acquire("t", new=True)
    await came_a_day_ago(ann)
    return cluster, ann, bob


@pytest.mark.parametrize("is_counted", [True, False])
async def test_downtime_begins_at_the_last_renewal_that_counted(
    request: pytest.FixtureRequest,
    is_counted: bool,  # noqa: FBT001 - a case
) -> None:
    """An owner's death costs its tables the time since it was last seen alive, and gives nobody more back."""
    async with AsyncExitStack() as stack:
        cluster, ann, bob = await with_an_owner_of_a_day_ago(request, stack)
        await ann.renew(is_compensated=is_counted)
        await cluster.silence(ann)
        assert list(await bob.renew()) == ["t"]
        assert await bob.acquire("t") is None
        assert (bob.pop_takeover_downtime("t") < DAY) is is_counted


@pytest.mark.parametrize("buried", [True, False])
async def test_a_fenced_server_that_leaves_counts_no_further(
    request: pytest.FixtureRequest,
    buried: bool,  # noqa: FBT001 - a case
) -> None:
    """Simulation, seed 1001251: it stood still for longer than a lease, and was stopped before it knew of that."""
    async with AsyncExitStack() as stack:
        cluster, ann, bob = await with_an_owner_of_a_day_ago(request, stack)
        if buried:
            await cluster.silence(ann)
            assert list(await bob.renew()) == ["t"]
        await ann.unregister()
        assert await bob.acquire("t") is None
        assert (bob.pop_takeover_downtime("t") >= DAY) is buried
