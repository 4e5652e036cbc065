"""Tables are loaded when they are asked for, or when their time comes, and sleep out of memory (issue 12, 1d)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from tests.memory_store.leases import MemoryLeases, MemoryRegistry
from tests.memory_store.store import MemoryStore
from tests.server.in_process import QUICK, InProcessEngine, Person, play, run_server, seat_two, simple
from triptych.deal.actions import Action
from triptych.deal.view_types import DealView, Task
from triptych.rulesets.load import resolve
from triptych.server.clock import StallDetector, shuffled_deck
from triptych.server.log import RateLimitedLogger
from triptych.server.tables.actor import TableActor, TableDeps
from triptych.server.tables.directory import TableDirectory
from triptych.server.tables.downtime import Downtime
from triptych.server.tables.event_log import encode_events, replay
from triptych.server.tables.service import TableService
from triptych.server.tables.summary import decode, encode, encode_json, summarize
from triptych.store.errors import FencedError
from triptych.store.interface import EventStore
from triptych.store.leases.interface import ServerInfo
from triptych.store.sqlite.backup import copy_database
from triptych.store.sqlite.store import sqlite_store
from triptych.store.types import Append
from triptych.table.aggregate import TableConfig, evolve, open_table
from triptych.table.commands import CloseTable, Command, Sit
from triptych.table.events import DowntimeCompensated, TimeRanOut

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

pytestmark = pytest.mark.anyio
SOON = QUICK._replace(sleep_after=0.04)
SIT = {"do": "sit", "seat": 0, "buy_in": 100}
BOT = {"do": "seat_bot", "seat": 1, "level": "random", "buy_in": 100}
ENDLESS = {"preset": "pineapple", "settlement.cap": "none", "clock.kind": "none"}
BY_TURNS = {**ENDLESS, "fantasyland.kind": "none"}


class ManualClock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.at = 1_700_000_000_000

    def now(self) -> int:
        return self.at


async def in_memory(http: httpx.AsyncClient) -> int:
    """Return how many tables are in memory."""
    lines = (await http.get("/metrics")).text.splitlines()
    (value,) = [line.split()[1] for line in lines if line.startswith("triptych_tables_in_memory ")]
    return int(float(value))


async def until(wanted: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(60):
        while not await wanted():  # noqa: ASYNC110 - it is asked from outside
            await asyncio.sleep(0.01)


async def her_turn(ann: Person, table: str) -> None:
    """Wait until a deal waits for her; of a game by turns, for nobody else: nothing happens until she moves."""
    await ann.until(lambda: (ann.views[table]["deal"] or {}).get("tasks"))


async def asleep(http: httpx.AsyncClient) -> None:
    """Wait until no table is in memory."""
    await until(lambda: _none(http))


async def _none(http: httpx.AsyncClient) -> bool:
    return await in_memory(http) == 0


async def test_a_table_that_slept_is_the_same_to_the_byte() -> None:
    async with run_server(settings=SOON) as server, server.guest() as http:
        async with server.person("Ann") as ann:
            table = await ann.open_table(BY_TURNS)
            await ann.watch(table)
            await ann.do(table, SIT)
            await ann.do(table, BOT)
            await play(ann, table, 2)
            await her_turn(ann, table)
            http.cookies = ann.http.cookies
        # She is gone, in the middle of her deal.
        await until(lambda: _gone(http, table))
        before = (await http.get(f"/api/tables/{table}")).content
        lobby = (await http.get("/api/tables")).content
        await asleep(http)
        assert (await http.get("/api/tables")).content == lobby
        assert (await http.get(f"/api/tables/{table}")).content == before
        await asleep(http)
        async with server.socket(http) as back:
            view = (await back.watch(table))["view"]
            assert view["seats"][0]["name"] == "Ann"
            await play(back, table, 4)


async def _gone(http: httpx.AsyncClient, table: str) -> bool:
    return not (await http.get(f"/api/tables/{table}")).json()["seats"][0]["connected"]


async def test_a_server_that_starts_loads_no_idle_table(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    async with run_server(sqlite_store(file)) as server, server.guest() as http:
        async with server.person("Ann") as ann:
            tables = [await ann.open_table(BY_TURNS, name=f"Table {number}") for number in range(3)]
            for table in tables:
                await ann.watch(table)
                await ann.do(table, SIT)
                await ann.do(table, BOT)
                await play(ann, table, 1)
                await her_turn(ann, table)
            http.cookies = ann.http.cookies
        for table in tables:
            await until(lambda table=table: _gone(http, table))  # type: ignore[misc]
        lobby = (await http.get("/api/tables")).content
        views = [(await http.get(f"/api/tables/{table}")).content for table in tables]
    async with run_server(sqlite_store(file)) as server, server.guest() as other:
        other.cookies = http.cookies
        assert await in_memory(other) == 0
        assert (await other.get("/api/tables")).content == lobby
        assert len(msgspec.json.decode(lobby)) == 3
        assert (await other.get(f"/api/tables/{tables[1]}")).content == views[1]
        assert await in_memory(other) == 1
        # Without what was kept of them, the same; only that they are all read.
    store = sqlite_store(file)
    await store.open()
    await store.snapshots.clear()
    await store.close()
    async with run_server(sqlite_store(file)) as server, server.guest() as other:
        other.cookies = http.cookies
        await until(lambda: _ready(other))
        assert await in_memory(other) == 3
        assert (await other.get("/api/tables")).content == lobby
        assert [(await other.get(f"/api/tables/{table}")).content for table in tables] == views


async def _ready(http: httpx.AsyncClient) -> bool:
    return (await http.get("/readyz")).status_code == 200


async def test_running_tables_are_loaded_by_themselves_after_a_crash(tmp_path: Path) -> None:
    """A copy of the database under play is what a crash leaves behind."""
    file, left = tmp_path / "room.db", tmp_path / "left.db"
    rules = {"preset": "pineapple", "clock.seconds": 300, "clock.bank": 0}
    async with run_server(sqlite_store(file)) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        still = await ann.open_table(ENDLESS)
        table = await seat_two(ann, bob, rules)
        view = ann.views[table]
        copy_database(file, left)
        cookies = ann.http.cookies
    async with run_server(sqlite_store(left)) as server, server.guest() as http:
        http.cookies = cookies
        await until(lambda: _ready(http))
        assert await in_memory(http) == 2
        lines = {line["table"]: line for line in (await http.get("/api/tables")).json()}
        assert set(lines) == {still, table}
        assert lines[table]["phase"] == "playing"
        await until(lambda: _gone(http, table))
        now = (await http.get(f"/api/tables/{table}")).json()
        assert now["deal"]["number"] == view["deal"]["number"]
        assert not any(seat["connected"] for seat in now["seats"] if seat and seat["name"])


async def test_a_clock_of_players_who_are_away_runs_out_in_time_at_a_table_that_sleeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody asks for the table; it wakes before its clock ends."""
    monkeypatch.setattr("triptych.server.tables.entries.MIN_IDLE_MS", 1_500)
    store = MemoryStore()
    rules = {"preset": "pineapple", "clock.seconds": 4, "clock.bank": 0}
    async with run_server(store, SOON) as server, server.guest() as http:
        async with server.person("Ann") as ann, server.person("Bob") as bob:
            table = await seat_two(ann, bob, rules)
            ends = ann.views[table]["clocks"][0]["street_ends"]
        await asleep(http)
        slept = len(await store.load(table))
        await until(lambda: _longer(store, table, slept))
        _, history = replay(await store.load(table))
        timeouts = [event.event for _, event in history if isinstance(event.event, TimeRanOut)]
        assert timeouts[0].at >= ends


