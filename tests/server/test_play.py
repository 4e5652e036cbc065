"""A click's whole path: command, store, acknowledgement, the other screens (issue 2 parts 5 to 7)."""

from __future__ import annotations

import asyncio

import pytest

from tests.server.in_process import PATIENCE, play, run_server

pytestmark = pytest.mark.anyio


async def test_two_people_and_a_bot_play_deals() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await ann.open_table(bots_allowed=True)
        for person in (ann, bob):
            await person.watch(table)
        assert (await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100}))["t"] == "ack"
        assert (await ann.do(table, {"do": "seat_bot", "seat": 2, "level": "random", "buy_in": 100}))["t"] == "ack"
        assert (await bob.do(table, {"do": "sit", "seat": 1, "buy_in": 100}))["t"] == "ack"
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(play(ann, table, 3), play(bob, table, 3))
        deals = (await ann.http.get(f"/api/tables/{table}/deals")).json()
        assert [deal["sheet"]["deal"] for deal in deals[-3:]] == [3, 2, 1]
        stacks = {seat["seat"]: seat["stack"] for seat in ann.views[table]["seats"]}
        assert len(stacks) == 3
