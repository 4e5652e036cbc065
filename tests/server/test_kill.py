"""SIGKILL at random moments: what was acknowledged is there, once, and play goes on (issue 2, Shown by 4)."""

from __future__ import annotations

import asyncio
import collections
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage

from tests.server.program import Killable, free_port
from tests.server.room import PATIENCE, Person, Room, simple
from triptych.store.memory import MemoryStore
from triptych.store.protocol import CommandKey, Stored
from triptych.store.sql import SqlStore
from triptych.store.sqlite import sqlite_store

pytestmark = pytest.mark.anyio
RULES = {"preset": "pineapple", "seats.buy_in_max": 100_000, "settlement.cap": "none"}
GONE = (ConnectionClosed, InvalidMessage, OSError)


@dataclass
class Stubborn:
    """A player who resends each command until it is answered, over as many connections as it takes."""

    room: Room
    http: httpx.AsyncClient
    player: str
    number: int = 0
    waiting: dict[str, Any] | None = None
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    seen: dict[int, Any] = field(default_factory=dict)
    version: int = 0
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, table: str, over: Callable[[dict[str, Any]], bool]) -> None:
        """Play until the view says that it is over, whatever happens to the connection."""
        while True:
            with contextlib.suppress(*GONE):
                async with self.room.socket(self.http) as person:
                    return await self._play(person, table, over)
            await asyncio.sleep(0.02)

    async def _play(self, person: Person, table: str, over: Callable[[dict[str, Any]], bool]) -> None:
        await person.watch(table, self.version or None)
        while True:
            self._remember(person)
            view = person.views[table]
            if self.waiting is None:
                if over(view):
                    return
                tasks = view["deal"]["tasks"] if view["deal"] else []
                if tasks:
                    self.number += 1
                    self.waiting = {"cmd_id": f"k{self.number}", "action": simple(view["deal"], tasks[0])}
            version = view["v"]
            if self.waiting is not None:
                await self._settle(person, table, self.waiting)
                version = max(version, self.answers[f"k{self.number}"].get("v", 0) - 1)
                self.waiting = None
                await asyncio.sleep(0.02)
            await person.until(lambda v=version: person.views[table]["v"] > v)  # type: ignore[misc]

    async def _settle(self, person: Person, table: str, waiting: dict[str, Any]) -> None:
        answer = await person.do(table, waiting["action"], waiting["cmd_id"])
        assert self.answers.setdefault(waiting["cmd_id"], answer) == answer
        self.answered.set()

    def _remember(self, person: Person) -> None:
        """Keep what each version was; after a crash the same version must be the same."""
        for message in person.said:
            if message["t"] == "update":
                self.version = max(self.version, message["v"])
                for entry in message["events"]:
                    known = self.seen.setdefault(entry["v"], entry.get("e"))
                    assert known == entry.get("e"), "the past has changed"
        person.said.clear()


async def seat_three(room: Room) -> tuple[str, list[tuple[str, httpx.Cookies]]]:
    """Open a table of two people and a bot; return it with who the people are, who have gone again."""
    async with room.person("Ann") as ann, room.person("Bob") as bob:
        table = await ann.open_table(RULES)
        await ann.watch(table)
        await bob.watch(table)
        await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100_000})
        await ann.do(table, {"do": "seat_bot", "seat": 2, "level": "random", "buy_in": 100_000})
        await bob.do(table, {"do": "sit", "seat": 1, "buy_in": 100_000})
        cookies = [(person.player, person.http.cookies) for person in (ann, bob)]
    return table, cookies


@contextlib.asynccontextmanager
async def table_of_three(server: Killable) -> AsyncIterator[tuple[str, list[Stubborn]]]:
    room = Room(server.url, MemoryStore())
    table, cookies = await seat_three(room)
    async with contextlib.AsyncExitStack() as stack:
        players = []
        for player, cookie in cookies:
            http = await stack.enter_async_context(httpx.AsyncClient(base_url=server.url, cookies=cookie))
            players.append(Stubborn(room, http, player))
        yield table, players


@pytest.mark.parametrize("kills", [8, pytest.param(50, marks=pytest.mark.slow)])
async def test_killed_at_random_moments(tmp_path: Path, kills: int) -> None:
    rng = Random(kills)
    server = Killable(tmp_path, free_port())
    stop = False
    try:
        await server.start()
        async with table_of_three(server) as (table, players):
            last_deal = [0]

            def over(view: dict[str, Any]) -> bool:
                last_deal[0] = max(last_deal[0], view["sheet"]["deal"] if view["sheet"] else 0)
                return stop and last_deal[0] >= target

            target = 1 << 30
            playing = [asyncio.create_task(player.run(table, over)) for player in players]
            for _ in range(kills):
                async with asyncio.timeout(PATIENCE):
                    for player in players:
                        player.answered.clear()
                    await asyncio.wait(
                        [asyncio.ensure_future(player.answered.wait()) for player in players],
                        return_when=asyncio.FIRST_COMPLETED,
                    )
                await asyncio.sleep(rng.random() * 0.3)
                server.kill()
                await server.start()
            stop, target = True, last_deal[0] + 2
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*playing)
            views = (await players[0].http.get(f"/api/tables/{table}")).json()
    finally:
        server.kill()
    await examine(sqlite_store(tmp_path / "room.db"), table, players, views)


async def examine(store: SqlStore, table: str, players: list[Stubborn], view: dict[str, Any]) -> None:
    """Look into a store for what the players were told."""
    await store.open()
    stored = await store.load(table)
    assert [event.version for event in stored] == list(range(1, len(stored) + 1))
    for player in players:
        assert len(player.answers) > 10
        for cmd_id, answer in player.answers.items():
            # Everything was played by the tasks that were shown, so nothing was ever refused.
            assert answer["t"] == "ack", answer
            kept = await store.answer(table, CommandKey(player.player, cmd_id))
            assert kept is not None
            assert msgspec.json.decode(kept) == answer
    acknowledged = sum(len(player.answers) for player in players)
    check_deals(stored, acknowledged)
    balances = {seat["seat"]: await store.balance(f"table:{table}:{seat['player']}") for seat in view["seats"]}
    await store.close()
    assert sum(balances.values()) == 300_000
    if view["phase"] != "playing":
        assert balances == {seat["seat"]: seat["stack"] for seat in view["seats"]}


def check_deals(stored: Sequence[Stored], acknowledged: int) -> None:
    """Every street was placed once, and every card came off one deck in its order."""
    deck: list[str] = []
    placed: collections.Counter[tuple[int, int, int]] = collections.Counter()
    deal = 0
    people = 0
    seats: list[int] = []
    for event in stored:
        body = msgspec.json.decode(event.payload)
        match body["e"]:
            case "deal_started" | "deal_started_again":
                assert body["number"] == deal + 1
                deal, seats = deal + 1, [hand["seat"] for hand in body["hands"]]
            case "deck_shuffled":
                deck = list(body["cards"])
                assert len(set(deck)) == 52
            case "dealt":
                assert body["cards"] == [deck.pop(0) for _ in body["cards"]]
            case "placed":
                placed[deal, body["hand"], body["street"]] += 1
                people += seats[body["hand"]] != 2
    assert set(placed.values()) == {1}
    # Nobody timed out, so each placed street of a person is one acknowledged command.
    assert people == acknowledged
