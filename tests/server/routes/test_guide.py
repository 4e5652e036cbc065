"""Play now and the guide (issue 11, part 2): a table at one click, and a help that is none against people."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.case_sample import sample_cases
from tests.server.in_process import QUICK, Person, RunningServer, newer, run_server
from triptych.arena.seeds import deck_for

pytestmark = pytest.mark.anyio


async def play_now(person: Person) -> str:
    answer = await person.http.post("/api/play")
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["table"]
    await person.watch(table)
    return table


async def with_a_bot(person: Person, preset: str) -> str:
    """Open a table of any game against one bot."""
    table = await person.open_table({"preset": preset, "clock.kind": "none"})
    rules = (await person.watch(table))["view"]["rules"]
    points = rules["buy_in_max"] if rules["purse"] == "stacks" else 0
    for action in ({"do": "sit", "seat": 0}, {"do": "seat_bot", "seat": 1, "level": "random"}):
        assert (await person.do(table, {**action, "buy_in": points}))["t"] == "ack"
    return table


async def my_turn(person: Person, table: str) -> dict[str, Any]:
    """Wait until something is asked, and return the view."""

    def first_task() -> dict[str, Any] | None:
        view = person.views[table]
        return view if view["deal"] and view["deal"]["tasks"] else None

    return await person.until(first_task)


async def guided(person: Person, table: str, hand: int) -> dict[str, Any]:
    answer = await person.http.get(f"/api/tables/{table}/guide", params={"hand": hand})
    assert answer.status_code == 200, answer.text
    guide: dict[str, Any] = answer.json()
    return guide


async def follow(person: Person, table: str) -> dict[str, Any]:
    """Do what the guide proposes until the first deal is over; returns its sheet."""
    while True:
        view = person.views[table]
        if view["sheet"]:
            sheet: dict[str, Any] = view["sheet"]
            return sheet
        version = view["v"]
        if view["deal"] and view["deal"]["tasks"]:
            task = view["deal"]["tasks"][0]
            guide = await guided(person, table, task["hand"])
            action: dict[str, Any] = {"do": "announce", "hand": task["hand"], "play": True}
            if task["natural"]:
                action = {"do": "natural", "hand": task["hand"]}
            elif task["kind"] == "place":
                action = {"do": "place", "hand": task["hand"], "layout": guide["proposal"]}
            answer = await person.do(table, action)
            assert answer["t"] == "ack", answer
            version = answer["v"] - 1
        await person.until(newer(person, table, version))


async def test_play_now_deals_at_one_request(server: RunningServer) -> None:
    """A guest who has never chosen a name sits against a bot, without clock, and is dealt cards."""
    async with server.person() as ann:
        table = await play_now(ann)
        view = await my_turn(ann, table)
        assert [seat["bot"] for seat in view["seats"] if seat["player"]] == [False, True]
        assert view["seats"][view["you"]]["name"] == ann.name
        assert view["clocks"] == []
        assert view["private"]
        assert view["guided"]
        assert len(view["deal"]["tasks"][0]["cards"]) == 5


async def test_play_now_waits_out_no_pause() -> None:
    """The server pauses a minute between deals; the newcomer's first cards are there with the table."""
    async with run_server(settings=QUICK._replace(pause=60)) as server, server.person() as ann:
        answer = await ann.http.post("/api/play")
        assert (await ann.watch(answer.json()["table"]))["view"]["deal"]


async def test_play_now_comes_back_to_the_table_of_before(server: RunningServer) -> None:
    async with server.person() as ann, server.person() as bob:
        table = await play_now(ann)
        assert await play_now(ann) == table
        assert await play_now(bob) != table
        assert (await ann.do(table, {"do": "close_table"}))["t"] == "ack"
        await my_turn(ann, table)
        assert await play_now(ann) == table, "the deal in progress is still to be played"
        assert (await ann.do(table, {"do": "leave"}))["t"] == "ack"
        assert await play_now(ann) != table, "who has left starts again"


async def test_play_now_pressed_several_times_at_once_opens_one_table(server: RunningServer) -> None:
    async with server.person() as ann, server.person() as bob:
        pressed = await asyncio.gather(*(person.http.post("/api/play") for person in (ann, ann, bob, ann, bob)))
        assert {answer.status_code for answer in pressed} == {201}
        mine, his = ({pressed[at].json()["table"] for at in which} for which in ((0, 1, 3), (2, 4)))
        assert (len(mine), len(his), len(mine | his)) == (1, 1, 2)
        listed = (await ann.http.get("/api/tables")).json()
        assert {line["table"] for line in listed if line["mine"]} == mine


