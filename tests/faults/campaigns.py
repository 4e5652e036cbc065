"""Runs with faults of one kind each: real processes under play, judged afterwards. Issue 12, Shown by 2."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final
from uuid import uuid4

from sqlalchemy import create_engine

from tests.faults.clocks import Outage
from tests.faults.cluster import AnyServer, Cluster
from tests.faults.judge import Verdict, judge
from tests.faults.kill_points import DRAINING, MOVING, PLAYING, STARTING
from tests.faults.players import Session, session
from tests.faults.record import Record, of_file, of_postgres
from tests.nats import Nats
from tests.old_schema import downgrade_to_0008
from tests.postgres import Postgres
from tests.processes import Running
from tests.server.in_process import PATIENCE
from tests.server.server_process import PROGRAM, ServerProcess, free_port
from triptych.store.migrate import upgrade
from triptych.store.postgres.store import postgres_store
from triptych.store.sql.store import SqlStore
from triptych.store.sqlite.store import sqlite_store

# How often a point may be passed before it is deadly: what comes seldom is not waited for long.
OFTEN: Final = 25
SELDOM: Final = {"half-projected": 2, "projected-not-committed": 2, "projected-not-dropped": 2, "in-a-snapshot": 2}
SELDOM_TOO: Final = {"in-a-record": 2, "alive-noted": 2, "migrating": 5, "starting-again": 2}
# At these who gives a table away dies, at the others who takes it.
GIVING: Final = ("left", "starting-again")
OLD_SCHEMA: Final = "0004"


@dataclass
class Run:
    """Faults that were made, how long play stood still after each (s), and what the judge says."""

    faults: int = 0
    took: list[float] = field(default_factory=list)
    outages: list[Outage] = field(default_factory=list)
    verdict: Verdict = field(default_factory=Verdict)

    def __str__(self) -> str:
        """Say it in a line."""
        took = sorted(self.took)
        stood = f", play stood still for {took[len(took) // 2]:.2f} s, at most {took[-1]:.2f} s" if took else ""
        return f"{self.faults} faults{stood}; {self.verdict}"

    def fault(self, owned: int | None = None) -> None:
        """Note that nobody can move from now on; `owned` as in `Outage`."""
        self.faults += 1
        self.outages.append(Outage(now_ms(), owned=owned))

    async def goes_on(self, table: Session) -> None:
        """Wait until somebody is answered, and note how long that took."""
        began = time.monotonic()
        await table.played_on()
        self.took.append(time.monotonic() - began)


def now_ms() -> int:
    """Return the time as the servers' clock has it."""
    return time.time_ns() // 1_000_000


async def settled(store: SqlStore) -> None:
    """Project what is not projected yet, as the next start would."""
    await store.open()
    await store.tables()
    await store.close()


async def record_of(server: ServerProcess) -> Record:
    """Return what a server's database holds; no server may be writing to it."""
    if server.database:
        await settled(postgres_store(server.database))
        return await of_postgres(server.database)
    file = server.folder / "room.db"
    await settled(sqlite_store(file))
    return of_file(file)


async def killed_at_random(folder: Path, kills: int, seed: int = 1) -> Run:
    """SIGKILL of a server that is alone, at random moments."""
    rng, run, server = Random(seed), Run(), ServerProcess(folder, free_port())
    try:
        await server.start()
        async with session(server.url) as table:
            for _ in range(kills):
                await table.played_on()
                await asyncio.sleep(rng.random() * 0.3)
                run.fault()
                server.kill()
                await server.start()
                await run.goes_on(table)
            await table.stop()
    finally:
        server.kill()
    run.verdict = judge(await record_of(server), table.histories, run.outages)
    return run


def armed(point: str, rng: Random) -> tuple[str, ...]:
    """Return a program that kills itself at a point."""
    nth = rng.randint(1, {**SELDOM, **SELDOM_TOO}.get(point, OFTEN if point in PLAYING else 1))
    return (sys.executable, "-m", "tests.faults.kill_points", f"{point}:{nth}", "--")


async def dead(server: ServerProcess) -> None:
    """Wait until a server has killed itself."""
    assert server.process is not None
    async with asyncio.timeout(PATIENCE):
        while server.process.poll() is None:  # noqa: ASYNC110 - another process changes it
            await asyncio.sleep(0.01)
    assert server.process.poll() == -signal.SIGKILL, (server.folder / "server.log").read_text()


