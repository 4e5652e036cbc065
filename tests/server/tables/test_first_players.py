"""A table is created with its first players: one request leads to the first card (issue 32, part 7)."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
import pytest

from tests.server.in_process import Person, run_server, simple
from triptych.server.routes.devices import qr_code

pytestmark = pytest.mark.anyio


async def refused(person: Person, **body: object) -> tuple[str, str]:
    answer = await person.http.post("/api/tables", json={"name": "Mine", "rules": "pineapple", **body})
    assert answer.status_code in (400, 409), answer.text
    error = answer.json()["error"]
    return error["code"], error["path"]


async def seats(person: Person, table: str) -> dict[str, Any]:
    view: dict[str, Any] = (await person.watch(table))["view"]
    return view


async def test_a_table_with_bots_is_dealt_at_once_and_one_with_a_free_seat_waits_for_a_friend() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        wish = {"rules": {"preset": "pineapple", "seats.max": 3}, "start": "host", "private": True}
        full = await ann.open_table(**wish, sit=True, bots=["random", "random"], buy_in=100)
        view = await seats(ann, full)
        assert [(seat["name"], seat["bot"], seat["stack"]) for seat in view["seats"]] == [
            ("Ann", False, 100),
            ("Bruno", True, 100),
            ("Clara", True, 100),
        ]
        assert view["you"] == 0
        assert view["phase"] == "playing"  # nobody said Ready

        open_seat = await ann.open_table(**wish, sit=True, bots=["random"])
        view = await seats(bob, open_seat)
        assert (view["phase"], view["seats"][0]["stack"]) == ("waiting", view["rules"]["buy_in_max"])
        assert open_seat not in [line["table"] for line in (await bob.http.get("/api/tables")).json()]
        link = (await bob.http.get(f"/api/tables/{open_seat}/link")).json()
        assert link["link"].endswith(f"/t/{open_seat}")
        assert link["qr"] == msgspec.to_builtins(qr_code(link["link"]))
        assert (await bob.do(open_seat, {"do": "sit", "seat": 2, "buy_in": 100, "ready": True}))["t"] == "ack"
        await bob.until(lambda: bob.views[open_seat]["phase"] == "playing")


async def test_settings_that_a_table_would_refuse_open_no_table() -> None:
    async with run_server() as server, server.person("Ann") as ann:
        assert await refused(ann, bots=["nobody"]) == ("level.unknown", "$.bots")
        assert await refused(ann, bots=["medium"], bots_allowed=False) == ("bots.not_allowed", "$.bots")
        assert await refused(ann, sit=True, bots=["medium"] * 3) == ("table.seats", "$.bots")
        assert await refused(ann, sit=True, buy_in=1) == ("points.buy_in", "$.buy_in")
        book = {"preset": "pineapple", "settlement.credit": True}
        assert await refused(ann, sit=True, buy_in=1, rules=book) == ("points.buy_in", "$.buy_in")
        assert (await ann.http.get("/api/tables")).json() == []


def _deal(person: Person, table: str) -> Any:
    deal = person.views[table]["deal"]
    return deal if deal and deal["tasks"] else None


async def play_deal(table: str, *people: Person) -> None:
    """Set the boards of a closed game's deal."""
    for person in people:
        await person.watch(table)
        deal = await person.until(partial(_deal, person, table))
        action = simple(deal, deal["tasks"][0])
        assert (await person.do(table, action))["t"] == "ack"


async def test_a_rematch_seats_the_asking_players_and_the_bots_and_is_dealt_when_all_are_back() -> None:
    async with run_server() as server, server.person("Ann") as ann, server.person("Bob") as bob:
        rules = {"preset": "closed_basic", "match.kind": "deals:1", "seats.max": 4, "settlement.credit": True}
        old = await ann.open_table(rules=rules, sit=True, bots=["random"], start="host")
        await bob.watch(old)
        await ann.watch(old)
        for person, request in (
            (bob, {"do": "sit", "seat": 2, "buy_in": 0, "ready": True}),
            (ann, {"do": "start"}),
            (ann, {"do": "close_table"}),
        ):
            assert (await person.do(old, request))["t"] == "ack"
        await play_deal(old, ann, bob)
        await ann.until(lambda: ann.views[old]["phase"] == "closed")
        body = {"name": "Again", "rules": "closed_basic", "like": old, "sit": True}
        again = (await bob.http.post("/api/tables", json=body)).json()["table"]
        view = await seats(bob, again)
        taken = [(seat["name"], seat["level"]) for seat in view["seats"] if seat["name"]]
        assert taken == [("Bob", ""), ("Diego", "random")]
        assert view["phase"] == "waiting"  # Ann is not back yet
        assert (await ann.http.post("/api/tables", json=body)).json()["table"] == again
        view = await seats(ann, again)
        assert [seat["name"] for seat in view["seats"]] == ["Bob", "Ann", "", "Diego"]
        assert view["phase"] == "playing"  # nobody pressed Start
        await ann.http.post("/api/tables", json=body)
        view = await seats(ann, again)
        assert [seat["name"] for seat in view["seats"]] == ["Bob", "Ann", "", "Diego"]  # asked twice, seated once
