"""Clocks, ticks and the server's own absence (Rules §6; downtime is never charged)."""

from __future__ import annotations

import asyncio
import time
from typing import Any, cast

import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import Person, newer, play, run_server, seat_two, simple
from tests.stores import FailingStore
from triptych.server.bootstrap import ServerSettings
from triptych.server.clock import STALL_CHECK_MS, STALL_MS, MonotonicClock, StallDetector, SteadyClock
from triptych.store.interface import EventStore
from triptych.store.types import Append

pytestmark = pytest.mark.anyio


class ManualClock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.at = 1_700_000_000_000

    def now(self) -> int:
        return self.at


async def test_a_player_who_does_not_act_is_laid_out_and_sits_out() -> None:
    """Rule: Rules §6 (time out)."""
    rules = {"preset": "pineapple", "clock.seconds": 1, "clock.bank": 0}
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, rules)
        await ann.until(lambda: any(seat["sitting_out"] for seat in ann.views[table]["seats"]))
        placed = [e for m in ann.said for e in m.get("events", ()) if e.get("e", {}).get("e") == "placed"]
        assert placed[0]["e"]["street"] == 1


async def test_a_deal_begins_when_the_pause_is_over_or_all_are_ready() -> None:
    settings = ServerSettings(pause=600, bot_delay=0, grace=0)
    async with run_server(settings=settings) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await ann.open_table("pineapple", pause=600)
        for seat, person in enumerate((ann, bob)):
            await person.watch(table)
            await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
        await ann.until(lambda: ann.views[table]["next_at"] is not None)
        assert ann.views[table]["deal"] is None
        for person in (ann, bob):
            assert (await person.do(table, {"do": "ready"}))["t"] == "ack"
        await ann.until(lambda: bool(ann.views[table]["deal"]))


async def test_the_time_of_a_stop_is_charged_to_nobody() -> None:
    manual_clock, store = ManualClock(), MemoryStore()
    settings = ServerSettings(pause=0, bot_delay=0, grace=0)
    first = run_server(store, settings, now=manual_clock.now)
    async with first as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, "pineapple")
        manual_clock.at += 10_000
        answer = await ann.do(table, {"do": "say", "text": "ten seconds gone"})
        await ann.until(newer(ann, table, answer["v"] - 1))
        cookies = ann.http.cookies
        before = ann.views[table]
    (clock,) = before["clocks"]
    assert clock["street_ends"] - manual_clock.at == 20_000
    manual_clock.at += 3_600_000
    async with run_server(store, settings, now=manual_clock.now) as server, server.guest() as http:
        http.cookies = cookies
        async with server.socket(http) as ann:
            await ann.watch(table)
            await ann.until(lambda: bool(ann.views[table]["seats"][0]["connected"]))
            after = ann.views[table]
    (resumed,) = after["clocks"]
    assert resumed["street_ends"] - manual_clock.at == 20_000
    assert resumed["bank_ends"] - resumed["street_ends"] == clock["bank_ends"] - clock["street_ends"]
    assert [board["draws"] for board in after["deal"]["boards"]] == [b["draws"] for b in before["deal"]["boards"]]


def left(person: Person, table: str) -> list[int]:
    """Return what is left of each running clock's street, as the person's page shows it."""
    update = next(m for m in reversed(person.said) if m["t"] == "update" and m["table"] == table)
    return [clock["street_ends"] - update["now"] for clock in update["view"]["clocks"]]


def last_line(person: Person, table: str) -> str:
    return str(person.views[table]["talk"][-1]["text"]) if person.views[table]["talk"] else ""


async def test_a_wall_clock_set_back_while_the_server_was_away_freezes_nothing() -> None:
    """It showed 3,607 s, and nobody's clock ran for an hour (issue 10, part 3, 5)."""
    manual_clock, store = ManualClock(), MemoryStore()
    settings = ServerSettings(pause=0, bot_delay=0, grace=0)
    first = run_server(store, settings, now=manual_clock.now)
    async with first as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, "pineapple")
        manual_clock.at += 10_000
        answer = await ann.do(table, {"do": "say", "text": "ten seconds gone"})
        await ann.until(newer(ann, table, answer["v"] - 1))
        cookies = ann.http.cookies
    manual_clock.at -= 3_600_000
    async with run_server(store, settings, now=manual_clock.now) as server, server.guest() as http:
        http.cookies = cookies
        async with server.socket(http) as ann:
            await ann.watch(table)
            await ann.until(lambda: bool(ann.views[table]["seats"][0]["connected"]))
            assert left(ann, table) == [20_000]
            manual_clock.at += 5_000
            answer = await ann.do(table, {"do": "say", "text": "five more"}, "five")
            await ann.until(newer(ann, table, answer["v"] - 1))
            assert left(ann, table) == [15_000]


