"""A table is opened from its last snapshot and what followed: the same as all of its events (issue 12, 1d)."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import play, run_server
from triptych.i18n.messages import plain_text
from triptych.server.tables.event_log import replay
from triptych.server.tables.integrity import StreamVerifier
from triptych.server.tables.snapshots import SNAPSHOT_VERSION, load_table
from triptych.store.interface import EventStore
from triptych.store.sqlite.store import sqlite_store
from triptych.store.types import Append, Snapshot
from triptych.table.state import TableState

pytestmark = pytest.mark.anyio
SIT = {"do": "sit", "seat": 0, "buy_in": 100}
BOT = {"do": "seat_bot", "seat": 1, "level": "random", "buy_in": 100}


async def played(file: Path, deals: int) -> str:
    """Play at a table in a server that then shuts; return the table."""
    async with run_server(sqlite_store(file)) as server, server.person("Ann") as ann:
        table = await ann.open_table({"preset": "pineapple", "settlement.cap": "none"})
        await ann.watch(table)
        await ann.do(table, SIT)
        await ann.do(table, BOT)
        await play(ann, table, deals)
        return table


async def opened(store: EventStore, table: str) -> tuple[TableState, int, bool]:
    result = await load_table(store, table)
    assert result is not None
    state, history, whole = result
    return state, len(history), whole


async def test_deleting_all_of_them_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    table = await played(file, 3)
    store = sqlite_store(file)
    await store.open()
    everything = await store.load(table)
    state, read, whole = await opened(store, table)
    assert (state, read, whole) == (replay(everything)[0], 0, False)  # a server that shuts notes where its tables are
    some = len(everything) // 2
    halfway = msgspec.msgpack.encode(replay(everything[:some])[0], enc_hook=plain_text)
    await store.snapshots.save([Snapshot(table, some, SNAPSHOT_VERSION, halfway)])
    assert await opened(store, table) == (state, len(everything) - some, False)
    await store.snapshots.clear()
    assert await opened(store, table) == (state, len(everything), True)
    await store.close()


@pytest.mark.parametrize(
    "change", ["form = 'another'", "payload = x'90'", "payload = payload || x'00'", "version = 2"]
)
async def test_damaged_snapshots_and_those_of_other_code_are_not_read(tmp_path: Path, change: str) -> None:
    file = tmp_path / "room.db"
    table = await played(file, 1)
    with closing(sqlite3.connect(file)) as behind:
        behind.execute(f"UPDATE snapshots SET {change}")  # noqa: S608 - the cases above
        behind.commit()
    store = sqlite_store(file)
    await store.open()
    everything = await store.load(table)
    assert await opened(store, table) == (replay(everything)[0], len(everything), True)
    await store.close()


async def test_a_server_opens_its_tables_from_snapshots_and_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a table had come to is not read from its events: here they are gone, and are missed only afterwards."""
    file = tmp_path / "room.db"
    async with run_server(sqlite_store(file)) as server, server.person("Ann") as ann:
        whole, hurt = [await ann.open_table({"preset": "pineapple", "settlement.cap": "none"}) for _ in range(2)]
        for table in (whole, hurt):
            await ann.watch(table)
            await ann.do(table, SIT)
            await ann.do(table, BOT)
            await play(ann, table, 2)
        cookies = ann.http.cookies
    store = sqlite_store(file)
    await store.open()  # its events are among the rows then
    await store.close()
    with closing(sqlite3.connect(file)) as behind:
        first = "SELECT min(version) FROM events WHERE table_id = ?"
        behind.execute(f"DELETE FROM events WHERE table_id = ? AND version = ({first})", (hurt, hurt))  # noqa: S608 - ours
        behind.commit()
    start_reading = asyncio.Event()
    read_through = StreamVerifier.run

    async def afterwards(self: StreamVerifier, recovered: asyncio.Event) -> None:
        await start_reading.wait()
        await read_through(self, recovered)

    monkeypatch.setattr(StreamVerifier, "run", afterwards)
    async with run_server(sqlite_store(file)) as server, server.guest() as http:
        http.cookies = cookies
        # Nobody has asked for it yet, and then only the lobby tells.
        assert (await http.get(f"/api/tables/{hurt}")).status_code == 200
        start_reading.set()
        while [line["table"] for line in (await http.get("/api/tables")).json()] != [whole]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        answer = await http.get(f"/api/tables/{hurt}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "table.damaged")
        async with server.socket(http) as ann:
            await ann.watch(whole)
            await play(ann, whole, 3)


class VersionRecordingStore(MemoryStore):
    """Notes the version before each command."""

    def __init__(self) -> None:
        super().__init__()
        self.versions: list[int] = []

    async def append(self, append: Append) -> int:
        self.versions.append(append.expected_version)
        return await super().append(append)


async def test_a_table_is_read_on_from_wherever_a_command_left_it() -> None:
    """Its deals do not repeat their rules; a newcomer takes the last deal's boards away, and with them its rules."""
    store = VersionRecordingStore()
    async with run_server(store) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await ann.open_table({"preset": "pineapple", "settlement.cap": "none"})
        await ann.watch(table)
        await ann.do(table, SIT)
        await ann.do(table, BOT)
        await play(ann, table, 2)
        await bob.watch(table)
        await bob.do(table, {"do": "sit", "seat": 2, "buy_in": 100})
        await asyncio.gather(play(ann, table, 4), play(bob, table, 4))
    everything = await store.load(table)
    state, history = replay(everything)
    for version in filter(None, store.versions):
        before, _ = replay(everything[:version])
        assert replay(everything[version:], before) == (state, history[version:])
