"""Several servers on one database (issue 12, part 2; Shown by 2): real processes, a real PostgreSQL and NATS."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import pytest
from nats.aio.client import Client
from websockets.exceptions import ConnectionClosed

from tests.nats import Nats
from tests.processes import started
from tests.server.cups.people import announced, asked, followed, until
from tests.server.program import PROGRAM, Killable, free_port
from tests.server.room import PATIENCE, Room
from tests.server.test_kill import Stubborn, check_deals, seat_three
from triptych.store.memory import MemoryStore
from triptych.store.postgres import postgres_store

pytestmark = pytest.mark.anyio


@dataclass
class House:
    """Servers that share everything, each in a folder of its own."""

    folder: Path
    url: str
    nats: Nats
    servers: list[Killable] = field(default_factory=list)

    async def open(self) -> Killable:
        folder = self.folder / f"server{len(self.servers)}"
        folder.mkdir()
        server = Killable(folder, free_port(), database=self.url, more=("--bus", self.nats.url))
        self.servers.append(server)
        await server.start()
        return server

    async def owner(self, table: str) -> Killable:
        """Return the server that owns a table, as the database says."""
        async with looking(self.url) as connection:
            address = await connection.fetchval(
                "SELECT address FROM leases JOIN servers USING (lane) WHERE name = $1", table
            )
        return next(server for server in self.servers if server.url == address)


@contextlib.asynccontextmanager
async def looking(url: str) -> AsyncIterator[Any]:
    reader = postgres_store(url)
    async with reader._reading.driver() as connection:  # type: ignore[attr-defined]
        yield connection
    await reader.close()


@pytest.fixture
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    nats = Nats(tmp_path / "nats.log")
    await nats.start()
    made = House(tmp_path, request.getfixturevalue("postgres")(f"t{uuid4().hex}"), nats)
    yield made
    for server in made.servers:
        server.kill()
    nats.cut()


def room_of(server: Killable) -> Room:
    return Room(server.url, MemoryStore())


async def test_a_table_is_played_at_whichever_server_one_comes_to(house: House) -> None:
    """Opened at one, joined at the other: socket, page, guide, history and lobby go where they belong."""
    first, second = await house.open(), await house.open()
    async with room_of(first).person("Ann") as ann:
        table = await ann.open_table()
        await ann.watch(table)
        await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100})
        http = httpx.AsyncClient(base_url=second.url, cookies=ann.http.cookies)
        async with http, room_of(second).socket(http) as same, room_of(second).person("Bob") as bob:
            await same.watch(table)
            await bob.watch(table)
            answer = await bob.do(table, {"do": "sit", "seat": 1, "buy_in": 100}, "mine")
            assert answer["t"] == "ack"
            assert await bob.do(table, {"do": "sit", "seat": 1, "buy_in": 100}, "mine") == answer
            await ann.until(lambda: ann.views[table]["deal"] is not None)
            for each in (same, bob):
                await each.until(lambda each=each: each.views[table]["deal"] is not None)  # type: ignore[misc]
            await same.until(lambda: same.views[table]["v"] == ann.views[table]["v"])
            assert same.views[table] == ann.views[table]
            assert same.views[table]["deal"] != bob.views[table]["deal"]
            for path in ("", "/rules", "/deals"):
                answers = [await each.get(f"/api/tables/{table}{path}") for each in (ann.http, http)]
                assert [each.status_code for each in answers] == [200, 200]
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
    assert (await house.owner(table)) is first


async def test_nobodys_clock_is_charged_for_a_dead_owner(house: House) -> None:
    """A street of 40 seconds, two of them played; every server dies, and the four until one is back are nobody's."""
    second, first = await house.open(), await house.open()
    rules = {"preset": "pineapple", "clock.seconds": 40, "clock.bank": 0}
    async with contextlib.AsyncExitStack() as stack:
        ann = await stack.enter_async_context(room_of(first).person("Ann"))
        bob = await stack.enter_async_context(room_of(first).person("Bob"))
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
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=second.url, cookies=ann.http.cookies))
        while True:
            with contextlib.suppress(ConnectionError, ConnectionClosed):
                back = await stack.enter_async_context(room_of(second).socket(http))
                update = await back.watch(table)
                await back.until(lambda back=back: bool(back.views[table]["clocks"]))  # type: ignore[misc]
                update = await back.watch(table)
                break
            await asyncio.sleep(0.05)
        now = update["view"]["clocks"][0]["street_ends"] - update["now"]
        # The dead server had said that it lives half a second before, at most; a move of the clock is some ms.
        assert now > left - 2_000 - 1_500
        assert now <= left


