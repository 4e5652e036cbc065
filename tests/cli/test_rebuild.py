"""`triptych rebuild`: whatever is read is made from the journal, byte for byte the same (issue 12, 1d)."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.server.in_process import QUICK, play, play_until_closed, run_server
from triptych.cli.rebuild import rebuild
from triptych.store.leases.interface import ServerInfo
from triptych.store.sqlite.store import sqlite_store

MADE = ("streams", "events", "commands", "postings", "deals", "recorded", "results", "evenings", "notes", "snapshots")
# What only counts rows, or is a moment.
LEFT_OUT = {"streams": {"id"}, "postings": {"id"}}
SIT = {"do": "sit", "seat": 0, "buy_in": 100}
BOT = {"do": "seat_bot", "seat": 1, "level": "random", "buy_in": 100}


async def session(file: Path) -> None:
    """Let a guest play at two tables, say something, and close one of them; then shut the server."""
    async with run_server(sqlite_store(file)) as server, server.person("Ann") as ann:
        for deals in (2, 3):
            table = await ann.open_table({"preset": "pineapple", "settlement.cap": "none", "clock.kind": "none"})
            await ann.watch(table)
            await ann.do(table, SIT)
            await ann.do(table, BOT)
            await ann.do(table, {"do": "say", "text": "hello"})
            await play(ann, table, deals)
        await ann.do(table, {"do": "close_table"})
        await play_until_closed(ann, table)


async def shut(file: Path) -> None:
    """Open the server until nothing goes on at any table, and what it keeps behind them is written; then shut it."""
    store = sqlite_store(file)
    async with run_server(store, QUICK._replace(sleep_after=0.04)) as server, server.guest() as http:
        while "triptych_tables_in_memory 0.0" not in (await http.get("/metrics")).text:  # noqa: ASYNC110 - from outside
            await asyncio.sleep(0.01)
        while await store.results.stale_tables():  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)


def content(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of what is made from the journal."""
    rows_by_table = {}
    with closing(sqlite3.connect(file)) as behind:
        for table in MADE:
            names = [row[1] for row in behind.execute(f"PRAGMA table_info({table})")]
            columns = ", ".join(name for name in names if name not in LEFT_OUT.get(table, ()))
            rows_by_table[table] = sorted(behind.execute(f"SELECT {columns} FROM {table}"), key=repr)  # noqa: S608 - names above
    return rows_by_table


@cache
def after_a_session() -> bytes:
    """Return the file of a database in which a session was played."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "room.db"
        asyncio.run(session(file))
        asyncio.run(shut(file))
        return file.read_bytes()


@pytest.fixture
def played(tmp_path: Path) -> Path:
    file = tmp_path / "room.db"
    file.write_bytes(after_a_session())
    return file


def test_all_of_it_is_the_same_again(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = content(played)
    assert all(before[table] for table in MADE)
    assert rebuild(database=str(played)) == 0
    printed = capsys.readouterr().out
    assert printed.count("as they were") == 5
    assert content(played)["results"] == []  # the server makes them
    asyncio.run(shut(played))
    after = content(played)
    open_ones = {row[0] for row in before["streams"] if not row[2]}
    assert len(open_ones) == 1
    for table in MADE:
        if table in ("snapshots", "notes"):  # of closed tables there need be none
            assert {row[0] for row in after[table]} == open_ones
        else:
            assert after[table] == before[table], table


def lose(behind: sqlite3.Connection) -> None:
    behind.execute("DELETE FROM events WHERE version = (SELECT max(version) FROM events)")


def alter(behind: sqlite3.Connection) -> None:
    behind.execute("UPDATE postings SET points = points + 1")


def add(behind: sqlite3.Connection) -> None:
    behind.execute("INSERT INTO deals SELECT table_id, 77, match, payload, checksum FROM deals LIMIT 1")


@pytest.mark.parametrize(("harm", "name"), [(lose, "events"), (alter, "postings"), (add, "deals")])
def test_altered_tables_are_named_and_repaired(
    played: Path, capsys: pytest.CaptureFixture[str], harm: Callable[[sqlite3.Connection], None], name: str
) -> None:
    before = content(played)[name]
    with closing(sqlite3.connect(played)) as behind:
        harm(behind)
        behind.commit()
    assert content(played)[name] != before
    assert rebuild(database=str(played)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines if "not what the journal says" in line] == [name]
    assert content(played)[name] == before


def test_a_corrupt_journal_is_reported(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(played)) as behind:
        behind.execute("UPDATE journal SET frame = frame || x'00' WHERE number = 5")
        behind.commit()
    assert rebuild(database=str(played)) == 1
    assert "the journal itself is damaged in 1 tables" in capsys.readouterr().err


def test_not_while_the_server_is_running(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def beside() -> int:
        store = sqlite_store(played)
        await store.open(ServerInfo(1, 1))
        try:
            return await asyncio.to_thread(rebuild, database=str(played))
        finally:
            await store.close()

    before = content(played)
    assert asyncio.run(beside()) == 1
    assert "serve" in capsys.readouterr().err
    assert content(played) == before


def test_there_must_be_a_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rebuild(database=str(tmp_path / "none.db")) == 1
    assert "there is no database" in capsys.readouterr().err