async def killed_at(points: Sequence[str], folder: Path, kills: int, seed: int = 1) -> Run:
    """SIGKILL of a server that is alone, so often at each named point of an action, of its start, or of its end."""
    rng, run, server = Random(seed), Run(), ServerProcess(folder, free_port())
    try:
        await server.start()
        async with session(server.url) as table:
            for point in points:
                step = _dies_playing if point in PLAYING else _dies_starting if point in STARTING else _dies_draining
                await table.played_on()
                run.outages.append(Outage(now_ms()))
                server.kill()
                for _ in range(kills):
                    await step(point, server, table, run, rng)
                    run.fault()
                server.program = (PROGRAM,)
                await server.start()
            await table.stop()
    finally:
        server.kill()
    run.verdict = judge(await record_of(server), table.histories, run.outages)
    return run


async def _dies_playing(point: str, server: ServerProcess, _table: Session, _run: Run, rng: Random) -> None:
    server.program = armed(point, rng)
    server.begin()
    await dead(server)


async def _dies_starting(point: str, server: ServerProcess, table: Session, run: Run, rng: Random) -> None:
    server.program = (PROGRAM,)
    await server.start()
    await run.goes_on(table)
    await asyncio.sleep(rng.random() * 0.3)
    server.kill()
    run.outages.append(Outage(now_ms()))
    if point == "migrating":
        await settled(sqlite_store(server.folder / "room.db"))
        make_old(server.folder / "room.db")
    server.program = armed(point, rng)
    server.begin()
    await dead(server)


async def _dies_draining(point: str, server: ServerProcess, table: Session, run: Run, rng: Random) -> None:
    server.program = armed(point, rng)
    await server.start()
    await run.goes_on(table)
    await asyncio.sleep(rng.random() * 0.3)
    assert server.process is not None
    server.process.terminate()
    await dead(server)


