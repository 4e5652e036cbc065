"""What a host's own tools ask: does the server live, is it ready, how much goes on (issue 12, part 4)."""

from __future__ import annotations

import asyncio
import errno
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from prometheus_client import CONTENT_TYPE_LATEST

from tests.memory_store.store import MemoryStore
from tests.server.in_process import RunningServer, play, run_server
from tests.server.knowledge import cards_in
from triptych.server.readiness import Readiness
from triptych.store.journal.group_commit import Commits, GroupCommit
from triptych.store.sqlite.store import sqlite_store
from triptych.store.types import Append

pytestmark = pytest.mark.anyio


class AwayStore(MemoryStore):
    """A store that does not answer while it is `away`, or never returns while it `hangs`."""

    away = False
    hangs = False

    async def last_alive(self) -> int:
        if self.away:
            raise OSError("the disk is gone")
        if self.hangs:
            await asyncio.Event().wait()
        return await super().last_alive()


async def test_an_open_server_is_alive_and_ready(server: RunningServer) -> None:
    async with server.guest() as http:
        for path, word in (("/healthz", "ok"), ("/readyz", "ready")):
            answer = await http.get(path)
            assert (answer.status_code, answer.text.strip()) == (200, word)


@pytest.mark.parametrize("fault", ["away", "hangs"])
async def test_a_server_whose_database_is_away_is_alive_but_not_ready(fault: str) -> None:
    store = AwayStore()
    async with run_server(store) as server, server.guest() as http:
        setattr(store, fault, True)
        assert (await http.get("/healthz")).status_code == 200
        answer = await http.get("/readyz")
        assert (answer.status_code, answer.text.strip()) == (503, "the database does not answer")
        setattr(store, fault, False)
        assert (await http.get("/readyz")).status_code == 200


class FullStore(MemoryStore):
    """A store that is read as ever while its disk is `full`."""

    full = False
    tries = 0

    async def try_write(self) -> None:
        self.tries += 1
        if self.full:
            raise OSError(errno.ENOSPC, "no space left on device")


async def test_a_server_whose_disk_is_full_is_not_ready() -> None:
    """It could be read, so the answer was 200 (issue 27.5)."""
    store = FullStore()
    async with run_server(store) as server, server.guest() as http:
        store.full = True
        answer = await http.get("/readyz")
        assert (answer.status_code, answer.text.strip()) == (503, "the disk is full")
        store.full = False
        assert (await http.get("/readyz")).status_code == 200


async def test_a_disk_that_is_nearly_full_is_noticed_before_a_move_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small write may find room in SQLite's log for a while."""
    async with run_server(sqlite_store(tmp_path / "room.db")) as server, server.guest() as http:
        usage = shutil.disk_usage(tmp_path)
        monkeypatch.setattr("triptych.store.sqlite.store.disk_usage", lambda _folder: usage._replace(free=1_000))
        answer = await http.get("/readyz")
        assert (answer.status_code, answer.text.strip()) == (503, "the disk is full")
        monkeypatch.undo()
        assert (await http.get("/readyz")).status_code == 200


async def test_a_server_whose_database_is_locked_is_not_ready(tmp_path: Path) -> None:
    """Issue 27.5."""
    file = tmp_path / "room.db"
    async with run_server(sqlite_store(file)) as server, server.guest() as http:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            answer = await http.get("/readyz")
            assert (answer.status_code, answer.text.strip()) == (503, "the database does not answer")
        while (await http.get("/readyz")).status_code != 200:
            pass


async def test_it_is_written_once_a_second_however_often_it_is_asked() -> None:
    store, at = FullStore(), [0.0]
    ready = Readiness(store, lambda: at[0])
    assert await asyncio.gather(*(ready.fault() for _ in range(5))) == [""] * 5
    assert store.tries == 1
    at[0] += 0.9
    assert await ready.fault() == ""
    assert store.tries == 1
    at[0] += 0.2
    assert await ready.fault() == ""
    assert store.tries == 2


async def test_commits_that_fail_are_counted_and_how_long_nothing_is_stored() -> None:
    """Issue 27.5."""
    at, full = [0.0], [False]

    async def commit(batch: Sequence[Append]) -> Sequence[int]:
        at[0] += 3
        if full[0]:
            raise OSError(errno.ENOSPC, "no space left on device")
        return [1] * len(batch)

    group = GroupCommit(commit)
    group.commits = commits = Commits(lambda: at[0])
    group.start()
    append = Append(table="t", expected_version=0, events=())
    await group.append(append)
    assert (commits.failures, commits.waiting_seconds()) == (0, 0)
    full[0] = True
    for _ in range(2):
        with pytest.raises(OSError, match="no space"):
            await group.append(append)
    assert (commits.failures, commits.waiting_seconds()) == (2, 6)
    at[0] += 10
    assert commits.waiting_seconds() == 16
    full[0] = False
    await group.append(append)
    assert (commits.failures, commits.waiting_seconds()) == (2, 0)
    await group.close()


async def test_metrics_hold_numbers_and_neither_cards_nor_names(server: RunningServer) -> None:
    async with server.person("Zacharias") as ann, server.person("Ophelia") as bob, server.guest() as http:
        table = await ann.open_table({"preset": "pineapple"})
        for seat, person in enumerate((ann, bob)):
            await person.watch(table)
            await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
        await asyncio.gather(play(ann, table, 1), play(bob, table, 1))
        answer = await http.get("/metrics")
    assert answer.headers["content-type"] == CONTENT_TYPE_LATEST  # each parameter once
    lines = dict(line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#"))
    assert float(lines['triptych_seats{by="person"}']) == 2
    assert float(lines['triptych_seats{by="bot"}']) == 0
    assert sum(float(value) for name, value in lines.items() if name.startswith("triptych_tables{")) == 1
    assert float(lines["triptych_deals"]) >= 1
    assert float(lines["triptych_connections"]) >= 2
    assert float(lines["triptych_tables_damaged"]) == 0
    assert float(lines["triptych_commits_failed_total"]) == 0
    assert float(lines["triptych_commit_waiting_seconds"]) < 5
    assert list(cards_in(answer.text)) == []
    assert not {name for name in ("Zacharias", "Ophelia", table) if name in answer.text}
