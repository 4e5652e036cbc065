"""Every way to be wrong gets a typed error with code, message and path, and changes nothing (issue 2, part 10)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.server.in_process import Person, RunningServer, newer, run_server, simple, until_alike
from triptych.server.bootstrap import ServerSettings
from triptych.server.wire import errors
from triptych.server.wire.decoding import MAX_MESSAGE
from triptych.server.wire.errors import CODES
from triptych.server.wire.messages import WireError

pytestmark = pytest.mark.anyio


def do(action: object, **more: object) -> dict[str, object]:
    return {"t": "do", "cmd_id": "c1", "table": "nowhere", "seen": 0, "action": action, **more}


UNREADABLE: list[tuple[Any, str, str]] = [
    ("{", "request.json", "$"),
    ("", "request.json", "$"),
    ("[" * 5000, "request.invalid", "$"),
    ('"\\ud800"', "request.json", "$"),
    ("[]", "request.invalid", "$"),
    ("null", "request.invalid", "$"),
    ({}, "request.invalid", "$.t"),
    ({"t": "shout"}, "request.invalid", "$.t"),
    ({"t": "ping", "x": 1}, "request.invalid", "$.x"),
    ({"t": "watch"}, "request.invalid", "$.table"),
    ({"t": "watch", "table": 7}, "request.invalid", "$.table"),
    ({"t": "watch", "table": "a b"}, "request.invalid", "$.table"),
    ({"t": "watch", "table": "x" * 65}, "request.invalid", "$.table"),
    ({"t": "watch", "table": "t", "since": "1"}, "request.invalid", "$.since"),
    (do({"do": "sit", "seat": "0", "buy_in": 5}), "request.invalid", "$.action.seat"),
    (do({"do": "sit", "seat": 9, "buy_in": 5}), "request.invalid", "$.action.seat"),
    (do({"do": "sit", "seat": 0, "buy_in": -1}), "request.invalid", "$.action.buy_in"),
    (do({"do": "fly"}), "request.invalid", "$.action.do"),
    (do({"do": "tick"}), "request.invalid", "$.action.do"),
    (do({"do": "connected"}), "request.invalid", "$.action.do"),
    (do({"do": "say", "text": ""}), "request.invalid", "$.action.text"),
    (do({"do": "say", "text": "x" * 241}), "request.invalid", "$.action.text"),
    (do({"do": "place", "hand": 0, "layout": {"top": []}}), "request.invalid", "$.action.layout.top"),
    (do({"do": "place", "hand": 0, "layout": {"front": [1]}}), "request.invalid", "$.action.layout.front[0]"),
    (do({"do": "ready"}, cmd_id=""), "request.invalid", "$.cmd_id"),
    (do({"do": "ready"}, cmd_id="x" * 65), "request.invalid", "$.cmd_id"),
    ({"t": "watch", "table": "nowhere"}, "table.unknown", "$.table"),
    ({"t": "unwatch", "table": "nowhere"}, "watch.missing", "$.table"),
]


@pytest.mark.parametrize(("message", "code", "path"), UNREADABLE)
async def test_an_unreadable_message_is_refused_and_the_connection_stays_open(
    server: RunningServer, message: object, code: str, path: str
) -> None:
    async with server.person() as person:
        await person.received("hello")
        await person.send(message)
        error = (await person.received("problem"))["error"]
        assert (error["code"], error["path"]) == (code, path)
        assert error["message"]
        await person.send({"t": "ping"})
        assert (await person.received("pong"))["now"] > 0


async def test_an_unknown_table_refuses_the_command_by_its_id(server: RunningServer) -> None:
    async with server.person() as person:
        answer = await person.do("nowhere", {"do": "ready"})
        assert (answer["t"], answer["error"]["code"]) == ("refused", "table.unknown")


async def test_errors_have_a_path_and_nothing_changes(server: RunningServer) -> None:
    """Rules §6: buy-in between minimum and maximum; one seat a player; only the host seats bots."""
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await ann.open_table()
        await ann.watch(table)
        before = (await bob.watch(table))["v"]
        for person, action, code in (
            (bob, {"do": "sit", "seat": 0, "buy_in": 5}, "points.buy_in"),
            (bob, {"do": "seat_bot", "seat": 0, "level": "fast", "buy_in": 100}, "player.not_host"),
            (ann, {"do": "seat_bot", "seat": 0, "level": "nobody", "buy_in": 100}, "level.unknown"),
            (ann, {"do": "seat_bot", "seat": 0, "level": "steady", "buy_in": 100}, "level.unknown"),
            (bob, {"do": "leave"}, "player.not_seated"),
            (bob, {"do": "place", "hand": 0, "layout": {}}, "player.not_seated"),
        ):
            answer = await person.do(table, action)
            assert (answer["t"], answer["error"]["code"]) == ("refused", code), answer
            assert answer["error"]["path"].startswith("$")
        assert (await bob.watch(table))["v"] == before


async def test_bad_moves_are_refused_where_they_are_wrong(server: RunningServer) -> None:
    """Rules §2: cards are those of the street; rows have their length; who is not on turn waits."""
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await two_seated(ann, bob)
        actor = await ann.until(lambda: next((p for p in (ann, bob) if on_turn(p, table)), None))
        waits = bob if actor is ann else ann
        deal = actor.views[table]["deal"]
        task = deal["tasks"][0]
        cards, version = task["cards"], actor.views[table]["v"]
        other = next(rank + "c" for rank in "23456789TJQKA" if rank + "c" not in cards)

        def place(**layout: list[str]) -> dict[str, Any]:
            return {"do": "place", "hand": task["hand"], "layout": layout}

        for person, action, code, path in (
            (waits, simple(deal, task), "hand.not_yours", "$.hand"),
            (waits, {**simple(deal, task), "hand": 1 - task["hand"]}, "deal.not_your_turn", "$.hand"),
            (actor, place(front=cards[:4], back=cards[4:]), "deal.row_full", "$.layout.front"),
            (actor, place(back=[*cards[:4], "Zz"]), "card.unknown", "$.layout.back[4]"),
            (actor, place(back=[*cards[:4], cards[0]]), "card.duplicate", "$.layout.back[4]"),
            (actor, place(back=[*cards[:4], other]), "deal.card_not_held", "$.layout.back[4]"),
            (actor, place(back=cards[:3]), "deal.wrong_count", "$.layout"),
            (actor, {**place(), "hand": 7}, "hand.unknown", "$.hand"),
        ):
            answer = await person.do(table, action)
            assert (answer["t"], answer["error"]["code"], answer["error"]["path"]) == ("refused", code, path), answer
        assert (await actor.watch(table))["v"] == version
        assert (await actor.do(table, simple(deal, task)))["t"] == "ack"


def on_turn(person: Person, table: str) -> bool:
    deal = person.views.get(table, {}).get("deal")
    return bool(deal and deal["tasks"])


async def two_seated(ann: Person, bob: Person) -> str:
    table = await ann.open_table()
    for seat, person in enumerate((ann, bob)):
        await person.watch(table)
        assert (await person.do(table, {"do": "sit", "seat": seat, "buy_in": 100}))["t"] == "ack"
    return table


async def test_a_repeated_command_gets_its_first_answer(server: RunningServer) -> None:
    async with server.person("Ann") as ann:
        table = await ann.open_table()
        await ann.watch(table)
        first = await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100}, "once")
        again = await ann.do(table, {"do": "sit", "seat": 0, "buy_in": 100}, "once")
        assert first == again
        assert first["t"] == "ack"
        # Another device of the same player sends it once more.
        async with server.socket(ann.http) as second:
            assert await second.do(table, {"do": "sit", "seat": 0, "buy_in": 100}, "once") == first
        # The same id from somebody else is another command.
        async with server.person("Bob") as bob:
            assert (await bob.do(table, {"do": "sit", "seat": 0, "buy_in": 100}, "once"))["t"] == "refused"


async def test_a_client_that_was_away_gets_what_it_missed(server: RunningServer) -> None:
    """Versions have no holes; who may not see an event gets its number alone."""
    async with server.person("Ann") as ann, server.person("Bob") as bob:
        table = await two_seated(ann, bob)
        actor = await ann.until(lambda: next((p for p in (ann, bob) if on_turn(p, table)), None))
        for _ in range(2):
            deal = actor.views[table]["deal"]
            await actor.do(table, simple(deal, deal["tasks"][0]))
            actor = bob if actor is ann else ann
            await actor.until(lambda current=actor: on_turn(current, table))  # type: ignore[misc]
        async with server.person("Eve") as eve:
            whole = await eve.watch(table)
            assert whole["events"] == []
            missed = await eve.watch(table, since=3)
            assert [entry["v"] for entry in missed["events"]] == list(range(4, missed["v"] + 1))
            assert any("e" not in entry for entry in missed["events"])
            assert missed["view"] == whole["view"]
            assert (await eve.watch(table, since=10_000))["events"] == []
            assert (await eve.watch(table, since=missed["v"]))["events"] == []
        versions = [entry["v"] for m in bob.said if m["t"] == "update" for entry in m["events"]]
        assert versions == sorted(set(versions))


async def test_two_devices_of_one_player_see_the_same(server: RunningServer) -> None:
    async with server.person("Ann") as ann, server.person("Bob") as bob, server.socket(ann.http) as phone:
        table = await two_seated(ann, bob)
        await phone.watch(table)
        await until_alike(ann, phone, table)
        assert phone.views[table] == ann.views[table]
        assert phone.views[table]["you"] == 0
        answer = await phone.do(table, {"do": "say", "text": "from my phone"})
        await ann.until(newer(ann, table, answer["v"] - 1))
        await until_alike(ann, phone, table)
        assert phone.views[table] == ann.views[table]
        await phone.line.close()
        answer = await bob.do(table, {"do": "say", "text": "still there?"})
        await bob.until(newer(bob, table, answer["v"] - 1))
        assert bob.views[table]["seats"][0]["connected"]


async def test_the_last_connection_counts(server: RunningServer) -> None:
    async with server.person("Bob") as bob:
        async with server.person("Ann") as ann:
            table = await two_seated(ann, bob)
            assert bob.views[table]["seats"][0]["connected"]
        await bob.until(lambda: not bob.views[table]["seats"][0]["connected"])
        async with server.socket(ann.http) as back:
            await back.watch(table)
            await bob.until(lambda: bool(bob.views[table]["seats"][0]["connected"]))


async def test_a_frame_that_is_too_large_ends_the_connection(server: RunningServer) -> None:
    async with server.person() as person:
        await person.received("hello")
        await person.send({"t": "watch", "table": "x" * MAX_MESSAGE})
        assert (await person.received("problem"))["error"]["code"] == "request.too_large"
        assert (await person.ended())[0] == 1009
    async with server.person() as person:
        await person.received("hello")
        await person.send("x" * 5 * MAX_MESSAGE)
        assert (await person.ended())[0] == 1009


async def test_binary_frames_are_not_read(server: RunningServer) -> None:
    async with server.person() as person:
        await person.received("hello")
        await person.send(b'{"t":"ping"}')
        assert (await person.received("problem"))["error"]["code"] == "request.binary"
        assert (await person.ended())[0] == 1003


async def test_a_flood_ends_the_connection() -> None:
    async with (
        run_server(settings=ServerSettings(pause=0, bot_delay=0, grace=0, rate=5)) as slow,
        slow.person() as person,
    ):
        await person.received("hello")
        for _ in range(40):
            await person.send({"t": "ping"})
        code, reason = await person.ended()
        assert (code, reason.partition(":")[0]) == (4429, "socket.flood")
        error = (person.last("problem") or {})["error"]
        assert (error["code"], error["limit"]) == ("socket.flood", {"key": "messages", "seconds": 3})


async def test_the_error_for_a_missing_or_forged_cookie_says_where_to_get_one(server: RunningServer) -> None:
    async with server.guest() as http:
        async with server.socket(http) as nobody:
            assert (await nobody.received("problem"))["error"]["code"] == "identity.missing"
            assert (await nobody.ended())[0] == 4401
        await http.get("/api/me")
        good = dict(http.cookies)["triptych_guest"]
        player, _, signature = good.partition(".")
        for forged in (f"pffff.{signature}", player, f"{player}.", f"{player}.{'0' * 64}", "é"):
            http.cookies.clear()
            answer = await http.post(
                "/api/tables",
                content=b'{"name":"x","rules":"pineapple"}',
                headers={b"Cookie": f"triptych_guest={forged}".encode()},
            )
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "identity.missing")


async def test_pages_of_other_sites_are_refused(server: RunningServer) -> None:
    async with server.guest() as http:
        await http.get("/api/me")
        async with server.socket(http, Origin="http://elsewhere.example") as person:
            assert (await person.received("problem"))["error"]["code"] == "request.origin"
            assert (await person.ended())[0] == 4403
        async with server.socket(http, Origin=server.url) as person:
            await person.received("hello")
        answer = await http.put("/api/me", json={"name": "Ann"}, headers={"Origin": "http://elsewhere.example"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "request.origin")


async def test_too_many_connections_of_one_guest(server: RunningServer) -> None:
    async with server.guest() as http:
        await http.get("/api/me")
        opened = [server.socket(http) for _ in range(17)]
        people = [await context.__aenter__() for context in opened]
        assert (await people[-1].ended())[0] == 4430
        await people[0].send({"t": "ping"})
        await people[0].received("pong")
        for context in opened:
            await context.__aexit__(None, None, None)


async def test_too_many_tables_on_one_connection(server: RunningServer) -> None:
    async with server.person() as person:
        tables = [await person.open_table() for _ in range(17)]
        for table in tables[:16]:
            await person.watch(table)
        await person.send({"t": "watch", "table": tables[16]})
        assert (await person.received("problem"))["error"]["code"] == "watch.too_many"


async def test_a_stopping_server_says_so() -> None:
    async with run_server() as server, server.person() as person:
        await person.received("hello")
        server.stop()
        assert (await person.ended())[0] == 1001


def test_every_code_is_documented() -> None:
    """Every code that the server's sources name is explained, and none is explained in vain."""
    files = (file for file in Path(errors.__file__).parents[1].rglob("*.py") if file.stem != "errors")
    source = "".join(file.read_text() for file in files)
    source = re.sub(r'Message\(\s*"[^"]+"', "", source)  # the keys of texts look like codes
    families = "|".join({code.partition(".")[0] for code in CODES})
    # A close reason begins with its code.
    named = set(re.findall(rf'"((?:{families})\.[a-z_]+)[":]', source))
    ready_made = {each.code for each in vars(errors).values() if isinstance(each, WireError)}
    assert named | ready_made - {errors.TOO_FAST.code} == set(CODES)
