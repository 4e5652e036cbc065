"""A damaged row stops its table alone, which says so; nothing of it is sent (issue 10, part 3, 9)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.server.in_process import play, run_server
from triptych.store.sqlite.store import sqlite_store

pytestmark = pytest.mark.anyio

SIT = {"do": "sit", "seat": 0, "buy_in": 100}


async def damage(file: Path, statement: str, **values: object) -> None:
    """Change something in the database behind the server's back."""
    store = sqlite_store(file)
    await store.open()  # whatever is read is projected first
    await store._writing.run(lambda connection: connection.execute(text(statement), values))
    await store.close()


async def test_a_damaged_answer_stops_its_table_alone(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    store = sqlite_store(file)
    async with run_server(store) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        hurt, whole = await ann.open_table(), await ann.open_table()
        for table in (hurt, whole):
            await bob.watch(table)
            await ann.watch(table)
            assert (await ann.do(table, SIT, "sit"))["t"] == "ack"
        await store.tables()  # the answer is not known from memory any more
        await damage(
            file, "UPDATE commands SET answer = :lie WHERE table_id = :table", table=hurt, lie=b'{"t":"ack"}'
        )
        again = await ann.do(hurt, SIT, "sit")
        assert (again["t"], again["error"]["code"]) == ("refused", "table.damaged")
        # Whoever is there is told, and whoever comes; nothing is done there any more.
        assert (await bob.received("problem"))["error"]["message"].startswith("This table’s saved data is damaged")
        assert (await bob.do(hurt, {**SIT, "seat": 1}))["error"]["code"] == "table.damaged"
        assert [line["table"] for line in (await bob.http.get("/api/tables")).json()] == [whole]
        # The other one plays.
        assert (await bob.do(whole, {**SIT, "seat": 1}))["t"] == "ack"


async def test_a_damaged_event_keeps_its_table_shut(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    async with run_server(sqlite_store(file)) as server, server.person("Ann") as ann:
        hurt, whole = await ann.open_table(), await ann.open_table()
        for table in (hurt, whole):
            await ann.watch(table)
            await ann.do(table, SIT)
            await ann.do(table, {"do": "seat_bot", "seat": 1, "level": "random", "buy_in": 100})
            await play(ann, table, 1)
        cookies = ann.http.cookies
    which = "table_id = :table AND version = (SELECT min(version) FROM events WHERE table_id = :table)"
    await damage(file, f"UPDATE events SET payload = payload || :more WHERE {which}", table=hurt, more=b" ")  # noqa: S608
    async with run_server(sqlite_store(file)) as server, server.guest() as http:
        http.cookies = cookies
        # What lies before a snapshot is read when the tables are open; only the lobby tells.
        while [line["table"] for line in (await http.get("/api/tables")).json()] != [whole]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        for path in ("", "/deals", "/deals/1/replay"):
            answer = await http.get(f"/api/tables/{hurt}{path}")
            assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")
        assert [line["table"] for line in (await http.get("/api/tables")).json()] == [whole]
        async with server.socket(http) as ann:
            await ann.send({"t": "watch", "table": hurt, "since": None})
            assert (await ann.received("problem"))["error"]["code"] == "table.damaged"
            await ann.watch(whole)
            await play(ann, whole, 2)


async def test_damage_found_by_a_reader_stops_the_table(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    async with run_server(sqlite_store(file)) as server, server.person("Ann") as ann:
        table = await ann.open_table()
        await ann.watch(table)
        await ann.do(table, SIT)
        await ann.do(table, {"do": "seat_bot", "seat": 1, "level": "random", "buy_in": 100})
        await play(ann, table, 1)
        await damage(file, "UPDATE deals SET payload = :lie WHERE table_id = :table", table=table, lie=b"{}")
        answer = await ann.http.get(f"/api/tables/{table}/deals")
        assert answer.json()["error"]["code"] == "table.damaged"
        assert (await ann.received("problem"))["error"]["code"] == "table.damaged"
        assert (await ann.do(table, {"do": "sit_out"}))["error"]["code"] == "table.damaged"
