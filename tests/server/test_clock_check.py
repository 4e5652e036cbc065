"""A clock that was wrong at one start: it is warned of, followed when it is right, and nothing is deleted by it.

Issue 27.4: 40 days ahead once, house time stayed 40 days ahead, and `--keep` deleted what had ended 14 minutes ago.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.memory_store.store import MemoryStore
from tests.server.in_process import Person, RunningServer, newer, run_server, seat_two
from tests.server.test_archive import SOON, session
from tests.server.test_clocks import ManualClock, left
from tests.server.tournaments.requests import announce
from triptych.server.bootstrap import ServerSettings
from triptych.server.clock import MonotonicClock, SteadyClock
from triptych.server.clock_check import ClockCheck, Clocks
from triptych.server.maintenance.archiver import Archiver, RetentionPolicy
from triptych.server.tables.downtime import Downtime
from triptych.store.types import Append, NewEvent, Player

pytestmark = pytest.mark.anyio
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
KEEPING = SOON._replace(keep=30 * 86_400)
CALM = ServerSettings(pause=0, bot_delay=0, grace=0)


async def rounds(server: RunningServer, number: int = 3) -> None:
    """Wait until the archivist has gone round some times."""
    archive, done = server.store.archive, asyncio.Event()
    due, left_over = archive.unarchived, number

    async def count_down() -> Any:
        nonlocal left_over
        left_over -= 1
        if left_over < 0:
            done.set()
        return await due()

    archive.unarchived = count_down  # type: ignore[method-assign] # only to hear of it
    try:
        await done.wait()
    finally:
        archive.unarchived = due  # type: ignore[method-assign] # as it was


async def hello(person: Person) -> int:
    return int((await person.received("hello"))["now"])


async def test_a_clock_that_was_wrong_once_changes_nothing_when_it_is_right_again() -> None:
    manual_clock, store = ManualClock(), MemoryStore()
    right = manual_clock.at
    async with run_server(store, KEEPING, now=manual_clock.now) as server, server.person("Ann") as ann:
        old = await session(ann)
        cookies = ann.http.cookies
    manual_clock.at = right + 40 * DAY
    with capture_logs() as logs:
        async with run_server(store, KEEPING, now=manual_clock.now) as server, server.guest() as http:
            http.cookies = cookies
            async with server.socket(http) as ann:
                wrong = await session(ann)
                manual_clock.at += 1_000  # both are put away
                while await store.archive.unarchived():  # noqa: ASYNC110 - nothing tells
                    await asyncio.sleep(0.02)
                await rounds(server)
    (line,) = [line for line in logs if line["log_level"] == "warning"]
    assert line["event"].startswith("by this computer's clock this server has not run for long")
    assert (line["difference"], line["keep"]) == ("40 days", "nothing is deleted until the server has run for a day")
    manual_clock.at = right + 14 * MINUTE
    with capture_logs() as logs:
        async with run_server(store, KEEPING, now=manual_clock.now) as server, server.guest() as http:
            http.cookies = cookies
            async with server.socket(http) as ann:
                assert await hello(ann) == manual_clock.at
                await announce(ann.http, starts_at=manual_clock.at + DAY)
                late = await ann.open_table("pineapple")
                manual_clock.at += 1_000
                await rounds(server)
                for table in (old, wrong, late):
                    assert (await http.get(f"/api/tables/{table}")).status_code == 200
    assert logs == []


async def test_a_clock_that_was_behind_is_warned_of_when_nothing_is_deleted_too() -> None:
    manual_clock, store = ManualClock(), MemoryStore()
    async with run_server(store, CALM, now=manual_clock.now):
        pass
    manual_clock.at -= 40 * DAY
    with capture_logs() as logs:
        async with run_server(store, CALM, now=manual_clock.now):
            pass
    (line,) = logs
    assert line["event"].startswith("this computer's clock is behind the last time that this server ran")
    assert (line["difference"], line["last_ran"]) == ("40 days", "2023-11-14 22:13 UTC")
    assert "keep" not in line


async def test_a_table_of_the_wrong_time_goes_on_in_it() -> None:
    """Neither does its time go back, nor does its clock stand for 40 days."""
    manual_clock, store = ManualClock(), MemoryStore()
    right = manual_clock.at
    manual_clock.at += 40 * DAY
    async with (
        run_server(store, CALM, now=manual_clock.now) as server,
        server.person("Ann") as ann,
        server.person("Bob") as bob,
    ):
        table = await seat_two(ann, bob, "pineapple")
        manual_clock.at += 10_000
        answer = await ann.do(table, {"do": "say", "text": "ten seconds gone"})
        await ann.until(newer(ann, table, answer["v"] - 1))
        cookies = ann.http.cookies
    manual_clock.at = right
    async with run_server(store, CALM, now=manual_clock.now) as server, server.guest() as http:
        http.cookies = cookies
        async with server.socket(http) as ann:
            await ann.watch(table)
            await ann.until(lambda: bool(ann.views[table]["seats"][0]["connected"]))
            assert left(ann, table) == [20_000]
            manual_clock.at += 5_000
            answer = await ann.do(table, {"do": "say", "text": "five more"}, "five")
            await ann.until(newer(ann, table, answer["v"] - 1))
            assert left(ann, table) == [15_000]
            assert await hello(ann) == right
            # It does not go to sleep: who sleeps is woken by the server's clock.
            new = await ann.open_table("pineapple")
            await ann.watch(new)
            update = next(m for m in reversed(ann.said) if m["t"] == "update" and m["table"] == new)
            assert update["now"] == manual_clock.at


def test_a_clock_that_is_set_back_stops_nothing() -> None:
    at = [1_000_000]
    clock = MonotonicClock(lambda: at[0])
    at[0] += 5
    assert clock.now() == 1_000_005
    at[0] -= 500_000
    assert clock.now() == 1_000_005
    at[0] += 7
    assert clock.now() == 1_000_012


class SimulatedComputer:
    """A computer: a wall clock that is set, and time that goes on."""

    def __init__(self) -> None:
        self.wall, self.steady = 1_700_000_000_000, 5_000
        self.server_clock = SteadyClock(lambda: self.wall * 1_000_000, lambda: self.steady)
        self.lost: list[Downtime] = []

    def passes(self, milliseconds: int) -> None:
        self.wall += milliseconds
        self.steady += milliseconds

    async def check(self, store: MemoryStore) -> ClockCheck:
        """Return the check of a server that is started now."""
        self.server_clock.sync()
        clocks = Clocks(self.server_clock.now, lambda: self.steady, self.server_clock)
        check = ClockCheck(store, clocks, self.lost.append, deletes=True)
        await check.open()
        return check


@pytest.mark.parametrize(
    ("off", "believed"), [(0, True), (50 * MINUTE, True), (61 * MINUTE, False), (-3 * DAY, False)]
)
async def test_nothing_is_deleted_for_a_day_while_the_two_disagree(off: int, *, believed: bool) -> None:
    machine, store = SimulatedComputer(), MemoryStore()
    check = await machine.check(store)
    assert check.is_believed()  # a new database
    await check.close()
    machine.wall += off
    check = await machine.check(store)
    assert check.is_believed() == believed
    machine.passes(23 * HOUR)
    assert check.is_believed() == believed
    await check.close()
    check = await machine.check(store)  # to start it again is no proof
    assert check.is_believed() == believed
    machine.passes(DAY)
    assert check.is_believed()
    await check.close()
    assert (await machine.check(store)).is_believed()


async def test_a_clock_that_is_set_while_the_server_runs_is_followed() -> None:
    """A machine without a clock of its own is given the time a while after it has started."""
    machine, store = SimulatedComputer(), MemoryStore()
    await (await machine.check(store)).close()
    right = machine.wall
    machine.wall -= 2 * HOUR
    check = await machine.check(store)
    assert not check.is_believed()
    table = MonotonicClock(machine.server_clock.now)
    machine.passes(5_000)
    before = table.now()
    machine.wall = right + 5_000
    check.check()
    assert machine.server_clock.now() == machine.wall
    assert machine.lost == [Downtime(before, machine.wall, "still")]  # nobody is charged
    machine.wall += 40 * DAY
    check.check()
    assert not check.is_believed()
    machine.wall -= 40 * DAY
    before = table.now()
    check.check()
    assert (machine.server_clock.now(), table.now()) == (machine.wall, before)
    assert len(machine.lost) == 2
    machine.passes(20 * MINUTE)
    check.check()
    assert table.now() == before + 20 * MINUTE
    await check.close()


async def test_deletions_are_limited_at_a_time_and_logged() -> None:
    store = MemoryStore()
    await store.open()
    for number in range(25):
        table = f"t{number:02}"
        await store.append(
            Append(table=table, expected_version=0, events=(NewEvent("public", None, b"{}"),), ends_stream=True)
        )
        assert await store.archive.archive(table, 1, number)
        await store.save_player(Player(f"p{number:02}", "Ann"))
    machine = SimulatedComputer()
    check = await machine.check(store)
    archivist = Archiver(store, machine.server_clock.now, lambda: (), RetentionPolicy(10_000, 30 * 86_400), check)
    with capture_logs() as logs:
        await archivist._run_once()  # guests are counted from now on
        machine.passes(31 * DAY)
        for _ in range(3):
            await archivist._run_once()
    names = [f"t{number:02}" for number in range(25)]
    assert [line["tables"] for line in logs] == [tuple(names[:10]), tuple(names[10:20]), tuple(names[20:]), ()]
    assert [line["guests"] for line in logs] == [0, 10, 10, 5]
    assert ["waits" in line for line in logs] == [True, True, False, False]
    assert await store.archive.expired() == tuple(names)
    await check.close()
    await store.close()
