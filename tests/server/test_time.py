"""Clocks, ticks and the server's own absence (RULEBOOK 6; DESIGN 5: downtime is never charged)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.server.room import Person, newer, play, room, simple
from triptych.server.bootstrap import Settings
from triptych.store.memory import MemoryStore

pytestmark = pytest.mark.anyio


class Hands:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.at = 1_700_000_000_000

    def now(self) -> int:
        return self.at


async def seat_two(ann: Person, bob: Person, rules: object) -> str:
    table = await ann.open_table(rules)
    for seat, person in enumerate((ann, bob)):
        await person.watch(table)
        await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
    for person in (ann, bob):
        await person.until(lambda p=person: bool(p.views[table]["deal"]))  # type: ignore[misc]
    return table


async def test_a_player_who_does_not_act_is_laid_out_and_sits_out() -> None:
    """Rule: RULEBOOK 6 (time out)."""
    rules = {"preset": "pineapple", "clock.seconds": 1, "clock.bank": 0}
    async with room() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, rules)
        await ann.until(lambda: any(seat["sitting_out"] for seat in ann.views[table]["seats"]))
        placed = [e for m in ann.said for e in m.get("events", ()) if e.get("e", {}).get("e") == "placed"]
        assert placed[0]["e"]["street"] == 1


async def test_a_deal_begins_when_the_pause_is_over_or_all_are_ready() -> None:
    settings = Settings(pause=600, bot_delay=0, grace=0)
    async with room(settings=settings) as server, server.person("Ann") as ann, server.person("Bob") as bob:
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
    hands, store = Hands(), MemoryStore()
    settings = Settings(pause=0, bot_delay=0, grace=0)
    first = room(store, settings, now=hands.now)
    async with first as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, "pineapple")
        hands.at += 10_000
        answer = await ann.do(table, {"do": "say", "text": "ten seconds gone"})
        await ann.until(newer(ann, table, answer["v"] - 1))
        cookies = ann.http.cookies
        before = ann.views[table]
    (clock,) = before["clocks"]
    assert clock["street_ends"] - hands.at == 20_000
    hands.at += 3_600_000
    async with room(store, settings, now=hands.now) as server, server.guest() as http:
        http.cookies = cookies
        async with server.socket(http) as ann:
            await ann.watch(table)
            await ann.until(lambda: bool(ann.views[table]["seats"][0]["connected"]))
            after = ann.views[table]
    (resumed,) = after["clocks"]
    assert resumed["street_ends"] - hands.at == 20_000
    assert resumed["bank_ends"] - resumed["street_ends"] == clock["bank_ends"] - clock["street_ends"]
    assert [board["draws"] for board in after["deal"]["boards"]] == [b["draws"] for b in before["deal"]["boards"]]


async def test_the_time_bank_is_carried_to_the_next_table() -> None:
    """RULEBOOK 6: at a new table `reset` or `carry`."""
    rules = {"preset": "pineapple", "clock.new_table": "carry", "clock.bank": 100, "fantasyland.kind": "none"}
    hands = Hands()
    async with room(now=hands.now) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        first = await seat_two(ann, bob, rules)
        actor = ann if ann.views[first]["deal"]["tasks"] else bob
        hands.at += 70_000
        assert (await actor.do(first, {"do": "leave"}))["t"] == "ack"
        await asyncio.gather(play(ann, first, 1), play(bob, first, 1))
        left = next(seat_of(m["view"])["bank_ms"] for m in reversed(actor.said) if is_seated(m, first))
        assert left == 60_000
        second = await actor.open_table(rules)
        await actor.watch(second)
        answer = await actor.do(second, {"do": "sit", "seat": 0, "buy_in": 100})
        await actor.until(newer(actor, second, answer["v"] - 1))
        assert seat_of(actor.views[second])["bank_ms"] == left


def is_seated(message: dict[str, Any], table: str) -> bool:
    return message["t"] == "update" and message["table"] == table and message["view"]["you"] is not None


def seat_of(view: dict[str, Any]) -> dict[str, Any]:
    seat: dict[str, Any] = view["seats"][view["you"]]
    return seat


async def test_a_table_that_all_have_left_leaves_the_lobby_after_an_hour() -> None:
    hands = Hands()
    async with room(now=hands.now) as server, server.person("Ann") as ann:
        table = await ann.open_table()
        hands.at += 3_599_000
        assert [line["table"] for line in (await ann.http.get("/api/tables")).json()] == [table]
        hands.at += 2_000
        assert (await ann.http.get("/api/tables")).json() == []
        await ann.watch(table)
        assert [line["table"] for line in (await ann.http.get("/api/tables")).json()] == [table]


async def test_a_stopped_server_goes_on_with_the_same_cards() -> None:
    store = MemoryStore()
    async with room(store) as server, server.person("Ann") as ann, server.person("Bob") as bob:
        table = await seat_two(ann, bob, "pineapple")
        actor = ann if ann.views[table]["deal"]["tasks"] else bob
        deal = actor.views[table]["deal"]
        answer = await actor.do(table, simple(deal, deal["tasks"][0]))
        await actor.until(newer(actor, table, answer["v"] - 1))
        await ann.until(newer(ann, table, answer["v"] - 1))
        cookies, before = ann.http.cookies, ann.views[table]["deal"]
    async with room(store) as server, server.guest() as http:
        http.cookies = cookies
        async with server.socket(http) as back:
            assert (await back.watch(table))["view"]["deal"] == before
