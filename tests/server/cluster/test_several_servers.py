"""Several servers on one database (issue 12, part 2): real processes, a real PostgreSQL and NATS.

That faults cost nobody anything is shown in tests/faults.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from nats.aio.client import Client
from websockets.exceptions import ConnectionClosed

from tests.faults.campaigns import Run, record_of
from tests.faults.cluster import AnyServer, Cluster, looking
from tests.faults.judge import judge
from tests.faults.players import session
from tests.forked_command import Forked
from tests.memory_store.store import MemoryStore
from tests.nats import Nats
from tests.processes import Running
from tests.server.in_process import PATIENCE, RunningServer, http_client, until_alike
from tests.server.server_process import ServerProcess, free_port
from tests.server.tournaments.requests import announce, follow, send_request, until
from triptych.cli.entry_point import main

pytestmark = pytest.mark.anyio


def running_server(server: ServerProcess) -> RunningServer:
    return RunningServer(server.url, MemoryStore())


async def test_a_table_is_played_at_whichever_server_one_comes_to(cluster: Cluster) -> None:
    """Opened at one, joined at the other: socket, page, guide, history and lobby go where they belong."""
    first, second = await cluster.open(), await cluster.open()
    async with running_server(first).person("Ann") as ann:
        table = await ann.open_table()
        await ann.watch(table)
        await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100})
        http = http_client(base_url=second.url, cookies=ann.http.cookies)
        async with http, running_server(second).socket(http) as same, running_server(second).person("Bob") as bob:
            await same.watch(table)
            await bob.watch(table)
            answer = await bob.do(table, {"do": "sit", "seat": 1, "buy_in": 100}, "mine")
            assert answer["t"] == "ack"
            assert await bob.do(table, {"do": "sit", "seat": 1, "buy_in": 100}, "mine") == answer
            await ann.until(lambda: ann.views[table]["deal"] is not None)
            for each in (same, bob):
                await each.until(lambda each=each: each.views[table]["deal"] is not None)  # type: ignore[misc]
            await until_alike(ann, same, table)
            assert same.views[table] == ann.views[table]
            assert same.views[table]["deal"] != bob.views[table]["deal"]
            for path in ("", "/rules", "/deals"):
                answers = [await each.get(f"/api/tables/{table}{path}") for each in (ann.http, http)]
                assert [each.status_code for each in answers] == [200, 200], (path, [each.text for each in answers])
                assert answers[0].json() == answers[1].json()
            for path in ("/api/tables/nothing", "/api/tables/nothing/deals"):
                assert (await http.get(path)).status_code == 404
            # The other server's lobby hears of it over the bus.
            async with asyncio.timeout(PATIENCE):
                while True:
                    lines = {line["table"]: line for line in (await http.get("/api/tables")).json()}
                    if table in lines and lines[table]["phase"] == "playing":
                        break
                    await asyncio.sleep(0.05)
            assert lines[table]["mine"]
            assert [seat and seat["name"] for seat in lines[table]["seats"]][:2] == ["Ann", "Bob"]
    assert (await cluster.owner(table)) is first


@pytest.mark.slow
async def test_a_token_counts_at_every_server(cluster: Cluster) -> None:
    """A program that came to one server plays at another's table, is marked there, and ends with its token."""
    first, second = await cluster.open(), await cluster.open()
    async with running_server(first).person("Ann") as ann, running_server(first).person("Bob") as bob:
        table = await ann.open_table()
        await ann.watch(table)
        token = (await bob.http.post("/api/me/tokens", json={"label": "bot", "scopes": ["play"]})).json()
        headers = {"Authorization": f"Bearer {token['secret']}"}
        http = http_client(base_url=second.url, headers=headers)
        async with http, running_server(second).socket(http, **headers) as bot:
            assert (await http.get(f"/api/tables/{table}")).status_code == 200
            assert (await http.post(f"/api/tables/{table}/enter", json={"password": ""})).status_code == 200
            refused = await http.put(f"/api/tables/{table}/password", json={"password": "x"})
            assert (refused.status_code, refused.json()["error"]["code"]) == (403, "token.scope")
            await bot.watch(table)
            answer = await bot.do(table, {"do": "close_table"})
            assert answer["error"]["code"] == "token.scope"
            assert (await bot.do(table, {"do": "sit", "seat": 1, "buy_in": 100}))["t"] == "ack"
            await ann.until(lambda: bool(ann.views[table]["seats"][1]["program"]))
            await bob.http.delete(f"/api/me/tokens/{token['line']['token']}")
            assert (await bot.ended())[0] == 4401
            assert (await http.get("/api/me")).status_code == 401
    assert (await cluster.owner(table)) is first


