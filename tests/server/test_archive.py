"""A table that is over is put away and read as before, and is deleted when its time is up (issue 12, 1d and 4)."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.in_process import QUICK, Person, RunningServer, http_client, play, play_until_closed, run_server
from triptych.cli.backup import backup, restore
from triptych.cli.history import export
from triptych.cli.rebuild import rebuild
from triptych.store.sqlite.store import sqlite_store

pytestmark = pytest.mark.anyio
SIT = {"do": "sit", "seat": 0, "buy_in": 100}
BOT = {"do": "seat_bot", "seat": 1, "level": "random", "buy_in": 100}
SOON = QUICK._replace(archive_after=0.05)
QUICK_TO_GO = SOON._replace(keep=0.1, sleep_after=0.1)
DEALS = 2


async def session(ann: Person) -> str:
    """Play at least two deals at a table and close it; a deal that has begun is played first."""
    table = await ann.open_table({"preset": "pineapple", "settlement.cap": "none", "clock.kind": "none"})
    await ann.watch(table)
    await ann.do(table, SIT)
    await ann.do(table, BOT)
    await play(ann, table, DEALS)
    assert (await ann.do(table, {"do": "close_table"}))["t"] == "ack"
    await play_until_closed(ann, table)
    return table


async def read(ann: httpx.AsyncClient, table: str) -> dict[str, Any]:
    """Return whatever the server shows of a table that is over; only what it keeps, no times of answering."""
    addresses = [
        f"/api/tables/{table}",
        f"/api/tables/{table}/rules",
        f"/api/tables/{table}/deals",
        f"/api/tables/{table}/proofs",
        f"/api/me/evenings/{table}",
        "/api/me/evenings",
        "/api/me/results",
        *(f"/api/tables/{table}/deals/{deal}/{form}" for deal in (1, DEALS) for form in ("replay", "history")),
    ]
    answers = {}
    for address in addresses:
        answer = await ann.get(address)
        answers[address] = (answer.status_code, answer.text)
    return answers


async def until(server: RunningServer, wanted: str) -> None:
    """Wait until the archive has a row."""
    while True:
        away = await server.store.archive.ended_before(2**60, 10)
        gone = await server.store.archive.expired()
        if (away if wanted == "away" else gone) and not await server.store.archive.unarchived():
            return
        await asyncio.sleep(0.02)


def sizes(file: Path) -> dict[str, int]:
    names = ("journal", "events", "commands", "deals", "snapshots", "notes", "archive", "results", "evenings")
    with closing(sqlite3.connect(file)) as behind:
        counts = {
            name: int(behind.execute(f"SELECT count(*) FROM {name}").fetchone()[0])  # noqa: S608 - names above
            for name in names
        }
        counts["frames"] = int(behind.execute("SELECT sum(length(frame)) FROM journal").fetchone()[0])
    return counts


async def person_again(server: RunningServer, before: Person) -> httpx.AsyncClient:
    return http_client(base_url=server.url, cookies=dict(before.http.cookies), timeout=60)


async def test_it_is_read_as_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "room.db"
    async with run_server(sqlite_store(file)) as server, server.person("Ann") as ann:
        table = await session(ann)
        while len(await server.store.results.deals_of(ann.player, table, 9)) < ann.views[table]["sheet"]["deal"]:  # noqa: ASYNC110 - no news of it
            await asyncio.sleep(0.02)
        before = await read(ann.http, table)
    assert all(status == 200 for status, _ in before.values()), before
    hot = sizes(file)
    assert hot["events"] > 20
    assert await asyncio.to_thread(export, table, 1, database=str(file)) == 0
    printed = capsys.readouterr().out
    async with run_server(sqlite_store(file), SOON) as server, await person_again(server, ann) as http:
        await until(server, "away")
        assert await read(http, table) == before
        while sizes(file)["journal"] > 1:  # noqa: ASYNC110 - the row comes first, then what it holds goes, in parts
            await asyncio.sleep(0.02)
    cold = sizes(file)
    left = ("events", "commands", "deals")
    assert [cold[name] for name in left] == [0, 0, 0]
    assert (cold["archive"], cold["journal"]) == (1, 1)
    assert cold["frames"] <= 1
    assert (cold["results"], cold["evenings"]) == (hot["results"], hot["evenings"])
    # The tools of a host, too.
    assert await asyncio.to_thread(export, table, 1, database=str(file)) == 0
    assert capsys.readouterr().out == printed
    assert await asyncio.to_thread(rebuild, database=str(file)) == 0
    assert await asyncio.to_thread(backup, tmp_path / "copy.db", database=str(file)) == 0
    assert await asyncio.to_thread(restore, tmp_path / "copy.db", check=True) == 0
    assert "replayed 1 table and 0 tournaments" in capsys.readouterr().out
    async with run_server(sqlite_store(file)) as server, await person_again(server, ann) as http:
        while await server.store.results.stale_tables():  # noqa: ASYNC110 - results were discarded: it writes them again
            await asyncio.sleep(0.02)
        assert await read(http, table) == before


async def test_when_its_time_is_up_its_links_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "room.db"
    async with (
        run_server(sqlite_store(file), QUICK_TO_GO) as server,
        server.person("Ann") as ann,
    ):
        open_one = await ann.open_table({"preset": "pineapple"})
        await ann.watch(open_one)
        table = await session(ann)
        account = f"player:{ann.player}"
        balance = await server.store.balance(account)
        await ann.send({"t": "unwatch", "table": table})
        await until(server, "gone")
        # Who has it before them sees it until they leave; the open one is followed.
        while "triptych_tables_in_memory 1.0" not in (await ann.http.get("/metrics")).text:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.05)
        for address in ("", "/deals", "/rules", "/deals/1/replay", "/deals/1/history"):
            answer = await ann.http.get(f"/api/tables/{table}{address}")
            assert (answer.status_code, answer.json()["error"]["code"]) == (410, "table.expired"), answer.text
            assert "deleted" in answer.json()["error"]["message"]
        await ann.send({"t": "watch", "table": table})
        problem = await ann.received("problem")
        assert problem["error"]["code"] == "table.expired"
        assert (await ann.http.get("/api/me/evenings")).json()["evenings"] == []
        assert (await ann.http.get(f"/api/tables/{open_one}")).status_code == 200
        assert (await ann.http.get("/api/me")).json()["name"] == "Ann"  # she has a table that is open
        assert await server.store.balance(account) == balance
    assert sizes(file)["results"] == 0
    assert await asyncio.to_thread(rebuild, database=str(file)) == 0
    assert await asyncio.to_thread(export, table, 1, database=str(file)) == 1
    assert "deleted" in capsys.readouterr().err
    assert await asyncio.to_thread(backup, tmp_path / "copy.db", database=str(file)) == 0
    assert await asyncio.to_thread(restore, tmp_path / "copy.db", check=True) == 0
    assert "1 more were deleted when their time was up" in capsys.readouterr().out
    async with run_server(sqlite_store(file)) as server, await person_again(server, ann) as http:
        assert (await http.get(f"/api/tables/{table}")).status_code == 410
        assert (await http.get("/api/tables/nowhere22")).status_code == 404
        assert await server.store.balance(account) == balance


async def test_a_guest_who_never_played_is_deleted(tmp_path: Path) -> None:
    settings = SOON._replace(keep=0.1)
    async with run_server(sqlite_store(tmp_path / "room.db"), settings) as server, server.person("Ann") as ann:
        while await server.store.player(ann.player) is not None:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.02)
        assert (await ann.http.get("/api/me")).status_code == 200  # the cookie is as good as before


async def test_a_table_that_does_not_add_up_stays_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    async with run_server(sqlite_store(file)) as server, server.person("Ann") as ann:
        bad = await session(ann)
        good = await session(ann)
        await server.store.tables()
    with closing(sqlite3.connect(file)) as behind:
        behind.execute("UPDATE events SET payload = x'00' WHERE table_id = ?", (bad,))
        behind.commit()
    async with run_server(sqlite_store(file), SOON) as server:
        while await server.store.archive.unarchived() != (bad,):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.02)
        assert await server.store.archive.ended_before(2**60, 10) == (good,)
