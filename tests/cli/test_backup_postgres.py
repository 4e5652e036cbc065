"""`triptych backup` and `triptych restore` of a server in PostgreSQL, while it writes (issue 12, part 4)."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Connection, text

from tests.cli.test_backup import appends, fill
from triptych.cli.backup import backup, restore
from triptych.server.bootstrap import store_from_url
from triptych.server.tables.event_log import replay
from triptych.store.leases.interface import ServerInfo
from triptych.store.postgres import backup as postgres_backup
from triptych.store.postgres.store import postgres_store
from triptych.store.sql.store import SqlStore
from triptych.store.types import Append

Databases = Callable[[], str]


@pytest.fixture
def database(postgres: Callable[[str], str]) -> Databases:
    return lambda: postgres(f"t{uuid4().hex}")


async def read(place: str) -> dict[str, Any]:
    """Return every table played again, its postings, and whose journal rows there are."""
    store = store_from_url(place)
    await store.open()
    try:
        tables = await store.tables(ended=True)
        contents: dict[str, Any] = {
            table: (replay(await store.load(table)), list(await store.postings(table))) for table in tables
        }
        return {**contents, "open": await store.tables()}
    finally:
        await store.close()


def test_a_copy_of_servers_that_write_is_of_one_moment(database: Databases, tmp_path: Path) -> None:
    """Two servers share the database, and what the one stores is never projected: the copies' own store does it."""
    url = database()
    batches = {"t1": appends("t1", 3), "t2": appends("t2", 2)}
    answered = dict.fromkeys(batches, 0)
    copies: list[tuple[Path, dict[str, int]]] = []

    async def write(store: SqlStore, table: str, left: list[Append]) -> None:
        for append in left:
            await store.append(append)
            answered[table] += 1

    async def copy(until: asyncio.Future[Any]) -> None:
        while not until.done():
            place, before = tmp_path / f"copy{len(copies)}.db", dict(answered)
            assert await asyncio.to_thread(backup, place, database=url) == 0
            copies.append((place, before))

    async def main() -> None:
        async with AsyncExitStack() as stack:
            writing = []
            for number, (table, left) in enumerate(batches.items()):
                store = postgres_store(url, shared=True)
                await store.open(ServerInfo(1 + number, 1, f"http://127.0.0.1:{1 + number}"))
                stack.push_async_callback(store.close)
                assert await store.leases.acquire(table, new=True) is None
                if number:
                    await store._projector.close()
                writing.append(write(store, table, left))
            written = asyncio.gather(*writing)
            await copy(written)
            await written

    asyncio.run(main())
    last = tmp_path / "last.db"
    assert backup(last, database=url) == 0
    for place, before in (*copies[:3], (last, answered)):
        assert restore(place, check=True) == 0
        versions = asyncio.run(_versions(place))
        assert all(versions.get(table, 0) >= version for table, version in before.items())
    assert asyncio.run(_versions(last)) == {table: len(left) for table, left in batches.items()}


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
def test_ctrl_c_ends_a_copy_and_leaves_nothing(
    database: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 27.3."""
    url, folder = database(), tmp_path / "copies"
    folder.mkdir()
    asyncio.run(filled(url))
    copy = postgres_backup._copy

    def pressed(source: Connection, target: Connection) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        copy(source, target)

    monkeypatch.setattr(postgres_backup, "_copy", pressed)
    with pytest.raises(KeyboardInterrupt):
        backup(folder / "copy.db", database=url)
    assert list(folder.iterdir()) == []
    monkeypatch.undo()
    assert backup(folder / "copy.db", database=url) == 0


async def filled(url: str) -> None:
    store = postgres_store(url)
    await store.open(ServerInfo(1, 1))
    for append in appends("t1", 1):
        await store.append(append)
    await store.tables()
    await store.close()


async def _versions(place: Path) -> dict[str, int]:
    store = store_from_url(str(place))
    await store.open(ServerInfo(1, 1))
    try:
        return {table: len(await store.load(table)) for table in await store.tables(ended=True)}
    finally:
        await store.close()


def test_a_server_moves_from_a_file_to_postgresql_and_back(database: Databases, tmp_path: Path) -> None:
    """A server on a laptop becomes a public one: its data is there, and it goes on."""
    server_file, copy, back = tmp_path / "room.db", tmp_path / "copy.db", tmp_path / "back.db"
    url = database()
    asyncio.run(fill(server_file, appends("t1", 2), appends("t2", 1)[:40]))
    assert backup(copy, database=str(server_file)) == 0
    assert restore(copy, database=url) == 0
    assert asyncio.run(read(url)) == asyncio.run(read(str(server_file)))

    async def go_on(place: str) -> None:
        store = store_from_url(place)
        await store.open(ServerInfo(1, 1))
        for append in (*appends("t2", 1)[40:], *appends("t3", 1)):
            await store.append(append)
        await store.tables()
        await store.close()

    asyncio.run(go_on(url))
    copy.unlink()
    assert backup(copy, database=url) == 0
    assert restore(copy, database=str(back)) == 0
    asyncio.run(go_on(str(server_file)))
    assert asyncio.run(read(str(back))) == asyncio.run(read(str(server_file)))


def test_a_database_with_data_in_it_is_not_overwritten(
    database: Databases, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server_file, copy, url = tmp_path / "room.db", tmp_path / "copy.db", database()
    asyncio.run(fill(server_file, appends("t1", 1)))
    assert backup(copy, database=str(server_file)) == 0
    assert restore(copy, database=url) == 0
    assert restore(copy, database=url) == 1
    assert "nothing was overwritten" in capsys.readouterr().err
    assert asyncio.run(read(url)) == asyncio.run(read(str(server_file)))


def test_a_database_that_cannot_be_copied_is_refused_and_leaves_nothing(
    database: Databases, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty database, one of another schema, one that is not there; no password is repeated."""
    empty, other = database(), database()

    async def make(place: str) -> None:
        store = postgres_store(place)
        await store.open(ServerInfo(1, 1))
        older = text("UPDATE alembic_version SET version_num = '0006'")
        await store._writing.run(lambda connection: connection.execute(older))
        await store.close()

    asyncio.run(make(other))
    nobody = "postgresql://ann:hush@127.0.0.1:1/room"
    for place, words in (
        (empty, "not a database of a Triptych server"),
        (other, "of an older Triptych"),
        (nobody, "127.0.0.1"),
    ):
        assert backup(tmp_path / "copy.db", database=place) == 1
        printed = capsys.readouterr().err
        assert words in printed
        assert "hush" not in printed
    assert list(tmp_path.iterdir()) == []