@pytest.mark.slow
async def test_a_session_ends_at_every_server(cluster: Cluster) -> None:
    """Issue 27.16: what is connected elsewhere ends too, and what was ended while the bus was cut once it is back."""
    first, second = await cluster.open(), await cluster.open()
    async with running_server(first).person("Ann") as ann, http_client(base_url=second.url) as phone:
        link = (await ann.http.post("/api/me/device")).json()["link"].partition("#")[2]
        await phone.get("/api/me")
        assert (await phone.post("/api/me/device/take", json={"token": link})).json()["player"] == ann.player
        copied = ann.http.cookies["triptych_guest"]
        async with running_server(second).socket(phone) as line, running_server(second).socket(ann.http) as copy:
            for each in (line, copy):
                await each.received("hello")
            # Asked at whichever server, it is the one that has run for longest which answers.
            async with http_client(base_url=second.url, cookies=ann.http.cookies) as http:
                out = await http.delete("/api/me/devices")
            assert out.status_code == 200
            for each in (line, copy, ann):
                assert (await each.ended())[0] == 4401
        cookies = {"triptych_guest": out.cookies["triptych_guest"]}
        async with http_client(cookies=cookies) as owner, http_client() as thief:
            thief.cookies.set("triptych_guest", copied)
            for server in (first, second):
                assert (await owner.get(f"{server.url}/api/me")).json()["player"] == ann.player
                assert (await thief.get(f"{server.url}/api/me/keys")).status_code == 401
        async with http_client(base_url=first.url, cookies=cookies) as here:
            http = http_client(base_url=second.url, cookies=cookies)
            async with http, running_server(second).socket(http) as line:
                await line.received("hello")
                cluster.nats.cut()
                assert (await here.post("/api/signout")).status_code == 200
                await cluster.nats.start()
                assert (await line.ended())[0] == 4401
                assert (await http.get("/api/me/keys")).status_code == 401


@pytest.mark.slow
async def test_nobodys_clock_is_charged_for_a_dead_owner(cluster: Cluster) -> None:
    """A street of 40 seconds, two of them played; every server dies, and the four until one is back are nobody's."""
    second, first = await cluster.open(), await cluster.open()
    rules = {"preset": "pineapple", "clock.seconds": 40, "clock.bank": 0}
    async with contextlib.AsyncExitStack() as stack:
        ann = await stack.enter_async_context(running_server(first).person("Ann"))
        bob = await stack.enter_async_context(running_server(first).person("Bob"))
        table = await ann.open_table(rules)
        for seat, person in enumerate((ann, bob)):
            await person.watch(table)
            await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
        await ann.until(lambda: bool(ann.views[table]["clocks"]))
        update = await ann.watch(table)
        left = update["view"]["clocks"][0]["street_ends"] - update["now"]
        await asyncio.sleep(2)
        for server in (first, second):
            server.kill()
        await asyncio.sleep(4)
        await second.start()
        http = await stack.enter_async_context(http_client(base_url=second.url, cookies=ann.http.cookies))
        while True:
            with contextlib.suppress(ConnectionError, ConnectionClosed):
                back = await stack.enter_async_context(running_server(second).socket(http))
                update = await back.watch(table)
                await back.until(lambda back=back: bool(back.views[table]["clocks"]))  # type: ignore[misc]
                update = await back.watch(table)
                break
            await asyncio.sleep(0.05)
        now = update["view"]["clocks"][0]["street_ends"] - update["now"]
        # The dead server had said that it lives half a second before, at most; a move of the clock is some ms.
        assert now > left - 2_000 - 1_500
        assert now <= left


@pytest.mark.slow
async def test_a_tournament_is_played_on_where_its_owner_died(cluster: Cluster) -> None:
    """A league of bots and a person: it and its tables go to one server, and nothing of it is played twice."""
    second, first = await cluster.open(), await cluster.open()
    async with running_server(first).person("Ann") as ann, running_server(second).person("Bob") as bob:
        tournament = await announce(ann.http, most=4, fill="random")
        for person in (ann, bob):
            # At the other server too: it is passed on.
            assert "error" not in await send_request(person.http, tournament, "register")

        async def listed() -> bool:
            lines = (await bob.http.get("/api/cups")).json()
            return [(line["cup"], line["players"], line["mine"]) for line in lines] == [(tournament, 2, True)]

        await eventually(listed)
        await send_request(ann.http, tournament, "begin")
        await follow(bob, tournament)
        await until(bob, tournament, phase="running")
        cookies = bob.http.cookies
        first.kill()
        assert await bob.ended()
    async with http_client(base_url=second.url, cookies=cookies) as http:

        async def back() -> bool:
            answer = await http.get(f"/api/cups/{tournament}")
            return answer.status_code == 200 and answer.json()["phase"] == "running"

        await eventually(back)
    async with looking(cluster.url) as connection:
        wanted = "SELECT name, address FROM leases JOIN servers USING (lane) WHERE NOT over"

        async def owned() -> bool:
            return dict(await connection.fetch(wanted)) == {tournament: second.url}

        await eventually(owned)


