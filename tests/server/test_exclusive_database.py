"""One server a database: a second one is refused in a sentence, and follows at once when the first is killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.forked_command import Forked
from tests.memory_store.store import MemoryStore
from tests.processes import started
from tests.server.in_process import PATIENCE, RunningServer, run_server
from tests.server.server_process import ServerProcess, free_port
from tests.stores import Wire
from triptych.cli.entry_point import main
from triptych.cli.history import export
from triptych.store.file_lock import DatabaseInUseError
from triptych.store.interface import EventStore
from triptych.store.leases.interface import ServerInfo
from triptych.store.postgres.store import postgres_store
from triptych.store.sql.store import SqlStore
from triptych.store.sqlite.store import sqlite_store
from triptych.store.types import Append, NewEvent

pytestmark = pytest.mark.anyio
ME = ServerInfo(os.getpid(), 1_700_000_000_000, "http://127.0.0.1:1")


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who holds the lock does not let go of it, however long one waits."""
    monkeypatch.setattr("triptych.store.postgres.store._RELEASE_TIMEOUT_SECONDS", 0.2)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "room.db")
    return str(request.getfixturevalue("migrated")(f"t{uuid4().hex}"))


def store_of(database: str) -> SqlStore:
    return postgres_store(database) if database.startswith("postgres") else sqlite_store(Path(database))


@contextlib.asynccontextmanager
async def opened(store: SqlStore, serving: ServerInfo | None) -> AsyncIterator[EventStore]:
    await store.open(serving)
    yield store
    await store.close()


def second(folder: Path, database: str) -> tuple[int, str]:
    """Start a server on a database that another one serves; its exit status and what it says."""
    with (folder / "second.log").open("ab") as log:
        log.truncate(0)
        process = Forked(main, ("--no-browser", "--port", "0", "--database", database), log)
        status = process.wait(PATIENCE)
    return status, (folder / "second.log").read_text()


@pytest.mark.parametrize(
    ("database", "kills"),
    [("sqlite", 1), *(pytest.param(kind, 10, marks=pytest.mark.slow) for kind in ("sqlite", "postgres"))],
    indirect=["database"],
)
async def test_two_programs_and_a_kill(
    tmp_path: Path, database: str, kills: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Issue 10, part 3, 4: the second one marked everybody at the first one's tables as gone."""
    server = ServerProcess(tmp_path, free_port(), database=database)
    try:
        await server.start()
        for _ in range(kills):
            assert server.process is not None
            async with RunningServer(server.url, MemoryStore()).person("Ann") as ann:
                table = await ann.open_table()
                await ann.watch(table)
                await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100})
                before = (await ann.watch(table))["v"]
                status, output = await asyncio.to_thread(second, tmp_path, database)
                assert status == 1
                output = " ".join(output.split())
                assert "serves this database already" in output
                assert f"process {server.process.pid} since 20" in output
                assert f"at {server.url}," in output
                # Nobody was marked as gone, and what only reads goes on.
                update = await ann.watch(table)
                assert (update["v"], update["view"]["seats"][0]["connected"]) == (before, True)
                assert await asyncio.to_thread(export, table, 1, database=database) == 1
                assert "has no deal 1 of a table" in capsys.readouterr().err
            server.kill()
            await server.start()
    finally:
        server.kill()


async def test_the_claim_ends_with_the_store(database: str) -> None:
    async with opened(store_of(database), ME):
        with pytest.raises(DatabaseInUseError, match=rf"process {os.getpid()} .*http://127.0.0.1:1"):
            await store_of(database).open(ME)
        async with opened(store_of(database), None) as reader:
            assert list(await reader.tables()) == []
    async with opened(store_of(database), ME):
        pass


async def test_a_database_is_the_same_by_every_name(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "room.db")
    (tmp_path / "folder").mkdir()
    async with opened(sqlite_store(tmp_path / "room.db"), ME):
        for name in ("link.db", "folder/../room.db"):
            with pytest.raises(DatabaseInUseError):
                await sqlite_store(tmp_path / name).open(ME)


async def test_a_forked_child_does_not_keep_the_claim(tmp_path: Path) -> None:
    """A server that starts helpers and is killed: they may live for a moment longer."""
    script = f"""
import asyncio, os, sys, time
from pathlib import Path
from triptych.store.sqlite.store import sqlite_store
from triptych.store.leases.interface import ServerInfo
asyncio.run(sqlite_store(Path({str(tmp_path / "room.db")!r})).open(ServerInfo(os.getpid(), 0)))
if os.fork() == 0:
    time.sleep(60)
print("ready", flush=True)
time.sleep(60)
"""
    with (tmp_path / "log").open("wb") as log:
        process = started([sys.executable, "-c", script], log)
        async with asyncio.timeout(PATIENCE):
            while "ready" not in (tmp_path / "log").read_text():  # noqa: ASYNC110 - another process writes it
                await asyncio.sleep(0.02)
    with pytest.raises(DatabaseInUseError):
        await sqlite_store(tmp_path / "room.db").open(ME)
    process.kill()
    process.wait()
    async with opened(sqlite_store(tmp_path / "room.db"), ME):
        pass


async def test_a_lost_connection_takes_the_lock_again(request: pytest.FixtureRequest) -> None:
    """The line to PostgreSQL is cut: the same server goes on, and writes what it is asked to."""
    url = request.getfixturevalue("migrated")(f"t{uuid4().hex}")
    async with Wire(url).open() as wire, opened(postgres_store(wire.url), ME) as store:
        await store.append(Append(table="t", expected_version=0, events=(NewEvent("public", None, b"a"),)))
        for version in range(1, 6):
            wire.drop()
            with contextlib.suppress(Exception):
                await store.barrier()
            await store.barrier()
            await store.append(Append(table="t", expected_version=version, events=(NewEvent("public", None, b"a"),)))
            with pytest.raises(DatabaseInUseError):
                await postgres_store(url).open(ME)


async def test_a_server_whose_database_was_taken_over_ends(request: pytest.FixtureRequest) -> None:
    """Its line was cut and another server was quicker: it writes nothing more, and stops with the reason."""
    url = request.getfixturevalue("migrated")(f"t{uuid4().hex}")
    async with Wire(url).open() as wire:
        store = postgres_store(wire.url)
        async with run_server(store) as server, server.person("Ann") as ann:
            table = await ann.open_table()
            await ann.watch(table)
            wire.shut()
            async with opened(postgres_store(url), ME) as other:
                wire.reopen()
                assert await ann.ended() == (1001, "The server is shutting down.")
                assert len(await other.load(table)) == 1
