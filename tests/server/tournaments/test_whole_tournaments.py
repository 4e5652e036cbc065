"""Tournaments played to their winners, also by a server that is killed or whose store fails. Issue 11, part 5."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest

from tests.memory_store.store import MemoryStore
from tests.server.in_process import PATIENCE, InProcessEngine, http_client, run_server
from tests.server.server_process import ServerProcess, free_port
from tests.server.tournaments.requests import QUICK, announce, follow, send_request, until
from tests.stores import FailingStore
from triptych.deal.view_types import Stacks
from triptych.server.tables.event_log import decode_events, replay
from triptych.server.tournaments.event_log import STREAM_PREFIX
from triptych.server.tournaments.event_log import replay as cup_replay
from triptych.store.interface import EventStore
from triptych.store.postgres.store import postgres_store
from triptych.store.sqlite.store import sqlite_store
from triptych.table.events import OrderAccepted
from triptych.tournament.events import MatchReported, TableOrdered, TournamentEnded, decode
from triptych.tournament.places import places

pytestmark = pytest.mark.anyio
# For who is not there nobody waits long.
HASTY = {"preset": "closed_1_6", "clock.setting": 1, "clock.seconds": 1, "clock.bank": 0, "clock.bank_refill": 0}


async def verify_whole(store: EventStore, tournament: str) -> None:
    """Look into the store: every order was obeyed once, every match reported once, and no chip was lost."""
    stored = await store.load(STREAM_PREFIX + tournament)
    events = [decode(event.payload) for event in stored]
    state = cup_replay(None, stored)
    assert state is not None
    assert state.phase == "over"
    assert isinstance(events[-1], TournamentEnded | TableOrdered)
    chips = sum(entry.entries for entry in state.entries) * state.config.stack
    assert [entry.chips for entry in state.entries if not entry.out] == [chips]
    place_of = places(state)
    assert len(place_of) == len(state.entries)
    for table in state.tables:
        orders = [event.order for event in events if isinstance(event, TableOrdered) and event.table == table.number]
        reports = [
            event.order for event in events if isinstance(event, MatchReported) and event.table == table.number
        ]
        assert reports == [order.number for order in orders if order.chairs] == list(range(1, len(reports) + 1))
        record = await store.load(f"{tournament}-{table.number}")
        obeyed = [event.event.number for event in decode_events(record) if isinstance(event.event, OrderAccepted)]
        assert obeyed == [order.number for order in orders]
        played, _ = replay(record)
        assert played.closed
    for entry in state.entries:
        assert (
            await store.balance(f"cup:{tournament}:{entry.player}")
            == entry.chips - entry.entries * state.config.stack
        )
    assert STREAM_PREFIX + tournament not in await store.tables()


async def settled(store: EventStore, tournament: str) -> None:
    """Wait until the server has put a tournament away."""
    async with asyncio.timeout(PATIENCE):
        while STREAM_PREFIX + tournament in await store.tables():  # noqa: ASYNC110 - another process may do it
            await asyncio.sleep(0.05)


async def test_a_tournament_lies_in_postgres_too(migrated: Callable[[str], str]) -> None:
    url = migrated(f"t{uuid4().hex}")
    store = postgres_store(url)
    async with run_server(store) as server, server.person("Ann") as ann:
        tournament = await announce(ann.http, most=8)
        await send_request(ann.http, tournament, "add_bots", level="fast", count=8)
        await asyncio.sleep(0.5)  # somewhere in the middle of it
    store = postgres_store(url)
    async with run_server(store) as server, server.person("Bob") as bob:
        await follow(bob, tournament)
        await until(bob, tournament, phase="over")
        await settled(store, tournament)
        await verify_whole(store, tournament)


@pytest.mark.parametrize("rules", ["closed_1_6", "turbo"])
async def test_bots_play_a_tournament_to_its_winner(rules: str) -> None:
    store = MemoryStore()
    async with run_server(store) as server, server.person("Ann") as ann:
        tournament = await announce(ann.http, rules=rules, prize_kind="points", prizes=[5, 3, 1])
        await follow(ann, tournament)
        await send_request(ann.http, tournament, "add_bots", level="fast", count=9)
        over = await until(ann, tournament, phase="over")
        assert [entry["place"] for entry in over["entries"]][:1] == [1]
        assert sum(entry["prize"] for entry in over["entries"]) == 9
        assert over["entries"][0]["prize"] == 5
        await settled(store, tournament)
        (line,) = (await ann.http.get("/api/cups")).json()
        assert line["winner"] == over["entries"][0]["name"]
    await verify_whole(store, tournament)
    # Its page is there after the server was opened again.
    async with run_server(store) as server, server.person("Bob") as bob:
        again = (await bob.http.get(f"/api/cups/{tournament}")).json()
        assert again["entries"] == over["entries"]


async def test_bots_get_the_prizes_of_open_places_and_all_chips() -> None:
    """Issue 13, part 4. What all have is what all brought, at whichever table: a sum from outside."""
    engine = InProcessEngine()
    async with run_server(bot_engine=engine) as server, server.person("Ann") as ann:
        tournament = await announce(ann.http, prize_kind="points", prizes=[5, 3, 1], most=6)
        await follow(ann, tournament)
        await send_request(ann.http, tournament, "add_bots", level="fast", count=6)
        await until(ann, tournament, phase="over")
    stacks = [view.stacks for view in engine.asked if isinstance(view.stacks, Stacks)]
    assert {sum(stack.chips) + sum(stack.elsewhere) for stack in stacks} == {6 * QUICK["stack"]}
    # As many places are open as players are left; how many go out in one deal, the cards decide.
    prizes = [5.0, 3.0, 1.0]
    assert all([*stack.prizes] == prizes[: len(stack.chips) + len(stack.elsewhere)] for stack in stacks)
    assert [*stacks[0].prizes] == prizes
    assert [len(stacks[at].elsewhere) > 0 for at in (0, -1)] == [True, False]


async def test_a_store_that_fails_now_and_then_loses_nothing_and_doubles_nothing() -> None:
    rng = Random(5)
    store = FailingStore(MemoryStore())
    async with run_server(store) as server, server.person("Ann") as ann:
        tournament = await announce(ann.http)
        await follow(ann, tournament)
        await send_request(ann.http, tournament, "add_bots", level="fast", count=9)
        over = asyncio.create_task(until(ann, tournament, phase="over"))
        while not over.done():
            store.before, store.after = rng.random() < 0.2, rng.random() < 0.2
            await asyncio.sleep(0.02)
            store.before = store.after = False
            await asyncio.sleep(0.05)
        await over
        await settled(store, tournament)
    assert store.failures
    await verify_whole(store, tournament)


@pytest.mark.slow
@pytest.mark.parametrize("most", [2, 12])
async def test_killed_at_random_moments_it_goes_on_and_nothing_is_lost_or_doubled(tmp_path: Path, most: int) -> None:
    rng = Random(most)
    server = ServerProcess(tmp_path, free_port())
    kills = 0
    try:
        await server.start()
        async with http_client(base_url=server.url) as ann:
            await ann.get("/api/me")
            tournament = await announce(ann, most=12, rules=HASTY)
            await send_request(ann, tournament, "register")
            await send_request(ann, tournament, "add_bots", level="fast", count=11)
            view: dict[str, Any] = {}
            async with asyncio.timeout(PATIENCE):
                while view.get("phase") != "over":
                    await asyncio.sleep(rng.random() * 0.4)
                    if kills < most:
                        server.kill()
                        kills += 1
                        await server.start()
                    view = (await ann.get(f"/api/cups/{tournament}")).json()
        store = sqlite_store(tmp_path / "room.db")
        await store.open()
        await settled(store, tournament)
        server.kill()
        await verify_whole(store, tournament)
        await store.close()
    finally:
        server.kill()
    assert kills == most
