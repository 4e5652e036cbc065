"""What a dead server leaves behind is noted until it is made up (issue 12: no clock is charged for our downtime).

The leases' own statements are answered by the simulation's database, whose time and failures a test has in its hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from tests.simulation.disk import Disk
from tests.simulation.leases import SimConnection
from triptych.store.errors import FencedError
from triptych.store.leases.interface import LEASE_SECONDS, ServerInfo
from triptych.store.postgres import leases as postgres_leases
from triptych.store.postgres.leases import PostgresLeases

pytestmark = pytest.mark.anyio
TABLE = "t1"
DEAD_MS = int(LEASE_SECONDS * 1000) + 1


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has taken a lease has had its time to ask."""
    monkeypatch.setattr(postgres_leases, "COMPENSATION_SECONDS", -1.0)


class SharedDatabase:
    """A database and its clock."""

    def __init__(self) -> None:
        self.disk = Disk()
        self.now = 1_000_000
        self.ways = 10**9  # of statements and answers, until one is lost

    async def server(self) -> Server:
        new_server = Server(self)
        await new_server.leases.register(ServerInfo(0, 0, "here"))
        return new_server

    async def passing(self) -> None:
        self.ways -= 1
        if self.ways == 0:
            raise OSError

    async def outlive(self, *servers: Server) -> None:
        """Let longer pass than the others may be silent."""
        for _ in range(2):
            self.now += DEAD_MS * 2 // 3
            for server in servers:
                await server.leases.renew()

    @property
    def noted(self) -> dict[str, int]:
        """Return which leases' loss is noted, and since when it is."""
        return self.disk.lost


class Server:
    """One server's leases; it holds what it was told to hold."""

    def __init__(self, town: SharedDatabase) -> None:
        self.leases = PostgresLeases(*2 * [partial(SimConnection, town.disk, lambda: town.now, town.passing)])
        self.leases.holder = self
        self.held: set[str] = set()

    async def start(self, _number: int) -> None:
        self.held.clear()

    async def project_partition(self, lane: int) -> None:
        pass

    async def add_lease(self, lease: str, _epoch: int) -> None:
        self.held.add(lease)

    def holds(self, lease: str) -> bool:
        return lease in self.held

    async def drop_leases(self, names: Sequence[str]) -> None:
        self.held.difference_update(names)


async def taken_over() -> tuple[SharedDatabase, Server, Server]:
    """Return a server in which a table's owner died and another server has it, and a third server."""
    town = SharedDatabase()
    ann, bob, eve = await town.server(), await town.server(), await town.server()
    assert await ann.leases.acquire(TABLE, new=True) is None
    await town.outlive(bob, eve)
    assert await bob.leases.acquire(TABLE) is None
    return town, bob, eve


async def test_uncompensated_downtime_stays_noted_however_long_that_takes() -> None:
    """Simulation, seed 500095: a table that could not be loaded for ten seconds lost what it was owed."""
    town, bob, _ = await taken_over()
    assert bob.leases.pop_takeover_downtime(TABLE) >= DEAD_MS
    await bob.leases.renew()
    assert list(town.noted) == [TABLE]
    bob.leases.mark_compensated(TABLE)
    await bob.leases.renew()
    assert not town.noted


async def test_the_downtime_of_a_failed_takeover_is_not_forgotten() -> None:
    """Simulation, seed 500095: the last statement of a take failed, and the next try came too late."""
    town = SharedDatabase()
    ann, bob = await town.server(), await town.server()
    assert await ann.leases.acquire(TABLE, new=True) is None
    await town.outlive(bob)
    town.ways = 2 * 5 - 1  # find, lose, take, lost, and then next: on its way there
    with pytest.raises(OSError):  # noqa: PT011 - it says nothing
        await bob.leases.acquire(TABLE)
    assert town.ways == 0
    await bob.leases.renew()
    assert list(town.noted) == [TABLE]
    assert await bob.leases.acquire(TABLE) is None
    assert bob.leases.pop_takeover_downtime(TABLE) >= DEAD_MS


async def test_uncompensated_downtime_of_a_server_is_left_to_the_next_one() -> None:
    """Simulation, seed 1000892: a computer slept; its server woke, renewed, and was gone before its tables knew."""
    town = SharedDatabase()
    ann = await town.server()
    assert await ann.leases.acquire(TABLE, new=True) is None
    await ann.leases.renew()
    town.now += 100_000
    await ann.leases.renew(is_compensated=False)
    bob = await town.server()
    await town.outlive(bob)
    assert await bob.leases.acquire(TABLE) is None
    assert bob.leases.pop_takeover_downtime(TABLE) >= 100_000


async def test_a_fenced_server_counts_no_further() -> None:
    """Simulation, seed 7000026: it wakes between being found dead and its tables being taken."""
    town = SharedDatabase()
    ann, bob = await town.server(), await town.server()
    assert await ann.leases.acquire(TABLE, new=True) is None
    await town.outlive(bob)
    with pytest.raises(FencedError):
        await ann.leases.renew()
    assert await bob.leases.acquire(TABLE) is None
    assert bob.leases.pop_takeover_downtime(TABLE) >= DEAD_MS


async def test_compensated_downtime_of_a_server_is_not_left_to_the_next_one() -> None:
    town = SharedDatabase()
    ann = await town.server()
    assert await ann.leases.acquire(TABLE, new=True) is None
    town.now += 100_000
    for _ in range(2):  # the second knows the time of the first
        await ann.leases.renew()
    bob = await town.server()
    await town.outlive(bob)
    assert await bob.leases.acquire(TABLE) is None
    assert DEAD_MS <= bob.leases.pop_takeover_downtime(TABLE) < 2 * DEAD_MS


async def test_downtime_stays_noted_until_the_tournament_has_asked_for_all_its_tables() -> None:
    """Downtime is never charged. A player was back at one table before anybody asked for the tournament."""
    town = SharedDatabase()
    ann, bob, eve = await town.server(), await town.server(), await town.server()
    assert await ann.leases.acquire("cup:x", new=True) is None
    await town.outlive(bob, eve)
    assert await bob.leases.acquire("x-1") is None
    assert bob.leases.pop_takeover_downtime("x-1") >= DEAD_MS
    bob.leases.mark_compensated("x-1")
    await bob.leases.renew()
    assert list(town.noted) == ["x"]
    await town.outlive(eve)
    assert await eve.leases.acquire("cup:x") is None
    assert eve.leases.pop_takeover_downtime("x-2") >= 2 * DEAD_MS
    assert eve.leases.pop_takeover_downtime("cup:x") >= 2 * DEAD_MS
    for stream in ("x-2", "cup:x"):  # as it does when it has asked for all of them
        eve.leases.mark_compensated(stream)
    await eve.leases.renew()
    assert not town.noted


async def test_acquiring_a_released_table_brings_no_downtime() -> None:
    town, bob, eve = await taken_over()
    bob.leases.pop_takeover_downtime(TABLE)
    bob.leases.mark_compensated(TABLE)
    await bob.leases.release([TABLE])
    assert not town.noted
    assert await eve.leases.acquire(TABLE, new=True) is None
    assert eve.leases.pop_takeover_downtime(TABLE) == 0