@pytest.mark.parametrize("step", [-3600, 3600])
async def test_a_wall_clock_that_is_set_changes_nobodys_time(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    rules = {"preset": "pineapple", "clock.seconds": 2, "clock.bank": 0}
    steady = SteadyClock(time.time_ns).now  # as the server makes it when it starts
    async with run_server(now=steady) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, rules)
        began, wall, wall_ns = time.monotonic(), time.time, time.time_ns
        monkeypatch.setattr(time, "time", lambda: wall() + step)
        monkeypatch.setattr(time, "time_ns", lambda: wall_ns() + step * 1_000_000_000)
        answer = await ann.do(table, {"do": "say", "text": "the clock was set"})
        await ann.until(newer(ann, table, answer["v"] - 1))
        assert 0 < left(ann, table)[0] <= 2_000
        await ann.until(lambda: any(seat["sitting_out"] for seat in ann.views[table]["seats"]))
        assert time.monotonic() - began > 1
        monkeypatch.undo()


@pytest.mark.parametrize("acts", [True, False], ids=["somebody moves", "everybody thinks"])
async def test_the_time_without_a_store_is_charged_to_nobody(monkeypatch: pytest.MonkeyPatch, *, acts: bool) -> None:
    """The store is away for 40 s, noticed by a move or by the heartbeat."""
    monkeypatch.setattr("triptych.server.tables.heartbeat.HEARTBEAT_SECONDS", 0.02)
    manual_clock = ManualClock()

    class RemoteStore(FailingStore):
        async def record_alive(self, at: int) -> None:
            manual_clock.at += self.before  # a failure takes a moment, too
            await super().record_alive(at)

    store = RemoteStore(MemoryStore())
    served = cast("EventStore", store)
    rules = {"preset": "pineapple", "clock.seconds": 30, "clock.bank": 0}
    async with (
        run_server(served, now=manual_clock.now) as server,
        server.person("Ann") as ann,
        server.person("Bob") as bob,
    ):
        table = await seat_two(ann, bob, rules)
        actor = ann if ann.views[table]["deal"]["tasks"] else bob
        manual_clock.at += 10_000
        store.before = store.reads = True
        if acts:
            deal = actor.views[table]["deal"]
            action = simple(deal, deal["tasks"][0])
            await actor.send({"t": "do", "cmd_id": "late", "table": table, "seen": 0, "action": action})
        for person in (ann, bob):
            assert (await person.received("problem"))["error"]["code"] == "server.waiting"
        manual_clock.at += 40_000
        store.before = store.reads = False
        await actor.until(lambda: any("couldn’t be saved" in line["text"] for line in actor.views[table]["talk"]))
        assert any("for 40 seconds" in line["text"] for line in actor.views[table]["talk"])
        if acts:
            assert (await actor.until(lambda: actor.last("ack") or actor.last("refused")))["t"] == "ack"
            await actor.until(lambda: 29_950 < left(actor, table)[0] <= 30_000)
        else:
            assert 19_950 < left(actor, table)[0] <= 20_000
        assert not any(seat["sitting_out"] for seat in ann.views[table]["seats"])


async def test_a_slow_store_is_charged_to_nobody() -> None:
    manual_clock, store = ManualClock(), MemoryStore()

    class SlowStore(FailingStore):
        async def append(self, append: Append) -> int:
            version = await self.behind.append(append)
            if append.idempotency_key is not None and append.idempotency_key.cmd_id == "slow":
                manual_clock.at += 7_000
            return version

    served = cast("EventStore", SlowStore(store))
    async with (
        run_server(served, now=manual_clock.now) as server,
        server.person("Ann") as ann,
        server.person("Bob") as bob,
    ):
        table = await seat_two(ann, bob, "pineapple")
        assert left(ann, table) == [30_000]
        await ann.do(table, {"do": "say", "text": "slow"}, "slow")
        await ann.until(lambda: last_line(ann, table).endswith("for 7 seconds. Clocks were stopped."))
        assert left(ann, table) == [30_000]


