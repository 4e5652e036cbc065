"""Two who ask for a rematch meet at one table, at whichever servers of the cluster they ask (issue 12, part 2)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import PATIENCE, Person, RunningServer, http_client
from tests.server.server_process import PROGRAM, ServerProcess

if TYPE_CHECKING:
    from tests.faults.cluster import Cluster

pytestmark = pytest.mark.anyio
# A closed table leaves memory after as many seconds, and its lease is given back.
SLEEPY = (PROGRAM, "serve", "--sleep-after", "1")


async def ask_for_rematch(person: Person, server: ServerProcess, old: str) -> str:
    """Press "Once more" at a server; the table that opens."""
    body = {"name": "Again", "rules": "pineapple", "like": old}
    async with http_client(base_url=server.url, cookies=person.http.cookies) as http:
        answer = await http.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["table"]
    return table


async def closed(host: Person) -> str:
    table = await host.open_table()
    await host.watch(table)
    await host.do(table, {"do": "close_table"})
    return table


async def asleep(cluster: Cluster, table: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while await cluster.owned_at(table) is not None:  # noqa: ASYNC110 - another process changes it
            await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_two_players_who_ask_at_two_servers_at_the_same_moment_share_a_rematch(cluster: Cluster) -> None:
    """While its owner has the closed table in memory, and when nobody owns it any more."""
    servers = [await cluster.open(*SLEEPY) for _ in range(2)]
    entry = RunningServer(servers[0].url, MemoryStore())
    async with entry.person("Ann") as ann, entry.person("Bob") as bob:
        for rested in (False, True):
            old = await closed(ann)
            if rested:
                await ann.send({"t": "unwatch", "table": old})
                await asleep(cluster, old)
            both = [(person, server) for person in (ann, bob) for server in servers]
            opened = await asyncio.gather(*(ask_for_rematch(person, server, old) for person, server in both))
            assert len(set(opened)) == 1


@pytest.mark.slow
async def test_a_later_rematch_request_joins_the_others_though_the_bus_is_silent(cluster: Cluster) -> None:
    """The server at which the rematch is played goes on owning the table that is over."""
    first, second = [await cluster.open(*SLEEPY) for _ in range(2)]
    server = RunningServer(first.url, MemoryStore())
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        old = await closed(ann)
        await ann.send({"t": "unwatch", "table": old})
        cluster.nats.cut()
        opened = await ask_for_rematch(ann, first, old)
        await ann.watch(opened)
        await asyncio.sleep(3)
        assert await cluster.owned_at(old) == first.url
        assert await ask_for_rematch(bob, second, old) == opened
        await ann.do(opened, {"do": "close_table"})
        await ann.send({"t": "unwatch", "table": opened})
        await asleep(cluster, opened)
        await asleep(cluster, old)
