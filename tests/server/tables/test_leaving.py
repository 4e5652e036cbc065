"""A player who had asked to leave, and does not come back after a restart, keeps nobody waiting (issue 27.11)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.server.in_process import PATIENCE, run_server, seat_two
from triptych.store.sqlite.backup import copy_database
from triptych.store.sqlite.store import sqlite_store

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


async def test_a_leaving_player_who_does_not_return_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A restart takes everybody's connection: until then they had one, and played on."""
    monkeypatch.setattr("triptych.server.tables.actor.RETURN_SECONDS", 0.1)
    before, after = tmp_path / "room.db", tmp_path / "after.db"
    async with run_server(sqlite_store(before)) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, {"preset": "pineapple", "clock.seconds": 3600})
        await bob.do(table, {"do": "leave"})
        await ann.until(lambda: ann.views[table]["seats"][1]["leaving"])
        assert not ann.views[table]["seats"][1]["away"]
        copy_database(before, after)  # as a server leaves it that is killed now
        cookies = ann.http.cookies
    async with run_server(sqlite_store(after)) as server, server.guest() as http:
        http.cookies = cookies
        async with asyncio.timeout(PATIENCE):
            away = False
            while not away:
                away = (await http.get(f"/api/tables/{table}")).json()["seats"][1]["away"]