async def test_the_time_bank_is_carried_to_the_next_table() -> None:
    """Rules §6: at a new table `reset` or `carry`."""
    rules = {"preset": "pineapple", "clock.new_table": "carry", "clock.bank": 100, "fantasyland.kind": "none"}
    manual_clock = ManualClock()
    async with run_server(now=manual_clock.now) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        first = await seat_two(ann, bob, rules)
        actor = ann if ann.views[first]["deal"]["tasks"] else bob
        manual_clock.at += 70_000
        assert (await actor.do(first, {"do": "leave"}))["t"] == "ack"
        await asyncio.gather(play(ann, first, 1), play(bob, first, 1))
        bank_ms = next(seat_of(m["view"])["bank_ms"] for m in reversed(actor.said) if is_seated(m, first))
        assert bank_ms == 60_000
        second = await actor.open_table(rules)
        await actor.watch(second)
        answer = await actor.do(second, {"do": "sit", "seat": 0, "buy_in": 100})
        await actor.until(newer(actor, second, answer["v"] - 1))
        assert seat_of(actor.views[second])["bank_ms"] == bank_ms


def is_seated(message: dict[str, Any], table: str) -> bool:
    return message["t"] == "update" and message["table"] == table and message["view"]["you"] is not None


def seat_of(view: dict[str, Any]) -> dict[str, Any]:
    seat: dict[str, Any] = view["seats"][view["you"]]
    return seat


async def test_a_table_that_all_have_left_leaves_the_lobby_after_an_hour() -> None:
    manual_clock = ManualClock()
    async with run_server(now=manual_clock.now) as server, server.person("Ann") as ann:
        table = await ann.open_table()
        manual_clock.at += 3_599_000
        assert [line["table"] for line in (await ann.http.get("/api/tables")).json()] == [table]
        manual_clock.at += 2_000
        assert (await ann.http.get("/api/tables")).json() == []
        await ann.watch(table)
        assert [line["table"] for line in (await ann.http.get("/api/tables")).json()] == [table]


async def test_a_stopped_server_goes_on_with_the_same_cards() -> None:
    store = MemoryStore()
    async with run_server(store) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, "pineapple")
        actor = ann if ann.views[table]["deal"]["tasks"] else bob
        deal = actor.views[table]["deal"]
        answer = await actor.do(table, simple(deal, deal["tasks"][0]))
        await actor.until(newer(actor, table, answer["v"] - 1))
        await ann.until(newer(ann, table, answer["v"] - 1))
        cookies, before = ann.http.cookies, ann.views[table]["deal"]
    async with run_server(store) as server, server.guest() as http:
        http.cookies = cookies
        async with server.socket(http) as back:
            assert (await back.watch(table))["view"]["deal"] == before


def test_the_server_clock_reads_the_wall_clock_once() -> None:
    walls = iter([1_700_000_000_000_000_000])
    steady = [50]
    clock = SteadyClock(lambda: next(walls), lambda: steady[0])
    assert clock.now() == 1_700_000_000_000
    steady[0] += 1234
    assert clock.now() == 1_700_000_001_234


def test_a_clock_goes_on_from_the_latest_time() -> None:
    at = [1000]
    clock = MonotonicClock(lambda: at[0])
    clock.advance_to(900)
    assert clock.now() == 1000
    clock.advance_to(5000)
    at[0] += 7
    assert clock.now() == 5007
    clock.advance_to(4000)
    assert clock.now() == 5007


def test_the_stall_detector_notices_a_stall() -> None:
    at = [1000]
    pulse = StallDetector(lambda: at[0], lambda: at[0])
    noticed: list[tuple[int, int]] = []
    pulse.on_stall = lambda since, until: noticed.append((since, until))
    for step in (STALL_CHECK_MS, STALL_CHECK_MS + STALL_MS, 60_000, STALL_CHECK_MS):
        at[0] += step
        pulse.check()
    assert noticed == [(1000 + 2 * STALL_CHECK_MS + STALL_MS, 61_000 + 2 * STALL_CHECK_MS + STALL_MS)]