def make_old(file: Path) -> None:
    """Give a database the schema of some time ago, with everything that this can hold."""
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        downgrade_to_0008(connection)
    engine.dispose()
    old = file.with_suffix(".old")
    engine = create_engine(f"sqlite:///{old}")
    with engine.begin() as connection:
        upgrade(connection, OLD_SCHEMA)
    engine.dispose()
    copy = sqlite3.connect(old, isolation_level=None)
    copy.execute("ATTACH ? AS now", (str(file),))
    names = [name for (name,) in copy.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")]
    for name in names:
        if name == "alembic_version":
            continue
        columns = ", ".join(f'"{row[1]}"' for row in copy.execute(f"PRAGMA main.table_info({name})"))
        copy.execute(f"DELETE FROM main.{name}")  # noqa: S608 - the schema's names
        copy.execute(f"INSERT INTO main.{name} ({columns}) SELECT {columns} FROM now.{name}")  # noqa: S608 - as above
    copy.close()
    for rest in ("-wal", "-shm"):
        file.with_name(file.name + rest).unlink(missing_ok=True)
    old.replace(file)


class ClusterCampaigns:
    """Campaigns of several servers on one PostgreSQL with a NATS."""

    def __init__(self, folder: Path, database: Callable[[str], str]) -> None:
        self._folder = folder
        self._database = database

    async def _cluster(self) -> Cluster:
        nats = Nats(self._folder / "nats.log")
        await nats.start()
        cluster = Cluster(self._folder, self._database(f"t{uuid4().hex}"), nats)
        for _ in range(2):
            await cluster.open()
        return cluster

    @asynccontextmanager
    async def played(self) -> AsyncIterator[tuple[Cluster, Session, Run]]:
        """Yield two servers, a table in play and the run, which is judged when the servers have ended."""
        run, cluster = Run(), await self._cluster()
        try:
            async with session(cluster.servers[0].url, AnyServer(cluster)) as table:
                yield cluster, table, run
                await table.stop()
            assert all(server.process is not None and server.process.poll() is None for server in cluster.servers)
        finally:
            cluster.end()
        run.verdict = judge(await record_of(cluster.servers[0]), table.histories, run.outages)

    async def owners_killed(self, kills: int) -> Run:
        """SIGKILL of whoever owns the table; it comes back as another server."""
        async with self.played() as (cluster, table, run):
            for _ in range(kills):
                await table.played_on()
                owner = await cluster.owner(table.table)
                run.fault()
                owner.kill()
                await run.goes_on(table)
                await owner.start()
        return run

    async def owners_stopped(self, stops: int) -> Run:
        """SIGSTOP of the owner until somebody else plays its table, then SIGCONT: it writes nothing of it."""
        async with self.played() as (cluster, table, run):
            for _ in range(stops):
                owner, process = await _taken(cluster, table)
                run.fault()
                process.send_signal(signal.SIGSTOP)
                try:
                    await cluster.moved(table.table, owner)
                finally:
                    process.send_signal(signal.SIGCONT)
                    owner.process = process
                await run.goes_on(table)
        return run

    async def owners_drained(self, drains: int) -> Run:
        """SIGTERM of the owner: the table goes to the other server at once."""
        async with self.played() as (cluster, table, run):
            for _ in range(drains):
                owner, process = await _taken(cluster, table)
                process.terminate()
                await run.goes_on(table)
                assert await asyncio.to_thread(process.wait, PATIENCE) == 0
                run.faults += 1
                await owner.start()
        return run

    async def nats_cut(self, cuts: int) -> Run:
        """NATS dies, the owner dies, both come back."""
        async with self.played() as (cluster, table, run):
            for _ in range(cuts):
                cluster.nats.cut()
                for _ in range(5):
                    await table.played_on()
                owner = await cluster.owner(table.table)
                run.fault()
                owner.kill()
                await run.goes_on(table)
                await cluster.nats.start()
                await owner.start()
        return run

    async def moved_at(self, points: Sequence[str], kills: int, seed: int = 1) -> Run:
        """SIGKILL so often at each named point of a table's way from one server to another."""
        rng = Random(seed)
        async with self.played() as (cluster, table, run):
            for point in points:
                for _ in range(kills):
                    await self._dies_moving(point, cluster, table, run, rng)
        return run

    async def _dies_moving(self, point: str, cluster: Cluster, table: Session, run: Run, rng: Random) -> None:
        await table.played_on()
        owner = await cluster.owner(table.table)
        other = next(server for server in cluster.servers if server is not owner)
        if point in GIVING:
            await _handed(cluster, table, run, owner, other)
            await _restarted(owner, armed(point, rng))
            await _handed(cluster, table, run, other, owner)
            await _restarted(other, (PROGRAM,))
            await table.played_on()
            await self._ends(point, cluster, table, owner, run)
        else:
            other.kill()
            await _restarted(other, armed(point, rng))
            run.outages.append(Outage(now_ms()))
            owner.kill()
            await dead(other)
            other.process = None
            run.fault()
        for server in cluster.servers:
            if server.process is None:
                await _restarted(server, (PROGRAM,))
        await run.goes_on(table)

    async def _ends(self, point: str, cluster: Cluster, table: Session, owner: ServerProcess, run: Run) -> None:
        """Drain the armed owner, or stop it past its lease."""
        assert owner.process is not None
        if point == "left":
            owned = now_ms()
            owner.process.terminate()
            await dead(owner)
            run.fault(owned)
        else:
            run.fault()
            owner.process.send_signal(signal.SIGSTOP)
            try:
                await cluster.moved(table.table, owner)
            finally:
                owner.process.send_signal(signal.SIGCONT)
            await dead(owner)
        owner.process = None


async def _taken(cluster: Cluster, table: Session) -> tuple[ServerProcess, Running]:
    """Return who owns a table in play, and the owner's process, taken from it."""
    await table.played_on()
    owner = await cluster.owner(table.table)
    process, owner.process = owner.process, None
    assert process is not None
    return owner, process


async def _handed(cluster: Cluster, table: Session, run: Run, owner: ServerProcess, other: ServerProcess) -> None:
    """Kill an owner, so that the other server has the table."""
    run.outages.append(Outage(now_ms()))
    owner.kill()
    await cluster.moved(table.table, owner)
    assert await cluster.owner(table.table) is other


async def _restarted(server: ServerProcess, program: tuple[str | Path, ...]) -> None:
    server.program = program
    await server.start()


async def database_killed(folder: Path, postgres: Postgres, kills: int, seed: int = 1) -> Run:
    """PostgreSQL ends in the mode `immediate`, and comes back after a while: two servers wait for it."""
    rng = Random(seed)
    async with ClusterCampaigns(folder, postgres.database).played() as (_, table, run):
        for _ in range(kills):
            await table.played_on()
            await asyncio.sleep(rng.random() * 0.3)
            await asyncio.to_thread(postgres.kill)
            since = now_ms()  # until it was gone people played
            await asyncio.sleep(rng.choice((0.0, 1.0, 8.0)) * rng.random())
            until = now_ms()
            await asyncio.to_thread(postgres.start)
            run.faults += 1
            run.outages.append(Outage(since, until))
            await run.goes_on(table)
    return run


ALONE: Final = (*PLAYING, *STARTING, *DRAINING)
TOGETHER: Final = tuple(MOVING)
