"""What a host's own tools ask: does the house live, is it ready, how much goes on (issue 12, part 4)."""

from __future__ import annotations

import asyncio

import pytest
from prometheus_client import CONTENT_TYPE_LATEST

from tests.server.knowledge import cards_in
from tests.server.room import Room, play, room
from triptych.store.memory import MemoryStore

pytestmark = pytest.mark.anyio


class AwayStore(MemoryStore):
    """A store that does not answer while it is `away`, or never returns while it `hangs`."""

    away = False
    hangs = False

    async def last_alive(self) -> int:
        if self.away:
            raise OSError("the disk is gone")
        if self.hangs:
            await asyncio.Event().wait()
        return await super().last_alive()


async def test_a_house_that_is_open_lives_and_is_ready(server: Room) -> None:
    async with server.guest() as http:
        for path, word in (("/healthz", "ok"), ("/readyz", "ready")):
            told = await http.get(path)
            assert (told.status_code, told.text.strip()) == (200, word)


@pytest.mark.parametrize("fault", ["away", "hangs"])
async def test_a_house_whose_database_is_away_lives_but_is_not_ready(fault: str) -> None:
    store = AwayStore()
    async with room(store) as server, server.guest() as http:
        setattr(store, fault, True)
        assert (await http.get("/healthz")).status_code == 200
        told = await http.get("/readyz")
        assert (told.status_code, told.text.strip()) == (503, "the database does not answer")
        setattr(store, fault, False)
        assert (await http.get("/readyz")).status_code == 200


async def test_prometheus_is_told_numbers_and_neither_cards_nor_names(server: Room) -> None:
    async with server.person("Zacharias") as ann, server.person("Ophelia") as bob, server.guest() as http:
        table = await ann.open_table({"preset": "pineapple"})
        for seat, person in enumerate((ann, bob)):
            await person.watch(table)
            await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100})
        await asyncio.gather(play(ann, table, 1), play(bob, table, 1))
        told = await http.get("/metrics")
    assert told.headers["content-type"] == CONTENT_TYPE_LATEST  # each parameter once
    lines = dict(line.rsplit(" ", 1) for line in told.text.splitlines() if not line.startswith("#"))
    assert float(lines['triptych_seats{by="person"}']) == 2
    assert float(lines['triptych_seats{by="bot"}']) == 0
    assert sum(float(value) for name, value in lines.items() if name.startswith("triptych_tables{")) == 1
    assert float(lines["triptych_deals"]) >= 1
    assert float(lines["triptych_connections"]) >= 2
    assert float(lines["triptych_tables_damaged"]) == 0
    assert list(cards_in(told.text)) == []
    assert not {name for name in ("Zacharias", "Ophelia", table) if name in told.text}