async def test_a_tournament_is_played_on_where_its_owner_died(house: House) -> None:
    """A league of bots and a person: it and its tables go to one server, and nothing of it is played twice."""
    second, first = await house.open(), await house.open()
    async with room_of(first).person("Ann") as ann, room_of(second).person("Bob") as bob:
        cup = await announced(ann.http, most=4, fill="random")
        for person in (ann, bob):
            # At the other server too: it is passed on.
            assert "error" not in await asked(person.http, cup, "register")

        async def listed() -> bool:
            lines = (await bob.http.get("/api/cups")).json()
            return [(line["cup"], line["players"], line["mine"]) for line in lines] == [(cup, 2, True)]

        await eventually(listed)
        await asked(ann.http, cup, "begin")
        await followed(bob, cup)
        await until(bob, cup, phase="running")
        cookies = bob.http.cookies
        first.kill()
        first.process = None
        assert await bob.ended()
    async with httpx.AsyncClient(base_url=second.url, cookies=cookies, timeout=PATIENCE) as http:

        async def back() -> bool:
            answer = await http.get(f"/api/cups/{cup}")
            return answer.status_code == 200 and answer.json()["phase"] == "running"

        await eventually(back)
    async with looking(house.url) as connection:
        wanted = "SELECT name, address FROM leases JOIN servers USING (lane) WHERE NOT over"

        async def owned() -> bool:
            return dict(await connection.fetch(wanted)) == {cup: second.url}

        await eventually(owned)


async def eventually(found: Callable[[], Awaitable[bool]]) -> None:
    """Wait for what other processes bring about."""
    async with asyncio.timeout(PATIENCE):
        while not await found():  # noqa: ASYNC110 - other processes change it
            await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def playing(house: House, server: Killable) -> AsyncIterator[tuple[str, list[Stubborn], Callable[[], Any]]]:
    """Play at a table of two people and a bot until asked to stop; each connects anew at any server, as by proxy."""
    rooms = Anywhere(house)
    table, cookies = await seat_three(room_of(server))
    last, target = [0], [1 << 30]

    def over(view: dict[str, Any]) -> bool:
        last[0] = max(last[0], view["sheet"]["deal"] if view["sheet"] else 0)
        return last[0] >= target[0]

    async with contextlib.AsyncExitStack() as stack:
        players = []
        for player, cookie in cookies:
            http = await stack.enter_async_context(httpx.AsyncClient(base_url=server.url, cookies=cookie))
            players.append(Stubborn(rooms, http, player))
        tasks = [asyncio.create_task(player.run(table, over)) for player in players]

        async def stop() -> None:
            target[0] = last[0] + 2
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*tasks)

        yield table, players, stop
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Anywhere(Room):
    """A house behind a proxy: each connection ends at some server that lives."""

    def __init__(self, house: House) -> None:
        super().__init__("", MemoryStore())
        self._house = house
        self._rng = Random(7)

    def socket(self, http: httpx.AsyncClient, **headers: str) -> Any:
        alive = [server for server in self._house.servers if server.process is not None]
        return Room(self._rng.choice(alive).url, self.store).socket(http, **headers)


async def played_on(players: list[Stubborn]) -> float:
    """Wait until somebody has been answered anew; return how long that took."""
    began = time.monotonic()
    for player in players:
        player.answered.clear()
    async with asyncio.timeout(PATIENCE):
        waits = [asyncio.ensure_future(player.answered.wait()) for player in players]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
    return time.monotonic() - began


async def examine(house: House, table: str, players: list[Stubborn]) -> None:
    """Judge by the clients' histories and the database: nothing lost, nothing doubled, one deck, no timeout."""
    store = postgres_store(house.url)
    await store.open()
    stored = await store.load(table)
    assert [event.version for event in stored] == list(range(1, len(stored) + 1))
    for player in players:
        for answer in player.answers.values():
            assert answer["t"] == "ack", answer
    check_deals(stored, sum(len(player.answers) for player in players))
    await store.close()


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.slow)])
async def test_an_owner_is_killed_under_play(house: House, kills: int, capsys: pytest.CaptureFixture[str]) -> None:
    await house.open()
    first = await house.open()
    took = []
    async with playing(house, first) as (table, players, stop):
        for _ in range(kills):
            await played_on(players)
            owner = await house.owner(table)
            owner.kill()
            owner.process = None
            took.append(await played_on(players))
            await owner.start()
        await stop()
    with capsys.disabled():
        sys.stdout.write(f"\nplayable after SIGKILL: {', '.join(f'{each:.2f}' for each in took)} s")
    await examine(house, table, players)