async def _up(http: httpx.AsyncClient) -> bool:
    return await in_memory(http) == 1


async def _longer(store: EventStore, table: str, version: int) -> bool:
    return len(await store.load(table)) > version


class SlowEngine(InProcessEngine):
    """A bot that thinks until it may stop."""

    def __init__(self) -> None:
        super().__init__()
        self.may_move = asyncio.Event()

    async def choose(self, level: str, rules: msgspec.Raw, view: DealView, task: Task, budget_ms: int) -> Action:
        self.asked.append(view)
        await self.may_move.wait()
        return await super().choose(level, rules, view, task, budget_ms)


async def test_a_table_at_which_a_bot_has_to_move_stays_up_until_it_has_moved() -> None:
    bots, store = SlowEngine(), MemoryStore()
    async with run_server(store, SOON, bot_engine=bots) as server, server.guest() as http:
        async with server.person("Ann") as ann:
            table = await ann.open_table(ENDLESS)
            await ann.watch(table)
            await ann.do(table, SIT)
            await ann.do(table, BOT)
            deal = await ann.until(lambda: ann.views[table]["deal"])
            if deal["tasks"]:  # her turn is first
                await ann.do(table, simple(deal, deal["tasks"][0]))
            await until(lambda: _has_request(bots))
            http.cookies = ann.http.cookies
        await until(lambda: _gone(http, table))
        version = len(await store.load(table))
        await asyncio.sleep(0.3)  # much longer than a table of no use stays up
        assert await in_memory(http) == 1
        bots.may_move.set()
        await asleep(http)
        assert len(await store.load(table)) > version