async def test_play_now_is_for_guests_and_this_site(server: RunningServer) -> None:
    async with server.guest() as http:
        assert (await http.post("/api/play")).json()["error"]["code"] == "identity.missing"
        await http.get("/api/me")
        answer = await http.post("/api/play", headers={"origin": "http://elsewhere.example"})
        assert answer.json()["error"]["code"] == "request.origin"


@pytest.mark.parametrize(
    "preset",
    sample_cases(
        ["pineapple", "ofc_american", "closed_2_4", "pineapple_27", "pineapple_joker", "criss_cross"],
        ["pineapple", "closed_2_4", "criss_cross"],
    ),
)
async def test_always_following_the_guide_finishes_the_deal(preset: str) -> None:
    """Through the server's own answers, knowing no rules; what it proposes: tests/bots/test_guide.py."""
    async with run_server(shuffle=lambda jokers: deck_for(jokers, "guide", 2, 0)) as server, server.person() as ann:
        table = await with_a_bot(ann, preset)
        sheet = await follow(ann, table)
    mine = [hand["status"] for hand in sheet["hands"] if hand["seat"] == 0]
    assert mine


async def test_the_guide_is_silent_as_soon_as_another_person_sits(server: RunningServer) -> None:
    async with server.person() as ann, server.person() as bob:
        table = await with_a_bot(ann, "pineapple")
        view = await my_turn(ann, table)
        hand = view["deal"]["tasks"][0]["hand"]
        await guided(ann, table, hand)
        refused = await bob.http.get(f"/api/tables/{table}/guide", params={"hand": hand})
        assert refused.json()["error"]["code"] == "guide.people"
        await bob.watch(table)
        assert not bob.views[table]["guided"]
        points = view["rules"]["buy_in_max"]
        assert (await bob.do(table, {"do": "sit", "seat": 2, "buy_in": points}))["t"] == "ack"
        await ann.until(lambda: ann.views[table]["seats"][2]["player"])
        assert not ann.views[table]["guided"]
        refused = await ann.http.get(f"/api/tables/{table}/guide", params={"hand": hand})
        assert refused.status_code == 403
        assert refused.json()["error"]["code"] == "guide.people"


async def test_the_guide_speaks_of_own_hands_that_are_asked_only(server: RunningServer) -> None:
    async with server.person() as ann:
        table = await with_a_bot(ann, "pineapple")
        task = (await my_turn(ann, table))["deal"]["tasks"][0]
        for hand in (1 - task["hand"], 7, -1):
            refused = await ann.http.get(f"/api/tables/{table}/guide", params={"hand": hand})
            assert (refused.status_code, refused.json()["error"]["code"]) == (409, "guide.nothing")


async def test_possible_royalties_of_own_boards_are_shown_at_every_table(server: RunningServer) -> None:
    """Arithmetic on one's own cards; of another's board, or without a seat, nothing is said."""
    async with server.person() as ann, server.person() as bob:
        table = await with_a_bot(ann, "pineapple")
        view = await my_turn(ann, table)
        await bob.watch(table)
        assert (await bob.do(table, {"do": "sit", "seat": 2, "buy_in": view["rules"]["buy_in_max"]}))["t"] == "ack"
        task = view["deal"]["tasks"][0]
        lying = {"front": task["cards"][:1], "middle": [], "back": []}
        assert (await ann.do(table, {"do": "arrange", "hand": task["hand"], "layout": lying}))["t"] == "ack"
        params = {"hand": task["hand"]}
        reach = (await ann.http.get(f"/api/tables/{table}/reach", params=params)).json()
        rank = task["cards"][0][0]
        assert reach["front"][-1] == {"hand": rank * 3, "points": 10 + "23456789TJQKA".index(rank)}
        assert reach["middle"] == reach["back"] == []
        for stranger, hand in ((bob, task["hand"]), (ann, 1 - task["hand"]), (ann, 9)):
            refused = await stranger.http.get(f"/api/tables/{table}/reach", params={"hand": hand})
            assert (refused.status_code, refused.json()["error"]["code"]) == (409, "guide.nothing")


async def test_the_guide_speaks_the_language_of_the_reader(server: RunningServer) -> None:
    async with server.person() as ann:
        table = await play_now(ann)
        task = (await my_turn(ann, table))["deal"]["tasks"][0]
        params, finnish = {"hand": task["hand"]}, {"accept-language": "fi"}
        guide = (await ann.http.get(f"/api/tables/{table}/guide", params=params, headers=finnish)).json()
        assert guide["lines"][0]["text"].startswith("Eturivi 3 korttia")
        rules = (await ann.http.get(f"/api/tables/{table}/rules", headers=finnish)).json()
        assert "Värisuora" in {hand["name"] for hand in rules["chart"]["ranking"]}
        assert rules["summary"][0]["text"] == "1 riviltä, 3 scoopista"