@pytest.mark.parametrize("stops", [1, pytest.param(10, marks=pytest.mark.slow)])
async def test_an_owner_is_stopped_past_its_lease_and_wakes(house: House, stops: int) -> None:
    """SIGSTOP, then SIGCONT when somebody else plays its table: it writes nothing of it, and serves on."""
    await house.open()
    first = await house.open()
    async with playing(house, first) as (table, players, stop):
        for _ in range(stops):
            await played_on(players)
            owner = await house.owner(table)
            assert owner.process is not None
            process, owner.process = owner.process, None
            process.send_signal(signal.SIGSTOP)
            async with asyncio.timeout(PATIENCE):
                while await house.owner(table) is owner:  # noqa: ASYNC110 - other processes change it
                    await asyncio.sleep(0.1)
            process.send_signal(signal.SIGCONT)
            owner.process = process
            await played_on(players)
        await stop()
        assert all(server.process is not None and server.process.poll() is None for server in house.servers)
    await examine(house, table, players)


async def test_a_server_that_drains_hands_over_at_once(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    await house.open()
    first = await house.open()
    async with playing(house, first) as (table, players, stop):
        await played_on(players)
        assert first.process is not None
        process, first.process = first.process, None
        process.send_signal(signal.SIGTERM)
        took = await played_on(players)
        assert await asyncio.to_thread(process.wait, PATIENCE) == 0
        await stop()
    with capsys.disabled():
        sys.stdout.write(f"\nplayable after SIGTERM: {took:.2f} s")
    await examine(house, table, players)


async def test_play_goes_on_without_nats(house: House) -> None:
    await house.open()
    first = await house.open()
    async with playing(house, first) as (table, players, stop):
        await played_on(players)
        house.nats.cut()
        for _ in range(20):
            await played_on(players)
        owner = await house.owner(table)
        owner.kill()
        owner.process = None
        await played_on(players)
        await house.nats.start()
        await stop()
    await examine(house, table, players)


async def test_what_is_told_over_the_bus_is_no_card_and_no_point(house: House) -> None:
    """Every byte of some deals at two servers, bought in with points that nothing else has."""
    first, second = await house.open(), await house.open()
    heard: list[bytes] = []

    async def hear(message: Any) -> None:
        heard.append(message.data)

    client = Client()
    await client.connect([house.nats.url])
    await client.subscribe("triptych.>", cb=hear)
    await client.flush()
    async with playing(house, first) as (table, players, stop):
        for _ in range(12):
            await played_on(players)
        second.kill()
        second.process = None
        await stop()
        view = (await players[0].http.get(f"/api/tables/{table}")).json()
    await client.close()
    kinds = {msgspec.json.decode(each)["type"] for each in heard}
    assert kinds >= {"renamed", "shown"}
    assert any(table.encode() in each for each in heard)
    points = [str(abs(seat["stack"])).encode() for seat in view["seats"]]
    for each in heard:
        assert re.search(rb"\b(10|[2-9TJQKA])[cdhs]\b|XX|\b100000\b", each) is None, each
        assert not any(re.search(rb"\b%s\b" % number, each) for number in points)
        assert b"stack" not in each
        assert b"card" not in each


def children(process: subprocess.Popen[bytes]) -> list[int]:
    """Return the processes that serve: a spawned one names itself so."""
    found: list[int] = []
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        those = map(int, (task / "children").read_text().split())
        found += [child for child in those if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    return found


async def test_workers_share_a_port(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """One of them dies under play and another one comes; a signal ends all."""
    url = request.getfixturevalue("postgres")(f"t{uuid4().hex}")
    server = Killable(tmp_path, free_port(), database=url, more=("--workers", "3"))
    house = House(tmp_path, url, Nats(tmp_path / "none"), [server])
    try:
        await server.start()
        assert server.process is not None
        async with asyncio.timeout(PATIENCE):
            while len(await lanes(url)) < 3:  # noqa: ASYNC110 - other processes change it
                await asyncio.sleep(0.05)
        async with playing(house, server) as (table, players, stop):
            for _ in range(2):
                await played_on(players)
                owner = await owning(url, table)
                assert owner in children(server.process)
                os.kill(owner, signal.SIGKILL)
                await played_on(players)
                assert await owning(url, table) != owner
            await stop()
        await examine(house, table, players)
        pids = children(server.process)
        server.process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(server.process.wait, PATIENCE) == 0
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
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
        (("--bus", "redis://127.0.0.1"), "is no bus; give nats://host:4222"),
    ],
)
def test_what_cannot_be_shared_is_said(tmp_path: Path, options: tuple[str, ...], sentence: str) -> None:
    database = str(tmp_path / "room.db") if "redis" not in options[1] else "postgresql://nobody@127.0.0.1/none"
    with (tmp_path / "log").open("wb") as log:
        process = started([PROGRAM, "--no-browser", "--port", "0", "--database", database, *options], log)
        assert process.wait(PATIENCE) == 1
    assert sentence in " ".join((tmp_path / "log").read_text().split())