async def _has_request(bots: InProcessEngine) -> bool:
    return bool(bots.asked)


async def test_a_closed_table_leaves_memory_at_once_and_is_still_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.server.tables.entries.CLOSED_TTL_SECONDS", 0.02)
    monkeypatch.setattr("triptych.server.tables.directory.EVICTION_INTERVAL_SECONDS", 0.02)
    async with run_server() as server, server.guest() as http:
        async with server.person("Ann") as ann:
            closed, other = await ann.open_table(ENDLESS), await ann.open_table(ENDLESS)
            await ann.watch(closed)
            await ann.do(closed, {"do": "close_table"})
            await ann.until(lambda: ann.views[closed]["phase"] == "closed")
        await until(lambda: _up(http))
        assert [line["table"] for line in (await http.get("/api/tables", headers={})).json()] == [other]
        assert (await http.get(f"/api/tables/{closed}")).json()["phase"] == "closed"
        assert (await http.get(f"/api/tables/{other}")).json()["phase"] == "waiting"


async def test_requests_to_all_tables_reach_unloaded_ones_too() -> None:
    async with run_server(settings=SOON) as server, server.guest() as http:
        async with server.person("Ann") as ann:
            play_now = (await ann.http.post("/api/play", json={})).json()["table"]
            tables = [await ann.open_table(ENDLESS) for _ in range(19)]
            http.cookies = ann.http.cookies
        await asleep(http)
        refused = await http.post("/api/tables", json={"name": "One more", "rules": "pineapple"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "table.too_many")
        seated = await http.delete("/api/me")
        assert (seated.status_code, seated.json()["error"]["code"]) == (409, "identity.seated")
        assert await in_memory(http) == 0
        assert (await http.post("/api/play", json={})).json()["table"] == play_now
        mine = [line["table"] for line in (await http.get("/api/tables")).json() if line["mine"]]
        assert set(mine) == {play_now, *tables}


async def test_simultaneous_requests_get_one_table() -> None:
    """A table that were loaded twice would have two writers."""
    store, manual_clock = MemoryStore(), ManualClock()
    await store.open()
    (first,) = open_table(TableConfig("t", "Our table", "ann", resolve("pineapple")), manual_clock.at)
    await store.append(Append(table="t", expected_version=0, events=encode_events((first,))))
    directory, _ = open_directory(store, manual_clock)
    giving_up = asyncio.create_task(directory.get("t"))
    await asyncio.sleep(0)
    giving_up.cancel()
    results = await asyncio.gather(giving_up, *(directory.get("t") for _ in range(20)), return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert isinstance(results[1], TableActor)
    assert all(result is results[1] for result in results[1:])
    assert await directory.get("nobody") is None
    await directory.close()


async def test_a_request_for_a_table_that_this_server_lost_gets_an_error() -> None:
    """A request that were cancelled instead is answered 500 by the web server (issue 12, part 2)."""
    directory, _ = open_directory(MemoryStore(), ManualClock())
    waiting, giving_up = asyncio.create_task(directory.get("t")), asyncio.create_task(directory.get("t"))
    await asyncio.sleep(0)
    giving_up.cancel()
    directory.drop_all()
    results = await asyncio.gather(waiting, giving_up, return_exceptions=True)
    assert [type(result) for result in results] == [FencedError, asyncio.CancelledError]


async def test_a_stall_of_the_server_is_charged_to_no_unloaded_table() -> None:
    manual_clock, store = ManualClock(), MemoryStore()
    rules = {"preset": "pineapple", "clock.seconds": 3000, "clock.bank": 0}
    async with run_server(store, SOON, now=manual_clock.now) as server, server.guest() as http:
        async with server.person("Ann") as ann, server.person("Bob") as bob:
            table = await seat_two(ann, bob, rules)
            ends = ann.views[table]["clocks"][0]["street_ends"]
            http.cookies = ann.http.cookies
        await asleep(http)

        noted = store.record_alive

        async def slow(at: int) -> None:
            """Take ten minutes to note that the server runs."""
            store.record_alive = noted  # type: ignore[method-assign]
            await noted(at)
            manual_clock.at += 600_000

        store.record_alive = slow  # type: ignore[method-assign]
        await until(lambda: _moved(http, table, ends + 600_000))


async def _moved(http: httpx.AsyncClient, table: str, ends: int) -> bool:
    return bool((await http.get(f"/api/tables/{table}")).json()["clocks"][0]["street_ends"] == ends)


async def test_a_glance_is_kept_as_it_was_and_another_form_is_not_read() -> None:
    (first,) = open_table(TableConfig("t", "Our table", "ann", resolve("pineapple"), private=True), 5)
    glance = summarize(evolve(None, first))
    assert decode(encode(glance)) == glance
    assert decode(b"") is None
    other: dict[str, object] = msgspec.msgpack.decode(encode(glance))
    assert decode(msgspec.msgpack.encode(other | {"form": 0})) is None
    assert not glance.is_idle  # its host is there until it is known better


class InheritedLeases(MemoryLeases):
    """Leases of a cluster of several servers, whose last owner was silent for a while."""

    def __init__(self, unheard: int) -> None:
        super().__init__(MemoryRegistry())
        self.owed = unheard
        self.done: list[str] = []

    def pop_takeover_downtime(self, stream: str) -> int:  # noqa: ARG002 - there is one
        owed, self.owed = self.owed, 0
        return owed

    def mark_compensated(self, stream: str) -> None:
        self.done.append(stream)


def open_directory(
    store: MemoryStore, manual_clock: ManualClock, sleep_after: float = 300
) -> tuple[TableDirectory, TableDeps]:
    """Return the directory of one process, and what it is given."""
    pulse = StallDetector(manual_clock.now, manual_clock.now)
    outside = TableDeps(
        store=store,
        now=manual_clock.now,
        shuffle=shuffled_deck,
        grace_seconds=0,
        stall_detector=pulse,
        error_log=RateLimitedLogger(),
    )
    directory = TableDirectory(outside, sleep_after)
    pulse.on_stall = lambda since, until: directory.add_downtime(Downtime(since, until, "still"))
    return directory, outside


CONFIG = TableConfig("t", "Our table", "ann", resolve({"preset": "pineapple", "clock.seconds": 3000}), pause=0)


async def thinking(live: TableActor) -> None:
    """Let two people sit down, and a deal begin."""
    for seat, player in enumerate(("ann", "bob")):
        await live.execute(Command(player, Sit(seat, 100), player.title()))
    await until(lambda: _true(bool(live.state.clocks)))


async def _true(what: bool) -> bool:  # noqa: FBT001 - it is what is asked
    return what


async def made_up(store: MemoryStore) -> int:
    """Return by how much a table's clocks were moved, when they are."""
    downtimes: list[int] = []

    async def moved() -> bool:
        _, history = replay(await store.load("t"))
        downtimes[:] = [event.event.downtime for _, event in history if isinstance(event.event, DowntimeCompensated)]
        return bool(downtimes)

    await until(moved)
    return sum(downtimes)


async def test_a_table_that_another_server_opened_first_is_owed_its_downtime() -> None:
    """Simulation, seed 501144: whoever opens a tournament's table may find it there, and its owner dead."""
    store, manual_clock = MemoryStore(), ManualClock()
    await store.open()
    here, outside = open_directory(store, manual_clock)
    await thinking(await TableService(outside, here, lambda _error: None).tournament_table(CONFIG))
    leases = store.leases = InheritedLeases(5_000)
    await leases.register(ServerInfo(0, 0))
    manual_clock.at += 7_000
    there, outside = open_directory(store, manual_clock)
    live = await TableService(outside, there, lambda _error: None)._opened(CONFIG)
    await until(lambda: _true(not live.has_pending_downtime))
    assert await made_up(store) == 5_000
    assert leases.done == ["t"]
    await there.close()
    await here.close()


async def test_servers_without_a_bus_open_one_rematch() -> None:
    """With the bus cut none knows what the other has opened; one that is over itself is not opened again."""
    store, manual_clock = MemoryStore(), ManualClock()
    await store.open()
    (first,) = open_table(CONFIG, 0)
    old = evolve(None, first)
    directories, opened = [], []
    for _ in range(3):
        directory, outside = open_directory(store, manual_clock)
        directories.append(directory)
        opened.append(await TableService(outside, directory, lambda _error: None).rematch("ann", "Again", old))
        live = directory.actors[opened[-1]]
        assert live.state.config.again == "t"
        if len(opened) == 2:
            await live.execute(Command("ann", CloseTable()))
    assert opened[0] == opened[1] != opened[2]
    place = MemoryRegistry()
    other, store.leases = MemoryLeases(place), MemoryLeases(place)
    await other.register(ServerInfo(0, 0))
    await store.leases.register(ServerInfo(0, 0))
    await other.acquire(opened[2])  # who asks is told where it is played
    directory, outside = open_directory(store, manual_clock)
    directories.append(directory)
    assert await TableService(outside, directory, lambda _error: None).rematch("ann", "Again", old) == opened[2]
    for directory in directories:
        await directory.close()


async def test_an_unknown_table_is_owed_no_downtime() -> None:
    """Whoever looks after an orphan asks for a table first; a tournament's loss is not the directory's to make up."""
    store, manual_clock = MemoryStore(), ManualClock()
    await store.open()
    leases = store.leases = InheritedLeases(5_000)
    await leases.register(ServerInfo(0, 0))
    directory, _ = open_directory(store, manual_clock)
    assert await directory.get("cup1cup1") is None
    assert not directory.has_pending_downtime()
    assert leases.done == ["cup1cup1"]
    await directory.close()


async def test_a_stall_of_the_server_is_no_idle_time() -> None:
    """Simulation, seed 900659: the sweep came first, and gave a table away whose clocks were to be moved."""
    store, manual_clock = MemoryStore(), ManualClock()
    await store.open()
    directory, outside = open_directory(store, manual_clock, sleep_after=0)
    live = await TableService(outside, directory, lambda _error: None).tournament_table(CONFIG)
    await thinking(live)

    async def left() -> bool:
        directory.evict_idle()
        return not any(seat.person and seat.connected for seat in live.state.seats)

    await until(left)  # from here on nobody uses it
    manual_clock.at += 10_000
    directory.evict_idle()
    assert "t" in directory.actors
    assert await made_up(store) == 10_000

    async def asleep() -> bool:
        directory.evict_idle()
        return "t" not in directory.actors

    await until(asleep)  # the table may still be at what it has stored
    await directory.close()


async def test_summaries_of_another_server_are_read_on_request_and_stay_when_it_has_left() -> None:
    """Issue 12, part 2: the lobby of each server has the tables of all, as far as it was told."""
    store, manual_clock = MemoryStore(), ManualClock()
    await store.open()
    directory, _ = open_directory(store, manual_clock)
    (first,) = open_table(CONFIG, 5)
    here, unreadable = summarize(evolve(None, first)), Raw(b"{}")
    names = ("t", "u", "v")
    for name in names:
        directory.on_remote_update(2, name, encode_json(replace(here, table=name)), [f"guest of {name}"])
    directory.on_remote_update(2, "w", unreadable, [])  # by a server of another version
    assert [each.table for each in directory.summaries()] == [*names]
    assert all(map(directory.is_open, names))
    assert not directory.is_open("w")
    directory.on_remote_update(2, "t", encode_json(replace(here, version=9)), [])
    assert [each.version for each in directory.summaries()] == [9, here.version, here.version]
    # A word that comes late: the table is another one's by now.
    directory.on_remote_update(3, "v", encode_json(replace(here, table="v", phase="closed")), ["eve"])
    directory.on_remote_unloaded(2, "v")
    assert directory.watchers("v") == ["eve"]
    directory.on_remote_unloaded(3, "v")
    assert not directory.is_open("v")
    directory.on_remote_unloaded(2, "t")
    directory.on_server_left(2)
    assert [(each.table, each.version) for each in directory.summaries()] == [("t", 9), ("u", here.version)]
    assert [directory.watchers(name) for name in names] == [[], [], []]
    await directory.close()