async def eventually(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait for what other processes bring about."""
    async with asyncio.timeout(PATIENCE):
        while not await condition():  # noqa: ASYNC110 - other processes change it
            await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_messages_on_the_bus_hold_no_card_and_no_point(cluster: Cluster) -> None:
    """Every byte of some deals at two servers, bought in with points that nothing else has."""
    first, second = await cluster.open(), await cluster.open()
    messages: list[bytes] = []

    async def hear(message: Any) -> None:
        messages.append(message.data)

    client = Client()
    await client.connect([cluster.nats.url])
    await client.subscribe("triptych.>", cb=hear)
    await client.flush()
    async with session(first.url, AnyServer(cluster)) as played:
        table = played.table
        for _ in range(12):
            await played.played_on()
        second.kill()
        await played.stop()
        view = (await played.players[0].http.get(f"/api/tables/{table}")).json()
    await client.close()
    kinds = {msgspec.json.decode(each)["type"] for each in messages}
    assert kinds >= {"renamed", "shown"}
    assert any(table.encode() in each for each in messages)
    points = [str(abs(seat["stack"])).encode() for seat in view["seats"]]
    for each in messages:
        assert re.search(rb"\b(10|[2-9TJQKA])[cdhs]\b|XX|\b100000\b", each) is None, each
        assert not any(re.search(rb"\b%s\b" % number, each) for number in points)
        assert b"stack" not in each
        assert b"card" not in each


def children(process: Running) -> list[int]:
    """Return the processes that serve: a spawned one names itself so."""
    pids: list[int] = []
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        children_pids = map(int, (task / "children").read_text().split())
        pids += [child for child in children_pids if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    return pids


@pytest.mark.parametrize(("workers", "deaths"), [(2, 0), pytest.param(3, 2, marks=pytest.mark.slow)])
async def test_workers_share_a_port(
    request: pytest.FixtureRequest, tmp_path: Path, workers: int, deaths: int
) -> None:
    """One of them dies under play and another one comes; a signal ends all."""
    url = request.getfixturevalue("migrated")(f"t{uuid4().hex}")
    server = ServerProcess(tmp_path, free_port(), database=url, more=("--workers", str(workers)))
    cluster = Cluster(tmp_path, url, Nats(tmp_path / "none"), [server])
    try:
        await server.start()
        assert server.process is not None
        async with asyncio.timeout(PATIENCE):
            while len(await lanes(url)) < workers:  # noqa: ASYNC110 - other processes change it
                await asyncio.sleep(0.25)  # each look is a new session
        run = Run()
        async with session(server.url, AnyServer(cluster)) as played:
            await played.played_on()
            for _ in range(deaths):
                await played.played_on()
                owner = await owning(url, played.table)
                assert owner in children(server.process)
                run.fault()
                os.kill(owner, signal.SIGKILL)

                async def taken(dead: int = owner) -> bool:
                    return await owning(url, played.table) != dead

                # What was answered before may be read after it: the first answer needs not be another owner's.
                await eventually(taken)
                await played.played_on()
            await played.stop()
        pids = children(server.process)
        server.process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(server.process.wait, PATIENCE) == 0
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
        # Read when nobody writes any more: the journal is ahead of what is projected from it.
        assert judge(await record_of(server), played.histories, run.outages).found == []
    finally:
        server.kill()


async def lanes(url: str) -> list[int]:
    async with looking(url) as connection:
        with contextlib.suppress(Exception):  # the table is not there yet
            return [lane for (lane,) in await connection.fetch("SELECT lane FROM servers WHERE NOT over")]
    return []


async def owning(url: str, table: str) -> int:
    async with looking(url) as connection:
        pid: int = await connection.fetchval(
            "SELECT pid FROM leases JOIN servers USING (lane) WHERE name = $1", table
        )
    return pid


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--workers", "2"), "several servers share a PostgreSQL only"),
        (("--bus", "nats://127.0.0.1:4222"), "several servers share a PostgreSQL only"),
        (("--bus", "redis://127.0.0.1"), "is not a bus; give nats://host:4222"),
    ],
)
def test_an_error_names_what_cannot_be_shared(tmp_path: Path, options: tuple[str, ...], sentence: str) -> None:
    database = str(tmp_path / "room.db") if "redis" not in options[1] else "postgresql://nobody@127.0.0.1/none"
    with (tmp_path / "log").open("ab") as log:
        process = Forked(main, ("--no-browser", "--port", "0", "--database", database, *options), log)
        assert process.wait(PATIENCE) == 1
    assert sentence in " ".join((tmp_path / "log").read_text().split())
